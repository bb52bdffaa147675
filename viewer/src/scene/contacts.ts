import { CircleGeometry, Group, Mesh, type Material, RingGeometry, Vector3 } from "three";
import { unpack } from "../numbers.js";
import type { Contact, Tyre, Vec3 } from "../report_data.js";
import { arrowSizes } from "./arrow_scale.js";
import type { Drawing, Follower } from "./drawing.js";
import type { RoadHeights } from "./road_heights.js";
import { arrowPaint, haloPaint, StraightArrow } from "./straight_arrow.js";

const kZ = new Vector3(0, 0, 1);
const kMeanLength = 0.25; // of the vehicle's breadth, for the mean load
const kLeast = 1e-3; // of the mean load: what is less is not seen
const kReach = 0.8; // of a contact patch, of the tyre's width

type ContactPaints = Record<"load" | "along" | "fill" | "edge" | "hidden" | "halo", Material>;
type Columns = [Float64Array, Float64Array, Float64Array];

interface Drawn {
  name: string;
  point: Columns;
  load: Columns;
  along: Columns;
  patch: Group;
  filled: Mesh; // seen while the tyre carries something
  loadArrow: StraightArrow;
  alongArrow: StraightArrow;
}

/** A contact as it stands in the picture, world axes [m], [N]. */
export interface DrawnContact {
  name: string;
  point: Vec3;
  carries: boolean;
  load: Vec3;
  along: Vec3;
}

/** Where tyres meet the road: a disc on it, filled while the tyre carries something, and what the road does to the tyre as two arrows, the
 * load across the road and the force along it, F_x and F_y together, both in the same scale: the mean load of a tyre over the motion, which is the
 * static one but for short motions, is a quarter of the vehicle's breadth long. */
export class Contacts implements Follower {
  readonly root = new Group();
  /** Largest load and force along the road of a tyre over the motion, and its mean load [N]. */
  readonly largest: { load: number; along: number };
  readonly meanLoad: number;
  /** How much longer than usual arrows are. */
  stretch = 1;
  readonly #drawn: Drawn[] = [];
  readonly #point = new Vector3();
  readonly #vector = new Vector3();

