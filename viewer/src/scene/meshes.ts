import { Matrix4, Quaternion, Vector3 } from "three";
import type { MotionTrack } from "../motion.js";
import type { Coupling, Joint, JointEnd, Mechanism } from "../report_data.js";
import { endTurn } from "./drawing.js";
import { poseMatrix } from "./extent.js";
import type { Point } from "./flat_sketch.js";
import { travelAlong } from "./travel.js";

export const kParallel = 1e-6; // sine of an angle
const kFewest = 4; // teeth that can be drawn …
const kMost = 300; // … and seen
const kTeethOfPinions = 20; // of a pinion, whose file gives no number
const kPressureAngle = (20 * Math.PI) / 180;
const kMargin = 4; // teeth of a rack beyond its way
const kPlay = 0.01; // of the pitch, on each flank: lines do not touch
const kFlank = 4; // parts of a flank

/** A wheel or a rack in the axes of its joint's frame on it: z is the axis of a wheel, x the way of a rack. */
export interface Toothed {
  joint: number;
  end: JointEnd; // on the wheel or rack
  outline: Point[]; // closed
  rim: number; // [m] outer radius of a ring, whose outline is its hole; else 0
  reach: number; // [m] how far it goes from its axis; 0 of a rack
}

/** A wheel in the world when the motion begins. */
export interface Wheel {
  joint: number;
  end: JointEnd;
  centre: Vector3;
  x: Vector3; // of the joint's frame on the wheel
  axis: Vector3;
}

/** What couplings say of wheels on parallel axes and of racks. The first mesh of a wheel says how its teeth stand; where two wheels have theirs already
 * they stay as they are. */
export function toothedParts(mechanism: Mechanism, track: MotionTrack): Toothed[] {
  const drawn: Toothed[] = [];
  const stands = new Map<number, number>(); // by joint: angle of the middle of a tooth, in the frame of the wheel [rad]
  for (const coupling of mechanism.couplings ?? []) {
    if (coupling.kind === "gear") addWheels(mechanism, track, coupling, stands, drawn);
    else if (coupling.kind === "rack_and_pinion") addRack(mechanism, track, coupling, stands, drawn);
  }
  return drawn;
}

function addWheels(mechanism: Mechanism, track: MotionTrack, coupling: Coupling, stands: Map<number, number>, drawn: Toothed[]): void {
  const [a, b] = wheelsOf(mechanism, track, coupling);
  const [za, zb] = coupling.numbers;
  if (!a || !b || !za || !zb || a.axis.clone().cross(b.axis).length() > kParallel) return;
  const way = b.centre.clone().sub(a.centre);
  const across = way.sub(a.axis.clone().multiplyScalar(way.dot(a.axis)));
  if (za + zb === 0 || across.length() === 0) return;
  const toPitch = across.clone().multiplyScalar(za / (za + zb)); // from a
  const fromB = toPitch.clone().sub(across);
  const [toothA, toothB] = [place(a, za, toPitch), place(b, zb, fromB)];
  if (!toothA || !toothB) return;
  // Where the middle of a tooth of one wheel is at the pitch point, a gap of the other is; where it is off by a part of the pitch, so is the gap.
  const turned = Math.sign(a.axis.dot(b.axis)); // angles of both count about their own axes
  const along = a.axis.clone().cross(toPitch).dot(a.axis.clone().cross(fromB)) > 0 ? 1 : -1;
  if (!stands.has(a.joint) && !stands.has(b.joint)) stands.set(a.joint, toothA.at);
  const [known, other] = stands.has(a.joint) ? [toothA, toothB] : [toothB, toothA];
  if (!stands.has(other.wheel.joint)) {
    const off = ((stands.get(known.wheel.joint) ?? 0) - known.at) / known.pitch;
    stands.set(other.wheel.joint, other.at + (turned * along * off + 0.5) * other.pitch);
  }
  for (const { wheel, radius, teeth } of [toothA, toothB]) {
    if (drawn.some(({ joint, end }) => joint === wheel.joint && end === wheel.end)) continue;
    const module = (2 * radius) / Math.abs(teeth);
    const rim = teeth < 0 ? radius + 3 * module : 0;
    const outline = wheelOutline(Math.abs(teeth), radius, module * (teeth < 0 ? -1 : 1), stands.get(wheel.joint) ?? 0);
    drawn.push({ joint: wheel.joint, end: wheel.end, outline, rim, reach: rim || radius + module });
  }
}

