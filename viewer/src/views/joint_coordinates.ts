import type { MotionTrack } from "../motion.js";
import type { Attachment, Joint, Quaternion, Vec3 } from "../report_data.js";

/** A coordinate of a joint, named as in results: "q", "q1", …; "turned" where results have no name for it. */
export interface JointCoordinate {
  label: string;
  unit: "rad" | "m";
  of(track: MotionTrack, t: number): number;
}

/** Those that a joint has: of its second end against the first. */
export function jointCoordinates(joint: Joint): JointCoordinate[] {
  const make = (label: string, unit: "rad" | "m", measure: (between: Relative) => number): JointCoordinate => ({
    label,
    unit,
    of: (track, t) => measure(relative(joint, track, t)),
  });
  const aboutZ = ({ turn: [w, , , z] }: Relative) => wrapped(2 * Math.atan2(z, w));
  const along = (k: 0 | 1 | 2) => (between: Relative) => between.shift[k];
  switch (joint.kind) {
    case "revolute":
      return [make("q", "rad", aboutZ)];
    case "helical":
      return [make("q", "rad", ({ shift }) => (2 * Math.PI * shift[2]) / joint.length)];
    case "prismatic":
      return [make("q", "m", along(0))];
    case "cylindrical":
      return [make("q1", "rad", aboutZ), make("q2", "m", along(2))];
    case "universal":
      return [make("q1", "rad", ({ turn }) => universalAngles(turn)[0]), make("q2", "rad", ({ turn }) => universalAngles(turn)[1])];
    case "planar":
      return [make("q1", "m", along(0)), make("q2", "m", along(1)), make("q3", "rad", aboutZ)];
    case "slot":
    case "rolling":
      return [make("q1", "m", along(0)), make("q2", "rad", aboutZ)];
    case "circular_slot":
      return [make("q1", "rad", ({ shift: [x, y] }) => Math.atan2(y, x)), make("q2", "rad", aboutZ)];
    case "point_on_line":
      return [make("q", "m", along(0))];
    case "point_on_plane":
      return [make("q1", "m", along(0)), make("q2", "m", along(1))];
    case "linear_actuator":
      return [make("q", "m", ({ shift }) => Math.hypot(...shift))];
    case "spherical":
      return [make("turned", "rad", ({ turn: [w, x, y, z] }) => 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w)))];
    default:
      return [];
  }
}

/** Between two places at t [m]. */
export function distance([a, b]: readonly [Attachment, Attachment], track: MotionTrack, t: number): number {
  const [p, q] = [placeOf(a, track, t), placeOf(b, track, t)];
  return Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
}

/** In the world at t. */
export function placeOf({ body, at }: Attachment, track: MotionTrack, t: number): Vec3 {
  const { position, rotation } = track.pose(body, t);
  const [x, y, z] = turned(rotation, at);
  return [position[0] + x, position[1] + y, position[2] + z];
}

/** The second frame of a joint in the first. */
interface Relative {
  shift: Vec3;
  turn: Quaternion;
}

function relative({ ends: [first, second] }: Joint, track: MotionTrack, t: number): Relative {
  const axes = product(track.pose(first.body, t).rotation, first.axes);
  const others = product(track.pose(second.body, t).rotation, second.axes);
  const [p, q] = [placeOf(first, track, t), placeOf(second, track, t)];
  const back = inverse(axes);
  return { shift: turned(back, [q[0] - p[0], q[1] - p[1], q[2] - p[2]]), turn: product(back, others) };
}

/** A turn about x, then one about the y that it moved. */
function universalAngles([w, x, y, z]: Quaternion): [number, number] {
  return [Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + z * z)), Math.atan2(2 * (x * z + w * y), 1 - 2 * (y * y + z * z))];
}

function product([aw, ax, ay, az]: Quaternion, [bw, bx, by, bz]: Quaternion): Quaternion {
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

function inverse([w, x, y, z]: Quaternion): Quaternion {
  return [w, -x, -y, -z];
}

function turned(rotation: Quaternion, [x, y, z]: Vec3): Vec3 {
  const [, tx, ty, tz] = product(product(rotation, [0, x, y, z]), inverse(rotation));
  return [tx, ty, tz];
}

/** In (−π, π]. */
export function wrapped(angle: number): number {
  const turns = angle / (2 * Math.PI);
  return 2 * Math.PI * (turns - Math.ceil(turns - 0.5));
}
