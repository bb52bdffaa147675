import { ConeGeometry, Group, Mesh, type Material, RingGeometry, Vector3 } from "three";
import { unpack } from "../numbers.js";
import type { Arrow, Vec3 } from "../report_data.js";
import { type ArrowSizes, arrowSizes } from "./arrow_scale.js";
import type { Drawing, Follower } from "./drawing.js";
import { arrowPaint, StraightArrow } from "./straight_arrow.js";

const kLongest = 0.35; // of the breadth of what is drawn, for what is rarely exceeded
const kRing = 5; // radius of the ring of a torque on paper, in radii of a pin

type ArrowKind = Arrow["kind"];

interface Drawn {
  arrow: Arrow;
  columns: [Float64Array, Float64Array, Float64Array];
  group: Group;
  straight: StraightArrow | undefined; // none for torques on paper: rings
}

/** An arrow as it stands in the picture, world axes [m], [N] or [N m]. */
export interface DrawnArrow {
  name: string;
  from: Vec3;
  vector: Vec3;
  length: number; // [m] of the arrow itself; of a ring its radius
}

/** Forces, reactions and torques: as long as they are large. What is rarely exceeded over the motion (arrow_scale.ts) is 0.35 of the
 * mechanism's breadth long, times the length that the user chooses. */
export class Arrows implements Follower {
  readonly root = new Group();
  /** Sizes over the motion of each kind there is [N], [N m]. */
  readonly sizesOf = new Map<ArrowKind, ArrowSizes>();
  /** How much longer than usual arrows are. */
  stretch = 1;
  readonly #usual = { force: 0, torque: 0 }; // of all kinds of a unit
  readonly #drawn: Drawn[] = [];
  readonly #vector = new Vector3();
  readonly #place = new Vector3();

  constructor(
    private readonly drawing: Drawing,
    arrows: readonly Arrow[],
  ) {
    const paints = new Map<ArrowKind, Material>();
    for (const arrow of arrows) {
      const colour = () => arrowColour(drawing, arrow.kind);
      const paint = paints.get(arrow.kind) ?? arrowPaint(drawing, colour);
      paints.set(arrow.kind, paint);
      this.#add(arrow, paint);
    }
    for (const kind of paints.keys()) this.sizesOf.set(kind, this.#measure((arrow) => arrow.kind === kind));
    this.#usual.torque = this.#measure(({ kind }) => kind === "torque").usual;
    this.#usual.force = this.#measure(({ kind }) => kind !== "torque").usual;
    this.root.visible = false;
  }

  get count(): number {
    return this.#drawn.length;
  }

  follow(t: number): void {
    if (!this.root.visible) return;
    const { before, after, part } = this.drawing.frames.track.place(t);
    for (const drawn of this.#drawn) {
      drawn.columns.forEach((column, k) => {
        this.#vector.setComponent(k, (column[before] ?? 0) * (1 - part) + (column[after] ?? 0) * part);
      });
      this.#show(drawn);
    }
  }

  /** Read back from what is drawn, not from the data. */
  drawnArrows(): DrawnArrow[] {
    if (!this.root.visible) return [];
    return this.#drawn
      .filter(({ group }) => group.visible)
      .map(({ arrow, group, straight }) => {
        const unit = this.#unitOf(arrow);
        const { x, y, z } = group.position;
        const vector = new Vector3();
        const length = straight ? straight.length : kRing * this.drawing.unit * group.scale.x;
        if (straight) {
          const part = length / (kLongest * this.drawing.extent.breadth);
          vector.copy(straight.direction).multiplyScalar(part * unit);
        } else vector.z = Math.sign(group.scale.y) * ringPart(group.scale.x) * unit;
        return { name: arrow.name, from: [x, y, z - this.drawing.levels.arrows], vector: [vector.x, vector.y, vector.z], length };
      });
  }

  #measure(isMeant: (arrow: Arrow) => boolean): ArrowSizes {
    return arrowSizes(this.#drawn.filter(({ arrow }) => isMeant(arrow)).map(({ columns }) => columns));
  }
  /** Size of an arrow that is kLongest long. */
  #unitOf({ kind }: Arrow): number {
    return (kind === "torque" ? this.#usual.torque : this.#usual.force) / this.stretch;
  }
  #add(arrow: Arrow, paint: Material): void {
    const [x, y, z] = arrow.vector.map(unpack);
    if (!x || !y || !z) return;
    const columns: Drawn["columns"] = [x, y, z];
    const u = this.drawing.unit;
    const isRing = arrow.kind === "torque" && this.drawing.mechanism.planar;
    const straight = isRing ? undefined : new StraightArrow(u, paint, arrow.kind === "torque" ? 2 : 1);
    const group = straight?.group ?? ringArrow(u, paint);
    this.root.add(group);
    this.#drawn.push({ arrow, columns, group, straight });
  }

  #show({ arrow, group, straight }: Drawn): void {
    const { drawing } = this;
    const unit = this.#unitOf(arrow);
    const size = this.#vector.length();
    const part = unit > 0 ? size / unit : 0;
    group.visible = Number.isFinite(part) && part > 1e-3;
    if (!group.visible) return;
    drawing.frames.world(arrow.place, this.#place);
    this.#place.z += drawing.levels.arrows;
    if (straight) {
      straight.show(this.#place, this.#vector.divideScalar(size), part * kLongest * drawing.extent.breadth, drawing.mechanism.planar);
      return;
    }
    group.position.copy(this.#place);
    const scale = ringScale(part);
    group.scale.set(scale, this.#vector.z < 0 ? -scale : scale, 1);
  }
}

export function arrowColour({ session }: Drawing, kind: ArrowKind): string {
  const dark = session.theme.name === "dark";
  if (kind === "reaction") return session.theme.palette.warning;
  if (kind === "force") return dark ? "#69db7c" : "#2b8a3e";
  return dark ? "#b197fc" : "#6741d9";
}

/** How large the ring of a torque is that is this part of the usual; the smallest can still be seen. */
function ringScale(part: number): number {
  return 0.35 + 0.65 * part;
}
function ringPart(scale: number): number {
  return (scale - 0.35) / 0.65;
}

/** On paper a torque turns counter-clockwise about its place; mirrored it turns the other way. */
function ringArrow(u: number, paint: Material): Group {
  const group = new Group();
  const radius = kRing * u;
  const turn = 1.5 * Math.PI;
  const head = new ConeGeometry(0.9 * u, 2.2 * u, 3).translate(radius, 0.6 * u, 0).rotateZ(turn);
  group.add(new Mesh(new RingGeometry(radius - 0.25 * u, radius + 0.25 * u, 48, 1, 0, turn), paint), new Mesh(head, paint));
  for (const part of group.children) part.renderOrder = 40;
  return group;
}
