import { type Group, Vector3 } from "three";
import type { Attachment, Joint, JointEnd, Stop } from "../report_data.js";
import { type Drawing, endTurn, jointFrame, railAndBlock, towardsBody } from "./drawing.js";
import { FlatSketch, hatch, type Point } from "./flat_sketch.js";
import { hang } from "./forms.js";
import { box, solidForm } from "./solid_parts.js";
import { reachBeyond } from "./stop_reach.js";
import { travelAlong } from "./travel.js";

const kAround = 0.22; // of the size of the motion: how far the face of a stop reaches beyond the way of its point
const kWorld: JointEnd = { body: 0, at: [0, 0, 0], axes: [1, 0, 0, 0] };
type Side = -1 | 1; // of the coordinate: below the lower limit, above the upper

export interface DrawnStop {
  name: string;
  place: Attachment; // where its name stands
}

/** Where something is stopped: faces that points cannot pass, ends of rails, limits of hinges. They stand where the drawn body touches
 * them, not in its middle. */
export function drawStops(drawing: Drawing): DrawnStop[] {
  const drawn: DrawnStop[] = [];
  for (const stop of drawing.mechanism.stops ?? []) {
    const joint = stop.joint === undefined ? undefined : drawing.mechanism.joints[stop.joint];
    for (const [side, limit] of limits(stop)) {
      const place = joint ? drawInJoint(drawing, joint, side, limit) : drawFace(drawing, stop, side, limit);
      if (place) drawn.push({ name: stop.name, place });
    }
  }
  return drawn;
}

function limits({ lower, upper }: Stop): [Side, number][] {
  const both: [Side, number | undefined][] = [[-1, lower], [1, upper]];
  return both.filter((one): one is [Side, number] => one[1] !== undefined && Number.isFinite(one[1]));
}

/** A hatched line on paper, a translucent plate in space, across the way of the point. */
function drawFace(drawing: Drawing, stop: Stop, side: Side, limit: number): Attachment | undefined {
  const { place, axis } = stop;
  if (!place || !axis) return undefined;
  const { frames, extent, unit, levels, mechanism } = drawing;
  const normal = new Vector3(...axis).normalize();
  const along = ([0, 1, 2] as const).reduce((best, k) => (Math.abs(axis[k]) > Math.abs(axis[best]) ? k : best));
  const [least, most] = [new Vector3(), new Vector3()];
  for (const k of [0, 1, 2] as const) {
    const [from, to] = travelAlong(frames.track, kWorld, place, k);
    least.setComponent(k, from - kAround * extent.size);
    most.setComponent(k, to + kAround * extent.size);
  }
  const at = limit + side * reachBeyond(drawing, place, normal.clone().multiplyScalar(side));
  for (const corner of [least, most]) corner.setComponent(along, at);
  if (isLost(drawing, [least, most])) return undefined;
  if (mechanism.planar) {
    const [from, to]: [Point, Point] = along === 1 ? [[least.x, at], [most.x, at]] : [[at, most.y], [at, least.y]];
    const sketch = new FlatSketch(levels.supports, levels.step);
    hatch(sketch, from, to, unit, side);
    hangOnGround(drawing, frames.frame(0), sketch);
    return { body: 0, at: [to[0] - (along === 1 ? 3 * unit : 0), to[1] + (along === 0 ? 3 * unit : 0), 0] };
  }
  const size = most.clone().sub(least).setComponent(along, 0.4 * unit);
  const centre = least.clone().add(most).divideScalar(2).setComponent(along, at + 0.2 * side * unit);
  hangPlate(drawing, frames.frame(0), centre, size);
  return { body: 0, at: [most.x, least.y, most.z] };
}

/** Takes a stop into view, unless it is so far away that nobody misses it. */
function isLost({ extent }: Drawing, corners: readonly Vector3[]): boolean {
  const room = extent.box.clone().expandByScalar(0.5 * extent.size);
  if (!corners.every((corner) => room.containsPoint(corner))) return true;
  for (const corner of corners) {
    extent.points.push(corner.clone());
    extent.box.expandByPoint(corner);
  }
  return false;
}

