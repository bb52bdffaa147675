import { type BufferGeometry, Group, SphereGeometry, TorusGeometry, Vector3 } from "three";
import type { Joint, JointEnd } from "../report_data.js";
import { distanceOutside, perpendiculars } from "./anatomy.js";
import { type Drawing, endTurn, inkOf, jointFrame, railAndBlock, towardsBody } from "./drawing.js";
import { hang } from "./forms.js";
import { type Colour, mixed } from "./paints.js";
import { drawPlates } from "./plates.js";
import { ball, box, cone, cylinder, lay, solidForm } from "./solid_parts.js";
import { drawThreads } from "./threads.js";
import { travelAlong } from "./travel.js";

const kMostEdged = 40; // joints: with more, edges of symbols are too small to be seen

const kCrowded = 0.55; // of the size of a symbol then: not thicker than the bars

const kX = new Vector3(1, 0, 0);
const kY = new Vector3(0, 1, 0);
const kZ = new Vector3(0, 0, 1);
const kOrigin = new Vector3();

interface Part {
  end: JointEnd;
  parts: BufferGeometry[];
  edged: BufferGeometry[];
}

/** Joints in space, in the frames of their ends: each kind by what it looks like in a machine. */
export function drawSolidJoints(whole: Drawing): void {
  const crowded = whole.mechanism.joints.length > kMostEdged;
  const drawing = crowded ? { ...whole, unit: kCrowded * whole.unit } : whole;
  const { session, paints } = drawing;
  drawing.mechanism.joints.forEach((joint, index) => {
    const metal: Colour = () => mixed(session.theme.palette.ink, session.theme.palette.ground, 0.75);
    const colour = inkOf(session, "joint", index, metal);
    const edgeColour = () => mixed(colour(), session.theme.palette.background, session.theme.name === "dark" ? 0.55 : 0.1);
    const edge = paints.stroke(edgeColour, { width: () => 1 });
    const paint = paints.lit(colour);
    const hidden = paints.hidden(colour);
    const covered = joint.ends.some((end) => insideShape(drawing, end));
    for (const { end, parts, edged } of partsOf(drawing, joint)) {
      const frame = jointFrame(drawing.frames.frame(end.body), end);
      const form = solidForm(parts, edged);
      hang(frame, !crowded ? form : { fill: form.fill, strokes: undefined }, paint, edge);
      if (covered) hang(frame, { fill: form.fill, strokes: undefined }, hidden, edge, 5);
    }
  });
  drawPlates(whole);
  drawThreads(drawing);
  drawFeet(drawing);
}

/** Whether an end lies inside of its body's shape, where nobody would see it. */
function insideShape({ mechanism }: Drawing, end: JointEnd): boolean {
  const shape = mechanism.bodies[end.body]?.shape;
  return shape !== undefined && shape.kind !== "bar" && distanceOutside(shape, new Vector3(...end.at)) === 0;
}

function partsOf(drawing: Drawing, joint: Joint): Part[] {
  const [first, second] = joint.ends;
  const u = drawing.unit;
  switch (joint.kind) {
    case "revolute":
      return hinge(drawing, joint);
    case "cylindrical":
      return cylindrical(drawing, first, second);
    case "helical":
      return [{ end: first.body === 0 ? first : second, parts: [], edged: [cylinder(kOrigin, kZ, 1.8 * u, 3 * u, 6)] }]; // the nut
    case "prismatic":
      return prismatic(drawing, joint);
    case "universal":
      return [yoke(drawing, first, kX), yoke(drawing, second, kY)];
    case "spherical":
      return [{ end: first, parts: [ball(kOrigin, 1.2 * u)], edged: [] }, socket(drawing, second)];
    case "planar":
      return [
        { end: first, parts: [], edged: [box(new Vector3(0, 0, -0.5 * u), new Vector3(9 * u, 9 * u, 0.3 * u))] },
        {
          end: first, // its normal
          parts: [cylinder(new Vector3(0, 0, 1.6 * u), kZ, 0.15 * u, 4 * u, 8), cone(new Vector3(0, 0, 4 * u), kZ, 0.5 * u, 0, 1.2 * u)],
          edged: [],
        },
        { end: second, parts: [], edged: [cylinder(new Vector3(0, 0, 0.1 * u), kZ, 1.6 * u, 0.8 * u)] },
      ];
    case "fixed":
      return [{ end: first, parts: [], edged: [box(kOrigin, new Vector3().setScalar(2.1 * u))] }];
    case "rod":
    case "linear_actuator":
      return joint.ends.map((end) => ({ end, parts: [ball(kOrigin, 0.95 * u)], edged: [] }));
    case "point_on_line": {
      const [least, most] = travelAlong(drawing.frames.track, first, second, 0);
      const middle = new Vector3((least + most) / 2, 0, 0);
      return [
        { end: first, parts: [], edged: [cylinder(middle, kX, 0.4 * u, most - least + 6 * u)] },
        { end: second, parts: [ball(kOrigin, 0.95 * u)], edged: [] },
      ];
    }
    case "point_on_curve": // the curve is drawn with its body
      return [{ end: second, parts: [ball(kOrigin, 0.95 * u)], edged: [] }];
    case "point_on_plane":
      return [{ end: second, parts: [ball(kOrigin, 0.95 * u)], edged: [] }];
    case "rolling_disc": // y of the second is the axis of the disc, which the body is where it has a shape there
      return insideShape(drawing, second) ? [] : [{ end: second, parts: rollingWheel(joint.length, 0.4 * u), edged: [] }];
    case "free":
    case "translation":
    case "slot":
    case "circular_slot":
    case "rolling":
    case "curve_on_line":
    case "curve_on_curve": // of planar mechanisms
      return [];
  }
}

