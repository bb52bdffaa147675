import { BackSide, type BufferGeometry, ConeGeometry, CylinderGeometry, FrontSide, Group, type Material, Mesh, Vector3 } from "three";
import type { Drawing } from "./drawing.js";

const kX = new Vector3(1, 0, 0);

const kHalo = 1.45; // radii of a halo, of those of its arrow

/** An arrow from a place in a direction, with one head or more; `unit`: radius of a pin; `halo`: around it, so that it stands out from bodies
 * of any colour. */
export class StraightArrow {
  readonly group = new Group();
  readonly #shaft: Mesh;
  readonly #heads: Mesh[];

  constructor(
    private readonly unit: number,
    paint: Material,
    heads = 1,
    halo?: Material,
  ) {
    this.#shaft = new Mesh(bar(unit), paint);
    this.#heads = Array.from({ length: heads }, (_, k) => headAt(-1.6 * k * unit, unit, paint));
    this.group.add(this.#shaft, ...this.#heads);
    for (const part of this.group.children) part.renderOrder = 40;
    if (!halo) return;
    const around = [new Mesh(bar(kHalo * unit), halo), ...this.#heads.map((_, k) => headAt((0.75 - 1.6 * k) * unit, kHalo * unit, halo))];
    for (const part of around) part.renderOrder = 39;
    this.#shaft.add(around[0]!);
    this.#heads.forEach((head, k) => head.add(around[k + 1]!));
  }

  /** Read back from what is drawn. */
  get length(): number {
    return this.#heads[0]?.position.x ?? 0;
  }
  get direction(): Vector3 {
    return kX.clone().applyQuaternion(this.group.quaternion);
  }

  /** `direction`: unit; `planar`: about z alone, so that what lies above stays above. */
  show(place: Vector3, direction: Vector3, length: number, planar = false): void {
    this.group.position.copy(place);
    if (planar) this.group.rotation.z = Math.atan2(direction.y, direction.x);
    else this.group.quaternion.setFromUnitVectors(kX, direction);
    const head = Math.min(1, length / (4 * this.unit)); // small arrows are small as a whole
    this.#shaft.scale.set(Math.max(1e-9, length - 2 * this.unit * head), head, head);
    for (const mesh of this.#heads) {
      mesh.position.x = length;
      mesh.scale.setScalar(head);
    }
  }
}

/** The far sides alone of what is about an arrow. */
export function haloPaint({ session, paints }: Drawing): Material {
  const paint = paints.flat(() => session.theme.palette.background);
  paint.side = BackSide;
  paint.depthTest = false;
  return paint;
}

/** Forces act inside of bodies: in space they are seen through them. */
export function arrowPaint({ mechanism, paints }: Drawing, colour: () => string): Material {
  if (mechanism.planar) return paints.flat(colour);
  const paint = paints.lit(colour);
  paint.depthTest = false;
  paint.side = FrontSide;
  return paint;
}

/** A shaft from 0 to 1 along x. */
function bar(u: number): BufferGeometry {
  return new CylinderGeometry(0.3 * u, 0.3 * u, 1, 10).rotateZ(-Math.PI / 2).translate(0.5, 0, 0);
}

/** A head whose tip is at x = 0. */
function headAt(back: number, u: number, paint: Material): Mesh {
  return new Mesh(new ConeGeometry(0.85 * u, 2.2 * u, 16).rotateZ(-Math.PI / 2).translate(back - 1.1 * u, 0, 0), paint);
}
