// What a report holds, as the program writes it (eslabon/report/data/report_json.cpp) and the page reads it. The one seam between the two:
// a change here is a change there. SI units, world axes, bodies counted with the ground as 0.

/** Numbers, packed; see numbers.ts. */
export type Numbers =
  | { f64: string } // base64, little endian
  | { f32: string }
  | { u16: string; least: number; step: number } // least + step · code
  | { u8: string; least: number; step: number }
  | { from: number; step: number; count: number } // evenly spaced
  | { same: number; count: number } // one value throughout
  | number[];

export type Vec3 = [number, number, number];
/** w, x, y, z. */
export type Quaternion = [number, number, number, number];

export interface Report {
  format: 1;
  title: string;
  subtitle: string; // "simulated by null-space, rk4; 8 s"
  made_by: string; // "eslabon 0.9.0"
  facts: Fact[]; // what one wants to know first
  notes: string[]; // sentences: what was thinned, what went wrong on the way
  mechanism?: Mechanism;
  recordings: Recording[]; // the first with a motion is drawn solid, the others as ghosts
  clouds: Cloud[];
  road?: Road; // where there are tyres, about all places where they come to
  cones?: Cone[]; // on the road
  structure?: Structure;
  charts: Chart[]; // studies, step times
  tables: Table[];
}

export interface Fact {
  label: string;
  value: string;
}

// ---------------------------------------------------------------- the mechanism as it was described

export interface Mechanism {
  name: string;
  description: string;
  source: string;
  planar: boolean;
  gravity: Vec3;
  size: number; // [m] a typical length of it: symbols are scaled by it
  bodies: Body[]; // the ground first
  joints: Joint[];
  couplings?: Coupling[];
  springs: Spring[];
  sensors: Sensor[];
  drivers: Driver[];
  loads: Load[];
  stops?: Stop[];
  traces: Attachment[]; // points whose path is drawn from the beginning
  tyres?: Tyre[];
}

export interface Body {
  name: string;
  mass: number; // [kg]
  centre: Vec3; // of mass, body axes [m]
  points: { name: string; at: Vec3 }[];
  origin?: Vec3; // from the user's origin of the body to that of all positions here [m]; of the ground: of the world
  shape?: Shape;
  visuals?: Shape[]; // drawn beside it, seen through
  curves?: Curve[];
}

/** A smooth line on a body, body axes; solid: in the plane, the edge of something that is touched from outside. */
export interface Curve {
  name: string;
  line: Vec3[];
  closed: boolean;
  solid: boolean;
}

/** Body axes. */
export type Shape =
  | { kind: "bar"; from: Vec3; to: Vec3 }
  | { kind: "disc"; radius: number; centre: Vec3; axis: Vec3 }
  | { kind: "box"; size: Vec3; centre: Vec3 } // planar: the depth, size[2], is 0
  | { kind: "cylinder"; radius: number; length: number; centre: Vec3; axis: Vec3 }
  | { kind: "sphere"; radius: number; centre: Vec3 };

export type JointKind =
  | "revolute"
  | "prismatic"
  | "cylindrical"
  | "helical"
  | "universal"
  | "spherical"
  | "planar"
  | "fixed"
  | "free"
  | "rod"
  | "slot"
  | "circular_slot"
  | "rolling"
  | "rolling_disc"
  | "point_on_line"
  | "point_on_plane"
  | "linear_actuator"
  | "translation"
  | "point_on_curve"
  | "curve_on_line"
  | "curve_on_curve";

/** A place on a body, body axes. */
export interface Attachment {
  body: number;
  at: Vec3;
  name?: string; // of the point
}

/** Revolute, cylindrical, planar: z of the frames is the axis or normal; prismatic: x is the line; universal: x of the first frame, y of
 * the second are its axes; rod: a bar between the two places; linear actuator: what grows between them;
 * slot, point on a line: x of the first is the line; circular slot: about the first; rolling: the first is at the centre's start, the line
 * a radius below its x; point on a plane: z of the first is its normal; rolling disc: x of the first is the normal of the plane, y of the second the axis
 * of the disc; point on a curve: the first is at the curve's first point, with the
 * axes of its body; curve on a line: x of the first is the face, the second is at the curve's first point. */
export interface Joint {
  name: string;
  kind: JointKind;
  ends: [JointEnd, JointEnd];
  length: number; // rods; radius of circular slots, rolling, rolling discs and rollers on curves; lead of helical joints [m], else 0
  mass: number; // rods [kg], else 0
  rolling?: Rolling; // of a circular slot that the centre of a rolling circle moves in
}
/** A circle on the second body that rolls on one on the first: on its outside, or inside of it where the base has a minus. */
export interface Rolling {
  radius: number; // [m]
  base: number; // [m]
}
export interface JointEnd extends Attachment {
  axes: Quaternion; // of the joint's frame in the body
  curve?: boolean; // a curve of the body, not a place on it
}

/** Of joint coordinates: gears, racks, screws, sums. */
export interface Coupling {
  name: string;
  kind: "gear" | "rack_and_pinion" | "screw" | "sum";
  joints: number[];
  numbers: number[]; // teeth of both wheels, of a ring with a minus; radius of a pinion; lead; factors
}

/** Also dampers (coils: false). Between two places, or in a coordinate of a joint. */
export interface Spring {
  name: string;
  coils: boolean; // has stiffness: drawn as a spring
  damping: boolean; // has damping: drawn with a dashpot
  ends?: [Attachment, Attachment];
  joint?: number; // instead of ends
}