function drawInJoint(drawing: Drawing, joint: Joint, side: Side, limit: number): Attachment | undefined {
  const [fixed, moving] = railAndBlock(joint);
  const sign = fixed === joint.ends[0] ? 1 : -1; // seen from the second body the first goes the other way
  const outward = (sign * side) as Side;
  if (joint.kind === "prismatic") return drawEndOfRail(drawing, fixed, moving, outward, sign * limit);
  if (joint.kind === "revolute") return drawEndOfTurn(drawing, fixed, moving, outward, sign * limit);
  return undefined;
}

function drawEndOfRail(drawing: Drawing, rail: JointEnd, block: JointEnd, outward: Side, limit: number): Attachment | undefined {
  const { frames, unit, levels, mechanism } = drawing;
  const world = (axis: 0 | 1 | 2, sign: number) =>
    new Vector3().setComponent(axis, sign).applyQuaternion(endTurn(rail)).applyQuaternion(frames.frame(rail.body).quaternion);
  const x = limit + outward * Math.max((mechanism.planar ? 3 : 2) * unit, reachBeyond(drawing, block, world(0, outward)));
  const across = ([1, 2] as const).map((k) => Math.max(3.2 * unit, unit + reachBeyond(drawing, block, world(k, 1))));
  const [y = unit, z = unit] = across;
  const tip = new Vector3(x, -y, 0).applyQuaternion(endTurn(rail)).add(new Vector3(...rail.at));
  if (isLost(drawing, [tip.clone().applyMatrix4(frames.frame(rail.body).matrixWorld)])) return undefined;
  const frame = jointFrame(frames.frame(rail.body), rail);
  if (mechanism.planar) {
    const sketch = new FlatSketch(levels.joints, levels.step);
    hatch(sketch, [x, -y], [x, y], unit, -outward);
    hangOnGround(drawing, frame, sketch);
  } else hangPlate(drawing, frame, new Vector3(x + 0.3 * outward * unit, 0, 0), new Vector3(0.6 * unit, 2 * y, 2 * z));
  return { body: rail.body, at: [tip.x, tip.y, tip.z] };
}

/** A short hatched line from the pin that the edge of the bar comes to lie on. */
function drawEndOfTurn(drawing: Drawing, fixed: JointEnd, moving: JointEnd, outward: Side, limit: number): Attachment {
  const { frames, unit, levels, mechanism, bodies } = drawing;
  const bar = towardsBody(bodies, moving).applyQuaternion(endTurn(moving).invert());
  const angle = limit + (Math.hypot(bar.x, bar.y) > 1e-6 ? Math.atan2(bar.y, bar.x) : 0);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const aside = outward * 1.3 * unit;
  const at = (r: number): Point => [r * c - aside * s, r * s + aside * c];
  const sketch = new FlatSketch(mechanism.planar ? levels.supports : 0, levels.step);
  hatch(sketch, at(1.6 * unit), at(7 * unit), unit, outward);
  hangOnGround(drawing, jointFrame(frames.frame(fixed.body), fixed), sketch);
  const tip = new Vector3(...at(7 * unit), 0).applyQuaternion(endTurn(fixed));
  return { body: fixed.body, at: [tip.x + fixed.at[0], tip.y + fixed.at[1], tip.z + fixed.at[2]] };
}

function hangOnGround({ paints, session }: Drawing, frame: Group, sketch: FlatSketch): void {
  const colour = () => session.theme.palette.ground;
  hang(frame, sketch.form(), paints.flat(colour), paints.stroke(colour, { width: () => 2 }));
}

function hangPlate({ paints, session }: Drawing, frame: Group, centre: Vector3, size: Vector3): void {
  const colour = () => session.theme.palette.ground;
  hang(frame, solidForm([], [box(centre, size)]), paints.lit(colour, { opacity: 0.35 }), paints.stroke(colour, { width: () => 1.4 }), 10);
}