/** A pin in an eye; where a body has a further point on the axis, its second bearing is there. */
function hinge(drawing: Drawing, joint: Joint): Part[] {
  const [first, second] = joint.ends;
  const u = drawing.unit;
  const places = [kOrigin, ...secondBearing(drawing, joint)];
  return [
    { end: first, parts: [], edged: places.map((at) => cylinder(at, kZ, 0.75 * u, 4.4 * u)) },
    { end: second, parts: [], edged: places.map((at) => cylinder(at, kZ, 1.45 * u, 2.4 * u)) },
  ];
}

/** The farthest point of either body on the axis of a hinge, in its axes; none when there is none but the joint's own. */
function secondBearing({ mechanism, unit }: Drawing, joint: Joint): Vector3[] {
  let found: Vector3[] = [];
  let farthest = 4 * unit;
  for (const end of joint.ends) {
    for (const point of mechanism.bodies[end.body]?.points ?? []) {
      const at = new Vector3(...point.at).sub(new Vector3(...end.at)).applyQuaternion(endTurn(end).invert());
      if (Math.hypot(at.x, at.y) > 0.1 * unit || Math.abs(at.z) <= farthest) continue;
      farthest = Math.abs(at.z);
      found = [new Vector3(0, 0, at.z)];
    }
  }
  return found;
}

/** A long shaft on one body, a sleeve that slides and turns on it on the other. */
function cylindrical({ unit: u, frames }: Drawing, first: JointEnd, second: JointEnd): Part[] {
  const [least, most] = travelAlong(frames.track, first, second, 2);
  const middle = new Vector3(0, 0, (least + most) / 2);
  return [
    { end: first, parts: [], edged: [cylinder(middle, kZ, 0.6 * u, most - least + 9 * u)] },
    { end: second, parts: [], edged: [cylinder(kOrigin, kZ, 1.45 * u, 4 * u)] },
  ];
}

function prismatic({ unit: u, frames }: Drawing, joint: Joint): Part[] {
  const [rail, block] = railAndBlock(joint);
  const [least, most] = travelAlong(frames.track, rail, block, 0);
  const bar = box(new Vector3((least + most) / 2, 0, 0), new Vector3(most - least + 9 * u, 0.9 * u, 0.9 * u));
  const stops = [least - 4.5 * u, most + 4.5 * u].map((x) => box(new Vector3(x, 0, 0), new Vector3(0.5 * u, 1.9 * u, 1.9 * u)));
  return [
    { end: rail, parts: [], edged: [bar, ...stops] },
    { end: block, parts: [], edged: [box(kOrigin, new Vector3(4 * u, 2.4 * u, 2.4 * u))] },
  ];
}

/** A rim about y and spokes, which show its turning. */
function rollingWheel(radius: number, thickness: number): BufferGeometry[] {
  const rim = new TorusGeometry(radius - thickness, thickness, 10, 64).rotateX(Math.PI / 2);
  return [rim, ...[kX, kZ].map((along) => cylinder(kOrigin, along, 0.5 * thickness, 2 * (radius - thickness), 10))];
}

