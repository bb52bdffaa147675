import { ExtrudeGeometry, Path, Shape as Outline, Vector2, Vector3 } from "three";
import type { Coupling, Joint, JointEnd, Mechanism } from "../report_data.js";
import { vector } from "./anatomy.js";
import { type Drawing, endTurn, jointFrame } from "./drawing.js";
import { arc, circle, FlatSketch, type Point } from "./flat_sketch.js";
import { hang } from "./forms.js";
import { kParallel, type Toothed } from "./meshes.js";
import { mixed } from "./paints.js";
import { solidForm } from "./solid_parts.js";

const kThickness = 0.35; // of a belt, in symbol units
const kWidth = 2; // in space, likewise
const kInPlane = 0.01; // of the distance of the axes: how far pulleys may be beside each other

/** A belt on two pulleys, in the axes of the first joint's frame on the body that carries both. */
export interface Belt {
  carrier: JointEnd;
  other: Point; // centre of the second pulley
  radii: [number, number]; // [m]
  pulleys: [Toothed, Toothed];
}

/** Sums of two turns that go the same way about axes on one body, where the disc of one wheel tells how large it is, and both have room side by side. */
export function beltsOf(mechanism: Mechanism): Belt[] {
  return (mechanism.couplings ?? []).flatMap((coupling) => beltOf(mechanism, coupling) ?? []);
}

function beltOf(mechanism: Mechanism, { kind, joints, numbers }: Coupling): Belt | undefined {
  const [ja = -1, jb = -1] = joints;
  const [a, b] = [mechanism.joints[ja], mechanism.joints[jb]];
  const [ca = 0, cb = 0] = numbers; // c_a q_a + c_b q_b = 0, with radii as c_a : c_b
  if (kind !== "sum" || joints.length !== 2 || a?.kind !== "revolute" || b?.kind !== "revolute" || ca === 0 || cb === 0) return undefined;
  const near = a.ends.find(({ body }) => b.ends.some((end) => end.body === body));
  const besideIt = b.ends.find(({ body }) => body === near?.body);
  if (!near || !besideIt) return undefined;
  const [za, zb] = [near, besideIt].map((end) => new Vector3(0, 0, 1).applyQuaternion(endTurn(end))) as [Vector3, Vector3];
  const way = vector(besideIt.at).sub(vector(near.at)).applyQuaternion(endTurn(near).invert());
  const distance = Math.hypot(way.x, way.y);
  const sense = Math.sign(za.dot(zb)) * (near === a.ends[0] ? 1 : -1) * (besideIt === b.ends[0] ? 1 : -1);
  if (za.clone().cross(zb).length() > kParallel || Math.abs(way.z) > kInPlane * distance || ca * cb * sense > 0) return undefined;
  const [wheelA, wheelB] = [otherEnd(a, near), otherEnd(b, besideIt)];
  const told = [discAt(mechanism, wheelA) / Math.abs(ca), discAt(mechanism, wheelB) / Math.abs(cb)];
  const scale = told.find((one) => one > 0 && one * (Math.abs(ca) + Math.abs(cb)) < distance);
  if (scale === undefined) return undefined;
  const radii: [number, number] = [scale * Math.abs(ca), scale * Math.abs(cb)];
  return { carrier: near, other: [way.x, way.y], radii, pulleys: [pulley(ja, wheelA, radii[0]), pulley(jb, wheelB, radii[1])] };
}

function otherEnd({ ends }: Joint, end: JointEnd): JointEnd {
  return end === ends[0] ? ends[1] : ends[0];
}

/** Radius of the disc or cylinder that the body is about this axis; 0 where it is none. */
function discAt({ bodies, size }: Mechanism, end: JointEnd): number {
  const shape = bodies[end.body]?.shape;
  if (shape?.kind !== "disc" && shape?.kind !== "cylinder") return 0;
  const axis = new Vector3(0, 0, 1).applyQuaternion(endTurn(end));
  const off = vector(shape.centre).sub(vector(end.at));
  return axis.cross(vector(shape.axis).normalize()).length() < kParallel && off.cross(vector(shape.axis)).length() < 1e-6 * size ? shape.radius : 0;
}

function pulley(joint: number, end: JointEnd, radius: number): Toothed {
  return { joint, end, outline: circle([0, 0], radius, 72), rim: 0, reach: radius };
}

/** Round both pulleys, this far from them: straight between tangent points, at the angle whose cosine is (r_a − r_b)/distance from the line of centres. */
export function loopOf({ other, radii }: Belt, off: number): Point[] {
  const along = Math.atan2(other[1], other[0]);
  const touch = Math.acos((radii[0] - radii[1]) / Math.hypot(...other));
  return [...arc([0, 0], radii[0] + off, along + touch, along + 2 * Math.PI - touch, 48), ...arc([...other], radii[1] + off, along - touch, along + touch, 48)];
}

export function drawBelts({ mechanism, frames, levels, paints, session, unit }: Drawing, belts: readonly Belt[]): void {
  const colour = () => mixed(session.theme.palette.ink, session.theme.palette.background, 0.25);
  for (const belt of belts) {
    const [outer, inner] = [loopOf(belt, kThickness * unit), loopOf(belt, 0)];
    const frame = jointFrame(frames.frame(belt.carrier.body), belt.carrier);
    const stroke = paints.stroke(colour, { width: () => 1 });
    if (mechanism.planar) {
      hang(frame, new FlatSketch(levels.supports, levels.step).plate(outer, inner).form(), paints.flat(colour), stroke);
      continue;
    }
    const shape = new Outline(outer.map(([x, y]) => new Vector2(x, y)));
    shape.holes.push(new Path(inner.map(([x, y]) => new Vector2(x, y))));
    const band = new ExtrudeGeometry(shape, { depth: kWidth * unit, bevelEnabled: false }).translate(0, 0, (-kWidth * unit) / 2);
    hang(frame, solidForm([band]), paints.lit(colour), stroke);
  }
}