export interface Sensor {
  name: string;
  kind: string; // "gyroscope", "imu", …
  place?: Attachment; // on a body …
  axes?: Quaternion; // … with these axes in it, where they matter
  second?: Attachment; // of two points: a distance
  joint?: number; // or in a joint
}

export interface Driver {
  name: string;
  joint?: number; // none: it drives another variable
  target: string; // "A.q"
}

export interface Load {
  name: string;
  kind: "force" | "torque" | "effort";
  place?: Attachment;
  joint?: number;
}

/** Limits of the first coordinate of a joint, or of a coordinate of a point. */
export interface Stop {
  name: string;
  joint?: number;
  place?: Attachment; // instead of a joint …
  axis?: Vec3; // … with the world axis x, y or z along which it is stopped
  lower?: number; // [m], [rad] at the beginning; absent: none
  upper?: number;
}

export interface Tyre {
  name: string;
  place: Attachment; // the centre, on the wheel
  axis: Vec3; // of the wheel, body axes, unit
  radius: number; // free [m]
  width: number; // [m]
}

/** What tyres stand on: heights over a plane, at a grid with lines where they are needed; linear between. World axes. */
export interface Road {
  x: Numbers; // (nx) increasing [m]
  y: Numbers; // (ny)
  height: Numbers; // (nx × ny) over the plane, y fastest [m]
  plane: Vec3; // z at x = y = 0 [m], ∂z/∂x, ∂z/∂y
  friction: number; // factor of that of the tyres
  right?: { friction: number; below: number }; // where it is another for y below that [m]
}

/** A cone that stands on the road, from the user's origin. */
export interface Cone {
  name: string;
  at: Vec3; // the middle of its base [m]
  radius: number; // [m]
  height: number; // [m]
  hit?: boolean; // a vehicle touched it
}

// ---------------------------------------------------------------- what moved, was read, was estimated

export interface Recording {
  name: string; // "truth", "dekf", …
  role: "motion" | "truth" | "estimate" | "readings";
  times: Numbers; // (rows) [s]
  channels: Channel[];
  motion?: Motion; // none: the result does not tell where the bodies are
  arrows: Arrow[]; // on demand; only beside a motion
  contacts?: Contact[]; // (tyres); only beside a motion
  marks: Mark[];
}

export interface Channel {
  name: string; // "crank.angle"
  unit: string; // "rad"; "" for a pure number, shown as [1]
  values: Numbers; // (rows)
  sigma?: Numbers; // (rows) standard deviation, same unit
  times?: Numbers; // where it has instants of its own: readings of one sensor
}

/** Where bodies are. Seven columns per moving body, in order x, y, z [m], w, x, y, z of the quaternion. */
export interface Motion {
  times: Numbers; // (frames) [s], increasing
  poses: Numbers[]; // (7 × moving bodies), each (frames)
}

/** A force or torque over the frames of a motion, world axes. */
export interface Arrow {
  name: string; // of the joint, load or spring
  kind: "reaction" | "force" | "torque";
  place: Attachment;
  vector: [Numbers, Numbers, Numbers]; // (frames) [N] or [N m]
}

/** Where a tyre meets the road over the frames of a motion, and what the road does to it there; world axes. */
export interface Contact {
  name: string; // of the tyre
  point: [Numbers, Numbers, Numbers]; // (frames) on the road below the wheel, of one in the air too [m]
  load: [Numbers, Numbers, Numbers]; // (frames) across the road; 0 in the air [N]
  along: [Numbers, Numbers, Numbers]; // (frames) in the road [N]
}

export interface Mark {
  t: number; // [s]
  kind: "rejected" | "resampled" | "event" | "restart";
  text: string;
  channel?: string; // name of the reading that was refused
}

/** All particles of a filter at some instants. Columns run over the particles of the first instant, then of the second, … */
export interface Cloud {
  name: string; // of its filter's recording
  times: Numbers; // (instants) [s]
  counts: Numbers; // (instants) particles there
  weights: Numbers; // (all) largest of each instant is 1
  poses: Numbers[]; // as in Motion, each (all)
}

// ---------------------------------------------------------------- what it is made of

export interface Structure {
  facts: Fact[]; // mobility, loops, rank, …
  groups: Group[]; // in solving order
  group_of_body: number[]; // (bodies) −1: ground
  edges: Edge[]; // of the structural graph; nodes are bodies
  redundant: string[]; // "B: fz" and what it repeats, a sentence each
  idle: string[];
  branches: string[]; // names of those found, the one shown first
}

export interface Group {
  type: string; // "2C3E1R"
  assur: string; // "dyad RRR"; "" when it has no classic name
  bodies: number[];
  joints: number[];
  inputs: string[]; // names of the input coordinates it has
  needs: number[]; // groups before it; −1: the ground
  unknowns: string; // "3 coordinates of 2 bodies"
  branch: string; // how it is assembled: "open", "+"; "" where there is nothing to choose
}

export interface Edge {
  joint: number;
  bodies: [number, number];
  freedoms: number; // lines in the graph
  inputs: number; // thick ones among them
  to?: number; // the body whose group takes the joint with it: an arrow
}

// ---------------------------------------------------------------- everything else that is drawn or listed

export interface Chart {
  title: string;
  kind: "lines" | "bars"; // bars: x are edges, one more than y
  x: Axis;
  y: Axis;
  series: Series[];
}
export interface Axis {
  label: string;
  unit: string; // "" for a pure number, shown as [1]
  log: boolean;
}
export interface Series {
  name: string;
  x: number[];
  y: number[];
  low?: number[]; // a band, or bars of error
  high?: number[];
}

export interface Table {
  title: string;
  columns: { label: string; unit: string }[];
  rows: string[][];
}