/** One arm of the cross and the fork that holds it, open towards its body. */
function yoke({ unit: u, bodies }: Drawing, end: JointEnd, axis: Vector3): Part {
  const back = towardsBody(bodies, end).applyQuaternion(endTurn(end).invert());
  back.addScaledVector(axis, -back.dot(axis));
  const [aside] = perpendiculars(axis);
  const direction = back.lengthSq() > 1e-6 ? back.normalize() : aside;
  const fork = new TorusGeometry(2.1 * u, 0.45 * u, 10, 24, Math.PI); // half a ring about z, from +x over +y
  const turned = fork.applyMatrix4(basis(axis, direction));
  return { end, parts: [cylinder(kOrigin, axis, 0.4 * u, 4.2 * u, 12), turned], edged: [] };
}

function basis(x: Vector3, y: Vector3) {
  return new Group().matrix.makeBasis(x, y, new Vector3().crossVectors(x, y));
}

/** A cup round the ball, on the side of its body. */
function socket({ unit: u, bodies }: Drawing, end: JointEnd): Part {
  const towards = towardsBody(bodies, end).applyQuaternion(endTurn(end).invert());
  const cup = new SphereGeometry(1.65 * u, 22, 10, 0, 2 * Math.PI, 0, 0.48 * Math.PI);
  return { end, parts: [lay(cup, kOrigin, towards.lengthSq() > 0 ? towards : kZ)], edged: [] };
}

/** Small feet under what is held by the ground. */
function drawFeet(drawing: Drawing): void {
  const { mechanism, frames, paints, session, unit: u, up } = drawing;
  const feet: BufferGeometry[] = [];
  const places: Vector3[] = [];
  const down = up.clone().negate();
  const add = (at: Vector3) => {
    if (places.some((other) => other.distanceTo(at) < u)) return;
    places.push(at);
    feet.push(cone(at.clone().addScaledVector(down, 1.9 * u), up, 1.7 * u, 0.6 * u, 2.6 * u, 4));
  };
  for (const joint of mechanism.joints) {
    if (["free", "planar", "point_on_plane", "rolling_disc"].includes(joint.kind)) continue;
    const bearings = joint.kind === "revolute" ? [kOrigin, ...secondBearing(drawing, joint)] : [kOrigin];
    for (const end of joint.ends) {
      if (end.body === 0) for (const at of bearings) add(at.clone().applyQuaternion(endTurn(end)).add(new Vector3(...end.at)));
    }
  }
  for (const spring of mechanism.springs) for (const end of spring.ends ?? []) if (end.body === 0) add(new Vector3(...end.at));
  const colour: Colour = () => session.theme.palette.ground;
  const edge = paints.stroke(() => mixed(colour(), session.theme.palette.ink, 0.4), { width: () => 1 });
  hang(frames.frame(0), solidForm([], feet), paints.lit(colour), edge);
}

/** A curved arrow round the axis, a straight one along a slider: the joint is driven. */
export function drawSolidDriver({ unit: u, frames, mechanism, paints, session }: Drawing, jointIndex: number): void {
  const joint = mechanism.joints[jointIndex];
  if (!joint || joint.kind === "linear_actuator" || joint.kind === "point_on_curve") return; // what it is shows that it drives; no one direction
  const parts: BufferGeometry[] = [];
  if (joint.kind === "prismatic") {
    const aside = 2.6 * u;
    parts.push(cylinder(new Vector3(0, 0, aside), kX, 0.25 * u, 4 * u, 10), cone(new Vector3(2.6 * u, 0, aside), kX, 0.8 * u, 0, 1.6 * u));
  } else {
    const turn = 1.4 * Math.PI;
    const height = 1.7 * u;
    parts.push(new TorusGeometry(2.8 * u, 0.28 * u, 8, 40, turn).translate(0, 0, height));
    const tip = new Vector3(2.8 * u * Math.cos(turn), 2.8 * u * Math.sin(turn), height);
    parts.push(cone(tip, new Vector3(-Math.sin(turn), Math.cos(turn), 0), 0.8 * u, 0, 1.8 * u));
  }
  const [end] = railAndBlock(joint);
  const ink = inkOf(session, "joint", jointIndex);
  hang(jointFrame(frames.frame(end.body), end), solidForm(parts), paints.lit(ink), paints.stroke(ink));
}