  constructor(
    private readonly drawing: Drawing,
    contacts: readonly Contact[],
    private readonly road: RoadHeights | undefined,
  ) {
    const load = arrowPaint(drawing, () => loadColour(drawing));
    const along = arrowPaint(drawing, () => alongColour(drawing));
    const { paints, session } = drawing;
    const fill = paints.flat(() => contactColour(drawing), { opacity: 0.55 });
    const edge = paints.flat(() => (session.theme.name === "dark" ? "#ffffff" : session.theme.palette.ink), { opacity: 0.8 });
    const hidden = paints.flat(() => contactColour(drawing), { opacity: 0.28 });
    hidden.depthTest = false; // behind what stands before it
    const halo = haloPaint(drawing);
    const { tyres = [] } = drawing.mechanism;
    contacts.forEach((contact, k) => {
      const tyre = tyres[k];
      if (tyre) this.#add(contact, tyre, { load, along, fill, edge, hidden, halo });
    });
    this.largest = { load: largestOf(this.#drawn.map((one) => one.load)), along: largestOf(this.#drawn.map((one) => one.along)) };
    const loads = this.#drawn.flatMap(({ load: [x, y, z] }) => Array.from(x, (_, frame) => Math.hypot(x[frame] ?? 0, y[frame] ?? 0, z[frame] ?? 0)));
    this.meanLoad = loads.reduce((sum, one) => sum + one, 0) / Math.max(1, loads.length);
  }

  get count(): number {
    return this.#drawn.length;
  }

  follow(t: number): void {
    if (!this.root.visible) return;
    const { before, after, part } = this.drawing.frames.track.place(t);
    const told = (columns: Columns, out: Vector3) => {
      columns.forEach((column, k) => out.setComponent(k, (column[before] ?? 0) * (1 - part) + (column[after] ?? 0) * part));
      return out;
    };
    for (const drawn of this.#drawn) {
      told(drawn.point, this.#point);
      drawn.patch.position.copy(this.#point);
      drawn.filled.visible = this.#showArrow(drawn.loadArrow, told(drawn.load, this.#vector));
      drawn.patch.quaternion.setFromUnitVectors(kZ, drawn.filled.visible ? this.#vector : this.#normal());
      this.#showArrow(drawn.alongArrow, told(drawn.along, this.#vector));
    }
  }

  /** Read back from what is drawn, not from the data. */
  drawnContacts(): DrawnContact[] {
    if (!this.root.visible) return [];
    const vectorOf = (arrow: StraightArrow): Vec3 => {
      if (!arrow.group.visible) return [0, 0, 0];
      return arrow.direction.multiplyScalar(arrow.length / this.#metresPerNewton).toArray();
    };
    return this.#drawn.map(({ name, patch, filled, loadArrow, alongArrow }) => ({
      name,
      point: patch.position.toArray(),
      carries: filled.visible,
      load: vectorOf(loadArrow),
      along: vectorOf(alongArrow),
    }));
  }

  #add(contact: Contact, tyre: Tyre, paint: ContactPaints): void {
    const columns = (numbers: Contact["point"]): Columns => [unpack(numbers[0]), unpack(numbers[1]), unpack(numbers[2])];
    const reach = kReach * tyre.width;
    const patch = new Group();
    const filled = new Mesh(new CircleGeometry(reach, 32), paint.fill);
    const ring = new RingGeometry(0.92 * reach, reach, 48);
    patch.add(filled, new Mesh(ring, paint.edge), new Mesh(ring, paint.hidden));
    for (const part of patch.children) {
      part.position.z = 0.004 * tyre.radius; // upon the road
      part.renderOrder = 5;
    }
    const loadArrow = new StraightArrow(this.drawing.unit, paint.load, 1, paint.halo);
    const alongArrow = new StraightArrow(this.drawing.unit, paint.along, 1, paint.halo);
    this.root.add(patch, loadArrow.group, alongArrow.group);
    const [point, load, along] = [columns(contact.point), columns(contact.load), columns(contact.along)];
    this.#drawn.push({ name: contact.name, point, load, along, patch, filled, loadArrow, alongArrow });
  }
  /** Where there is something to be seen; the vector is of unit length then. */
  #showArrow(arrow: StraightArrow, vector: Vector3): boolean {
    const size = vector.length();
    arrow.group.visible = size > kLeast * this.meanLoad;
    if (arrow.group.visible) arrow.show(this.#point, vector.divideScalar(size), size * this.#metresPerNewton);
    return arrow.group.visible;
  }
  get #metresPerNewton(): number {
    return (this.stretch * kMeanLength * this.drawing.extent.breadth) / (this.meanLoad || 1);
  }
  /** Of the road where #point is. */
  #normal(): Vector3 {
    const { x, y } = this.#point;
    const d = 0.05;
    const slope = (dx: number, dy: number) => (this.road ? (this.road.at(x + dx, y + dy) - this.road.at(x - dx, y - dy)) / (2 * d) : 0);
    return this.#vector.set(-slope(d, 0), -slope(0, d), 1).normalize();
  }
}

function largestOf(columns: readonly Columns[]): number {
  return arrowSizes(columns).largest;
}

/** Ink: it stands out from bodies of any colour. */
export function loadColour({ session }: Drawing): string {
  return session.theme.palette.ink;
}
/** Of the disc below a tyre that carries something. */
export function contactColour({ session }: Drawing): string {
  return session.theme.name === "dark" ? "#4dabf7" : "#228be6";
}
export function alongColour({ session }: Drawing): string {
  return session.theme.name === "dark" ? "#ffa94d" : "#e8590c";
}
