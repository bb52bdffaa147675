import { Vector3 } from "three";
import type { MotionTrack } from "../motion.js";
import type { Coupling, JointEnd, Mechanism } from "../report_data.js";
import { poseMatrix } from "./extent.js";
import { kParallel, place, type Wheel, wheelOutline, wheelsOf } from "./meshes.js";

const kDistance = 0.2; // from the apex to the rim, of the size of the mechanism, where no marker says more
const kSteepest = 0.05; // cosine of the angle of a cone

/** A bevel wheel in the axes of its joint's frame on it, of which z is its axis. Its teeth run towards the apex. */
export interface Bevel {
  joint: number;
  end: JointEnd; // on the wheel
  apex: number; // [m] on the axis
  outline: Vector3[]; // closed: edge of its large face
}

/** What an earlier mesh says of a wheel. */
interface Cone {
  towards: number; // along its axis from the apex: 1 or −1
  distance: number; // [m] from the apex to the rim
  stands: number; // angle of the middle of a tooth, in the frame of the wheel [rad]
}

/** Wheels of gears whose axes meet. Their pitch cones roll on each other: they touch along the line through the apex on which both turn alike. Which of its two
 * halves is meant, and how far it goes, is said by where the wheels and their bodies are. */
export function bevelWheels(mechanism: Mechanism, track: MotionTrack): Bevel[] {
  const drawn: Bevel[] = [];
  const cones = new Map<number, Cone>();
  for (const coupling of mechanism.couplings ?? []) if (coupling.kind === "gear") addPair(mechanism, track, coupling, cones, drawn);
  return drawn;
}

function addPair(mechanism: Mechanism, track: MotionTrack, coupling: Coupling, cones: Map<number, Cone>, drawn: Bevel[]): void {
  const [a, b] = wheelsOf(mechanism, track, coupling);
  const [za, zb] = coupling.numbers;
  const apex = a && b && whereAxesMeet(a, b, kParallel * mechanism.size);
  if (!a || !b || !za || !zb || !apex) return;
  // za ωa + zb ωb = 0 about the axes: the relative rotation is about  zb a + za b.
  const touch = a.axis.clone().multiplyScalar(zb).addScaledVector(b.axis, za).normalize();
  const standing = [a, b].filter(({ joint }) => cones.has(joint));
  const side = (wheel: Wheel) => Math.sign(touch.dot(wheel.axis)) * (cones.get(wheel.joint)?.towards ?? lean(mechanism, track, wheel, apex));
  if ((standing.length > 0 ? standing : [a, b]).reduce((sum, wheel) => sum + side(wheel), 0) < 0) touch.negate();
  const distance = [a, b].map(({ joint }) => cones.get(joint)?.distance).find((known) => known) ?? distanceOf([a, b], apex, touch, kParallel * mechanism.size) ?? kDistance * mechanism.size;
  const [toothA, toothB] = [place(a, za, across(touch, a.axis)), place(b, zb, across(touch, b.axis))];
  if (!toothA || !toothB) return;
  // Where the middle of a tooth of one wheel is off the line by a part of the pitch, so is a gap of the other, to the same side.
  const along = Math.sign(a.axis.clone().cross(touch).dot(b.axis.clone().cross(touch)));
  const [known, other] = cones.has(b.joint) && !cones.has(a.joint) ? [toothB, toothA] : [toothA, toothB];
  const knownStands = cones.get(known.wheel.joint)?.stands ?? known.at;
  const otherStands = cones.get(other.wheel.joint)?.stands ?? other.at + (along * ((knownStands - known.at) / known.pitch) + 0.5) * other.pitch;
  for (const [{ wheel, teeth, radius: sine }, stands] of [[known, knownStands], [other, otherStands]] as const) {
    if (cones.has(wheel.joint)) continue;
    const towards = Math.sign(touch.dot(wheel.axis)) || 1;
    cones.set(wheel.joint, { towards, distance, stands });
    const height = apex.clone().sub(wheel.centre).dot(wheel.axis);
    drawn.push({ joint: wheel.joint, end: wheel.end, apex: height, outline: edge(Math.abs(teeth), sine, distance, towards, stands).map((at) => at.setZ(at.z + height)) });
  }
}

/** Undefined where the lines are parallel, or farther from each other than a tolerance. */
function whereAxesMeet(a: Wheel, b: Wheel, tolerance: number): Vector3 | undefined {
  const normal = a.axis.clone().cross(b.axis);
  const between = b.centre.clone().sub(a.centre);
  if (normal.length() < kParallel || Math.abs(between.dot(normal)) > tolerance * normal.length()) return undefined;
  return a.centre.clone().addScaledVector(a.axis, between.cross(b.axis).dot(normal) / normal.lengthSq());
}

/** The part of a direction that is square to an axis. */
function across(direction: Vector3, axis: Vector3): Vector3 {
  return direction.clone().addScaledVector(axis, -direction.dot(axis));
}

/** How far a wheel's marker and the points of its body are from the apex, along its axis. */
function lean(mechanism: Mechanism, track: MotionTrack, { end, axis }: Wheel, apex: Vector3): number {
  const pose = poseMatrix(track, end.body, track.begin);
  const places = [end, ...(mechanism.bodies?.[end.body]?.points ?? [])];
  return places.reduce((sum, { at }) => sum + new Vector3(...at).applyMatrix4(pose).sub(apex).dot(axis), 0);
}

/** From the apex to the rim of wheels whose markers are in the middle of their rims; undefined where they are at the apex. */
function distanceOf(wheels: readonly Wheel[], apex: Vector3, touch: Vector3, tolerance: number): number | undefined {
  const distances = wheels.map(({ centre, axis }) => centre.clone().sub(apex).dot(axis) / touch.dot(axis)).filter((distance) => distance > tolerance);
  return distances.length > 0 ? Math.min(...distances) : undefined;
}

/** The edge of the large face: the teeth stand square to the pitch cone. */
function edge(teeth: number, sine: number, distance: number, towards: number, stands: number): Vector3[] {
  const cosine = Math.max(kSteepest, Math.sqrt(1 - sine * sine));
  const radius = distance * sine;
  return wheelOutline(teeth, radius, (2 * radius) / teeth, stands, cosine).map(([x, y]) => {
    const height = Math.hypot(x, y) - radius; // of the tooth there
    const r = (radius + height * cosine) / (radius + height);
    return new Vector3(r * x, r * y, towards * (distance * cosine - height * sine));
  });
}