/** A wheel of a mesh: where the pitch point is seen from it, in its own frame. */
export function place(wheel: Wheel, teeth: number, toPitch: Vector3) {
  const radius = toPitch.length();
  const count = Math.abs(teeth);
  if (!(radius > 0) || Math.abs(count - Math.round(count)) > 1e-9 || count < kFewest || count > kMost) return undefined;
  const at = Math.atan2(wheel.axis.clone().cross(wheel.x).dot(toPitch), wheel.x.dot(toPitch));
  return { wheel, teeth, radius, at, pitch: (2 * Math.PI) / count };
}

function addRack(mechanism: Mechanism, track: MotionTrack, coupling: Coupling, stands: Map<number, number>, drawn: Toothed[]): void {
  const [pinion] = wheelsOf(mechanism, track, coupling, false);
  const joint = mechanism.joints[coupling.joints[1] ?? -1];
  const radius = Math.abs(coupling.numbers[0] ?? 0);
  if (!pinion || !joint || !(radius > 0)) return;
  const far = farEnd(mechanism.joints[pinion.joint], joint);
  const pose = poseMatrix(track, far.body, track.begin);
  const turn = new Matrix4().extractRotation(pose);
  const x = new Vector3(1, 0, 0).applyQuaternion(endTurn(far)).applyMatrix4(turn);
  if (Math.abs(x.dot(pinion.axis)) > kParallel) return;
  // Flat in the plane of its way that is square to the axis of the pinion.
  const y = pinion.axis.clone().cross(x);
  const up = y.clone().negate();
  const { x: i, y: j, z: k, w } = new Quaternion().setFromRotationMatrix(turn.clone().invert().multiply(new Matrix4().makeBasis(x, y, pinion.axis)));
  const rack: JointEnd = { ...far, axes: [w, i, j, k] };
  const offset = pinion.centre.clone().sub(new Vector3(...rack.at).applyMatrix4(pose));
  // On which side of the pinion the rack lies: where its teeth and the wheel's move the same way.
  const [first, second] = [mechanism.joints[pinion.joint], joint];
  const sense = (first?.ends[1] === pinion.end ? 1 : -1) * (second.ends[1] === far ? 1 : -1) * Math.sign(coupling.numbers[0] ?? 1);
  const toPitch = up.clone().multiplyScalar(radius * sense);
  const tooth = place(pinion, kTeethOfPinions, toPitch);
  if (!tooth) return;
  const module = (2 * radius) / kTeethOfPinions;
  if (!stands.has(pinion.joint)) stands.set(pinion.joint, tooth.at);
  if (!drawn.some(({ joint: one }) => one === pinion.joint))
    drawn.push({
      joint: pinion.joint,
      end: pinion.end,
      outline: wheelOutline(kTeethOfPinions, radius, module, stands.get(pinion.joint) ?? 0),
      rim: 0,
      reach: radius + module,
    });
  // A gap where the pinion has a tooth: as far from the pitch point as it is.
  const off = ((stands.get(pinion.joint) ?? 0) - tooth.at) * radius * Math.sign(pinion.axis.clone().cross(toPitch).dot(x));
  const line = offset.clone().add(toPitch);
  const pitch = Math.PI * module;
  const middle = line.dot(x) + (off % pitch);
  const [least, most] = travelAlong(track, rack, pinion.end, 0);
  const teeth = [middle - least, most - middle].map((way) => kMargin + Math.max(0, Math.ceil(way / pitch))) as [number, number];
  const side = Math.sign(y.dot(toPitch)) || 1; // the pinion is on the other side
  drawn.push({
    joint: coupling.joints[1] ?? -1,
    end: rack,
    outline: rackOutline(middle, line.dot(y), pitch, module, side, teeth),
    rim: 0,
    reach: 0,
  });
}

