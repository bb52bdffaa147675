import { Vector3 } from "three";
import type { MotionTrack } from "../motion.js";
import type { Joint, JointEnd, Mechanism } from "../report_data.js";
import { distanceOutside, onFrame, vector } from "./anatomy.js";
import { type Drawing, endTurn, jointFrame } from "./drawing.js";
import { hang } from "./forms.js";
import { mixed } from "./paints.js";
import { box, solidForm } from "./solid_parts.js";
import { travelAlong } from "./travel.js";

const kThickness = 0.3; // in symbol units
const kMargin = 0.1; // of the size of the mechanism

type Axis = 0 | 1 | 2;

/** On which discs roll or points slide, in the axes of a joint's end: a rectangle beneath all ways on its plane. */
export interface Plate {
  end: JointEnd;
  normal: Axis;
  least: Vector3; // corners; 0 along the normal
  most: Vector3;
}

/** One for each plane; none where the body has a shape that is the plate. */
export function platesOf(mechanism: Mechanism, track: MotionTrack): Plate[] {
  const plates: Plate[] = [];
  for (const joint of mechanism.joints) {
    const normal = normalAxis(joint);
    const [end, moving] = joint.ends;
    const shape = mechanism.bodies[end.body]?.shape;
    if (normal === undefined || (shape && distanceOutside(shape, vector(end.at)) < 1e-6 * mechanism.size)) continue;
    let plate = plates.find((other) => isSamePlane(other, end, normal, 1e-6 * mechanism.size));
    if (!plate) plates.push((plate = { end, normal, least: new Vector3().setScalar(Infinity), most: new Vector3().setScalar(-Infinity) }));
    const margin = Math.max(joint.length, kMargin * mechanism.size);
    for (const axis of [0, 1, 2] as const) {
      const [least, most] = axis === plate.normal ? [0, 0] : travelAlong(track, plate.end, moving, axis);
      const room = axis === plate.normal ? 0 : margin;
      plate.least.setComponent(axis, Math.min(plate.least.getComponent(axis), least - room));
      plate.most.setComponent(axis, Math.max(plate.most.getComponent(axis), most + room));
    }
  }
  return plates;
}

/** Which axis of the first end is square to the plane; undefined for joints without one. */
function normalAxis({ kind }: Joint): Axis | undefined {
  return kind === "rolling_disc" ? 0 : kind === "point_on_plane" ? 2 : undefined;
}

function isSamePlane(plate: Plate, end: JointEnd, axis: Axis, tolerance: number): boolean {
  const normal = normalOf(plate.end, plate.normal);
  const height = vector(end.at).sub(vector(plate.end.at)).dot(normal);
  return end.body === plate.end.body && normal.dot(normalOf(end, axis)) > 1 - 1e-9 && Math.abs(height) < tolerance;
}

function normalOf(end: JointEnd, axis: Axis): Vector3 {
  return new Vector3().setComponent(axis, 1).applyQuaternion(endTurn(end));
}

/** In the axes of its body. */
export function cornersOf({ end, least, most }: Plate): Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => onFrame(end, k & 1 ? least.x : most.x, k & 2 ? least.y : most.y, k & 4 ? least.z : most.z));
}

/** Pale: what moves on them is before them. */
export function drawPlates({ bodies, frames, paints, session, unit }: Drawing): void {
  for (const { end, normal, least, most } of bodies.flatMap(({ plates }) => plates)) {
    const middle = least.clone().add(most).divideScalar(2).setComponent(normal, (-kThickness * unit) / 2);
    const form = solidForm([], [box(middle, most.clone().sub(least).setComponent(normal, kThickness * unit))]);
    const colour = () => mixed(session.theme.palette.ground, session.theme.palette.background, 0.8);
    hang(jointFrame(frames.frame(end.body), end), form, paints.lit(colour), paints.stroke(() => session.theme.palette.ground, { width: () => 1 }));
  }
}
