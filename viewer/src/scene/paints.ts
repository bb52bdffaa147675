import { Color, DoubleSide, GreaterDepth, MeshBasicMaterial, MeshPhongMaterial, type Material } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

/** A colour that is asked for again when the theme or the selection changes. */
export type Colour = () => string;

/** A mixture of two colours as the eye takes it: part 0 is the first. */
export function mixed(first: string, second: string, part: number): string {
  const a = new Color(first);
  const b = new Color(second);
  a.convertLinearToSRGB();
  b.convertLinearToSRGB();
  a.lerp(b, part);
  return `#${a.convertSRGBToLinear().getHexString()}`;
}

interface FillOptions {
  opacity?: number;
}
interface StrokeOptions {
  width?: () => number; // [px]
  opacity?: number;
  dashed?: { dash: number; gap: number }; // [m]
}

/** All materials of a scene, each with the rule of its colour: one call gives everything the colours of now. */
export class Paints {
  readonly #rules: (() => void)[] = [];

  /** Not lit: flat drawings. */
  flat(colour: Colour, { opacity = 1 }: FillOptions = {}): MeshBasicMaterial {
    const made = new MeshBasicMaterial({ side: DoubleSide, ...translucent(opacity) });
    this.#follow(() => made.color.set(colour()));
    return made;
  }
  /** Lit: mechanisms in space. */
  lit(colour: Colour, { opacity = 1 }: FillOptions = {}): MeshPhongMaterial {
    const made = new MeshPhongMaterial({ side: DoubleSide, shininess: 35, specular: 0x222222, ...translucent(opacity) });
    // Edges of the same place are drawn as strokes: faces step back for them.
    made.polygonOffset = true;
    made.polygonOffsetFactor = 1;
    made.polygonOffsetUnits = 1;
    this.#follow(() => made.color.set(colour()));
    return made;
  }
  /** What is hidden by something else shines through it a little. */
  hidden(colour: Colour): MeshBasicMaterial {
    const made = new MeshBasicMaterial({ ...translucent(0.3), depthFunc: GreaterDepth });
    this.#follow(() => made.color.set(colour()));
    return made;
  }
  stroke(colour: Colour, { width = () => 1.5, opacity = 1, dashed }: StrokeOptions = {}): LineMaterial {
    const made = new LineMaterial({ ...translucent(opacity), dashed: dashed !== undefined });
    if (dashed) {
      made.dashSize = dashed.dash;
      made.gapSize = dashed.gap;
    }
    this.#follow(() => {
      made.color.set(colour());
      made.linewidth = width();
    });
    return made;
  }
  /** Any other material that has to follow. */
  follow(rule: () => void): void {
    this.#follow(rule);
  }
  refresh(): void {
    for (const rule of this.#rules) rule();
  }

  #follow(rule: () => void): void {
    rule();
    this.#rules.push(rule);
  }
}

function translucent(opacity: number): Partial<Pick<Material, "transparent" | "opacity" | "depthWrite">> {
  return opacity < 1 ? { transparent: true, opacity, depthWrite: false } : {};
}