/** The wheels of a coupling: what its joints hold at the ends that are not on the carrier, which both have. */
export function wheelsOf(mechanism: Mechanism, track: MotionTrack, coupling: Coupling, both = true): (Wheel | undefined)[] {
  const joints = coupling.joints.map((index) => mechanism.joints[index]);
  return (both ? [0, 1] : [0]).map((k) => {
    const [joint, other] = [joints[k], joints[1 - k]];
    if (!joint || !other || (joint.kind !== "revolute" && joint.kind !== "cylindrical")) return undefined;
    const end = farEnd(other, joint);
    const pose = poseMatrix(track, end.body, track.begin);
    const turn = new Matrix4().extractRotation(pose).multiply(new Matrix4().makeRotationFromQuaternion(endTurn(end)));
    const [x, axis] = [new Vector3(), new Vector3()];
    turn.extractBasis(x, new Vector3(), axis);
    return { joint: coupling.joints[k] ?? -1, end, centre: new Vector3(...end.at).applyMatrix4(pose), x, axis };
  });
}

/** The end of `joint` that is not on a body of the other joint; the second where that leaves a choice. */
export function farEnd(other: Joint | undefined, joint: Joint): JointEnd {
  const [first, second] = joint.ends;
  return other?.ends.some(({ body }) => body === second.body) && !other.ends.some(({ body }) => body === first.body) ? first : second;
}

/** Half the thickness of a tooth at radius r, in parts of the pitch: an involute of a pressure angle of 20°, straight within its base circle. */
function halfThickness(teeth: number, radius: number, r: number): number {
  const involute = (cosine: number) => Math.tan(Math.acos(cosine)) - Math.acos(cosine);
  const cosine = Math.cos(kPressureAngle);
  return 0.25 - kPlay + ((involute(cosine) - involute(Math.min(1, (radius * cosine) / r))) * teeth) / (2 * Math.PI);
}

/** Tips a module beyond the pitch circle, roots 1.25 modules within; of a ring, whose module is negative, the other way: its gaps have the form of teeth.
 * `cosine`: of the angle of a bevel wheel's cone; its teeth are those of the larger wheel that the cone square to it becomes, laid flat [Tredgold]. */
export function wheelOutline(teeth: number, radius: number, module: number, stands: number, cosine = 1): Point[] {
  const pitch = (2 * Math.PI) / teeth;
  const [root, tip] = [radius - 1.25 * module, radius + module];
  const thickness = (r: number) => halfThickness(teeth / cosine, radius / cosine, radius / cosine + r - radius);
  const half = (r: number) => (module > 0 ? thickness(r) : 0.5 - 2 * kPlay - thickness(r));
  const flank = Array.from({ length: kFlank + 1 }, (_, k) => root + ((tip - root) * k) / kFlank).map((r) => [r, half(r)] as const);
  return Array.from({ length: teeth }, (_, k) => {
    const middle = stands + k * pitch;
    const at = (r: number, part: number): Point => [r * Math.cos(middle + part * pitch), r * Math.sin(middle + part * pitch)];
    return [...flank.map(([r, part]) => at(r, -part)), ...[...flank].reverse().map(([r, part]) => at(r, part))];
  }).flat();
}

/** Teeth on a bar along x, as many before and after a gap at (x, y) on the pitch line, towards −side. */
function rackOutline(x: number, y: number, pitch: number, module: number, side: number, [before, after]: [number, number]): Point[] {
  const [tip, root, back] = [y - side * module, y + 1.25 * side * module, y + 4 * side * module];
  const half = (height: number) => (0.25 - kPlay) * pitch - height * Math.tan(kPressureAngle);
  const teeth = before + after;
  const begin = x - before * pitch;
  const corners: Point[] = [[begin, back]];
  for (let k = 0; k < teeth; ++k) {
    const middle = begin + (k + 0.5) * pitch;
    corners.push([middle - half(-1.25 * module), root], [middle - half(module), tip], [middle + half(module), tip], [middle + half(-1.25 * module), root]);
  }
  corners.push([begin + teeth * pitch, back]);
  return corners;
}
