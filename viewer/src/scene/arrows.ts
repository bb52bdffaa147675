import { ConeGeometry, CylinderGeometry, FrontSide, Group, Mesh, type Material, RingGeometry, Vector3 } from "three";
import { unpack } from "../numbers.js";
import type { Arrow, Vec3 } from "../report_data.js";
import { type ArrowSizes, arrowSizes } from "./arrow_scale.js";
import type { Drawing, Follower } from "./drawing.js";

const kLongest = 0.35; // of the breadth of what is drawn, for what is rarely exceeded
const kRing = 5; // radius of the ring of a torque on paper, in radii of a pin
const kX = new Vector3(1, 0, 0);

type ArrowKind = Arrow["kind"];

interface Drawn {
  arrow: Arrow;
  columns: [Float64Array, Float64Array, Float64Array];
  group: Group;
  shaft: Mesh | undefined; // stretched; none for torques on paper
  heads: Mesh[];
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
      .map(({ arrow, group, shaft, heads }) => {
        const unit = this.#unitOf(arrow);
        const { x, y, z } = group.position;
        const vector = new Vector3();
        const length = shaft ? (heads[0]?.position.x ?? 0) : kRing * this.drawing.unit * group.scale.x;
        if (shaft) {
          const part = length / (kLongest * this.drawing.extent.breadth);
          vector.copy(kX).applyQuaternion(group.quaternion).multiplyScalar(part * unit);
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
    const group = new Group();
    const ring = arrow.kind === "torque" && this.drawing.mechanism.planar;
    const bar = new CylinderGeometry(0.3 * u, 0.3 * u, 1, 10).rotateZ(-Math.PI / 2).translate(0.5, 0, 0);
    const shaft = ring ? undefined : new Mesh(bar, paint);
    const heads = ring ? ringArrow(u, paint) : [0, ...(arrow.kind === "torque" ? [-1.6 * u] : [])].map((back) => headAt(back, u, paint));
    if (shaft) group.add(shaft);
    group.add(...heads);
    for (const part of group.children) part.renderOrder = 40;
    this.root.add(group);
    this.#drawn.push({ arrow, columns, group, shaft, heads });
  }

  #show({ arrow, group, shaft, heads }: Drawn): void {
    const { drawing } = this;
    const unit = this.#unitOf(arrow);
    const size = this.#vector.length();
    const part = unit > 0 ? size / unit : 0;
    group.visible = Number.isFinite(part) && part > 1e-3;
    if (!group.visible) return;
    drawing.frames.world(arrow.place, this.#place);
    group.position.copy(this.#place);
    group.position.z += drawing.levels.arrows;
    if (!shaft) {
      const scale = ringScale(part);
      group.scale.set(scale, this.#vector.z < 0 ? -scale : scale, 1);
      return;
    }
    this.#vector.divideScalar(size);
    if (drawing.mechanism.planar) group.rotation.z = Math.atan2(this.#vector.y, this.#vector.x);
    else group.quaternion.setFromUnitVectors(kX, this.#vector);
    const length = part * kLongest * drawing.extent.breadth;
    const head = Math.min(1, length / (4 * drawing.unit)); // small arrows are small as a whole
    shaft.scale.set(Math.max(1e-9, length - 2 * drawing.unit * head), head, head);
    for (const mesh of heads) {
      mesh.position.x = length;
      mesh.scale.setScalar(head);
    }
  }
}

/** Forces act inside of bodies: in space they are seen through them. */
function arrowPaint({ mechanism, paints }: Drawing, colour: () => string): Material {
  if (mechanism.planar) return paints.flat(colour);
  const paint = paints.lit(colour);
  paint.depthTest = false;
  paint.side = FrontSide;
  return paint;
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

/** A head whose tip is at x = 0. */
function headAt(back: number, u: number, paint: Material): Mesh {
  return new Mesh(new ConeGeometry(0.85 * u, 2.2 * u, 16).rotateZ(-Math.PI / 2).translate(back - 1.1 * u, 0, 0), paint);
}

/** On paper a torque turns counter-clockwise about its place; mirrored it turns the other way. */
function ringArrow(u: number, paint: Material): Mesh[] {
  const radius = kRing * u;
  const turn = 1.5 * Math.PI;
  const head = new ConeGeometry(0.9 * u, 2.2 * u, 3).translate(radius, 0.6 * u, 0).rotateZ(turn);
  return [new Mesh(new RingGeometry(radius - 0.25 * u, radius + 0.25 * u, 48, 1, 0, turn), paint), new Mesh(head, paint)];
}
