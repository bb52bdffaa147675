import { Vector3 } from "three";
import type { Joint, JointEnd, Mechanism } from "../report_data.js";
import { isAnywhere, middleOf } from "./anatomy.js";
import { type Drawing, inkOf, isBetweenTwoPlaces, jointFrame, railAndBlock, solidColour } from "./drawing.js";
import { drawCurves, drawFlatPair } from "./flat_pairs.js";
import { arc, arrowHead, circle, FlatSketch, hatch, type Point, rectangle } from "./flat_sketch.js";
import { hang } from "./forms.js";
import type { Colour } from "./paints.js";
import { meanOffset, middleOfWay, travelAlong } from "./travel.js";

/** Joints of a planar mechanism: pins, sliders on rails, welds; the ground by hatched supports. */
export function drawFlatJoints(drawing: Drawing): void {
  const supported: Vector3[] = [];
  drawCurves(drawing);
  drawing.mechanism.joints.forEach((joint, index) => {
    const ink = inkOf(drawing.session, "joint", index);
    if (joint.kind === "prismatic") drawSlider(drawing, joint, ink);
    else if (joint.kind === "fixed") drawWeld(drawing, joint, ink);
    else if (isHigherPair(joint)) drawFlatPair(drawing, joint, ink);
    else if (!isAnywhere(joint) && joint.kind !== "planar") drawPin(drawing, joint, ink);
    if (joint.kind === "prismatic" || isAnywhere(joint) || joint.kind === "planar" || isHigherPair(joint)) return;
    for (const [k, end] of joint.ends.entries()) {
      const at = new Vector3(...end.at);
      if (end.body !== 0 || supported.some((other) => other.distanceTo(at) < drawing.unit)) continue;
      supported.push(at);
      drawSupport(drawing, end, joint.ends[1 - k] ?? end);
    }
  });
  drawAnchors(drawing, supported);
}

function isHigherPair({ kind }: Joint): boolean {
  return ["slot", "circular_slot", "rolling", "point_on_curve", "curve_on_line", "curve_on_curve"].includes(kind);
}

function drawPin(drawing: Drawing, joint: Joint, ink: Colour): void {
  const { paints, levels, unit, session } = drawing;
  const paper = paints.flat(() => session.theme.palette.background);
  const stroke = paints.stroke(ink, { width: () => 2 });
  const ends = isBetweenTwoPlaces(joint) ? joint.ends : joint.ends.slice(0, 1);
  for (const end of ends) {
    const sketch = new FlatSketch(levels.joints, levels.step).face(circle([end.at[0], end.at[1]], unit));
    hang(drawing.frames.frame(end.body), sketch.form(), paper, stroke);
  }
}

/** A triangle that stands on the hatched ground; it hangs from it where the body hangs. */
function drawSupport({ paints, levels, unit, session, frames, bodies }: Drawing, end: JointEnd, other: JointEnd): void {
  const middle = middleOf(bodies[other.body]?.places ?? []);
  const offset = meanOffset(frames.track, end, { body: other.body, at: [middle.x, middle.y, middle.z] });
  const down = offset.y < -0.5 * middle.distanceTo(new Vector3(...other.at)) - 0.1 * unit ? 1 : -1;
  const [x, y] = end.at;
  const foot = y + down * 3.1 * unit;
  const sketch = new FlatSketch(levels.supports, levels.step);
  sketch.face([[x, y], [x - 1.9 * unit, foot], [x + 1.9 * unit, foot]]);
  hatch(sketch, [x - 2.8 * unit, foot], [x + 2.8 * unit, foot], unit, down);
  hang(frames.frame(0), sketch.form(), paints.flat(() => session.theme.palette.background), groundStroke(session, paints));
}

function groundStroke(session: Drawing["session"], paints: Drawing["paints"]) {
  return paints.stroke(() => session.theme.palette.ground, { width: () => 1.6 });
}

/** Springs, rods and drivers that end on the ground without a joint there. */
function drawAnchors({ mechanism, paints, levels, unit, session, frames }: Drawing, supported: Vector3[]): void {
  const sketch = new FlatSketch(levels.supports, levels.step);
  for (const spring of mechanism.springs) {
    for (const end of spring.ends ?? []) {
      const at = new Vector3(...end.at);
      if (end.body !== 0 || supported.some((other) => other.distanceTo(at) < unit)) continue;
      supported.push(at);
      const other = spring.ends?.find((one) => one !== end) ?? end;
      const away = meanOffset(frames.track, other, end).setZ(0).normalize();
      const [ax, ay] = away.lengthSq() > 0 ? [-away.y, away.x] : [1, 0];
      hatch(sketch, [at.x - 2.4 * unit * ax, at.y - 2.4 * unit * ay], [at.x + 2.4 * unit * ax, at.y + 2.4 * unit * ay], unit, 1);
    }
  }
  hang(frames.frame(0), sketch.form(), paints.flat(() => session.theme.palette.background), groundStroke(session, paints));
}

/** A block between two rails as long as its way; the ground's rails are hatched. */
function drawSlider(drawing: Drawing, joint: Joint, ink: Colour): void {
  const { paints, levels, unit, session, frames } = drawing;
  const [rail, block] = railAndBlock(joint);
  const [least, most] = travelAlong(frames.track, rail, block, 0);
  const [begin, end] = [least - 5 * unit, most + 5 * unit];
  const railFrame = jointFrame(frames.frame(rail.body), rail);
  const rails = new FlatSketch(levels.supports, levels.step);
  if (rail.body === 0) {
    hatch(rails, [begin, -1.75 * unit], [end, -1.75 * unit], unit, -1);
    hatch(rails, [begin, 1.75 * unit], [end, 1.75 * unit], unit, 1);
  } else {
    rails.line([[begin, -1.75 * unit], [end, -1.75 * unit]]).line([[begin, 1.75 * unit], [end, 1.75 * unit]]);
  }
  const railColour = () => (rail.body === 0 ? session.theme.palette.ground : solidColour(drawing, rail.body));
  const paper = paints.flat(() => session.theme.palette.background);
  hang(railFrame, rails.form(), paper, paints.stroke(railColour, { width: () => 1.8 }));
  const blockSketch = new FlatSketch(levels.supports + 2 * levels.step, levels.step).face(rectangle([0, 0], 3 * unit, 1.75 * unit));
  blockSketch.line([[-1.4 * unit, 0], [1.4 * unit, 0]]);
  for (const side of [1, -1]) blockSketch.line(arrowHead([1.6 * side * unit, 0], side > 0 ? 0 : Math.PI, 0.8 * unit));
  hang(jointFrame(frames.frame(block.body), block), blockSketch.form(), paper, paints.stroke(ink, { width: () => 2 }));
}

function drawWeld({ paints, levels, unit, frames }: Drawing, joint: Joint, ink: Colour): void {
  const [end] = joint.ends;
  const sketch = new FlatSketch(levels.joints, levels.step).face(rectangle([0, 0], 0.55 * unit, 0.55 * unit));
  for (const side of [-1, 1]) sketch.line([[-1.1 * unit, -1.1 * side * unit], [1.1 * unit, 1.1 * side * unit]]);
  hang(jointFrame(frames.frame(end.body), end), sketch.form(), paints.flat(ink), paints.stroke(ink, { width: () => 2 }));
}

/** Whether what is driven of a joint is a distance along a line. */
function slidesByDriver({ drivers, joints }: Mechanism, joint: number): boolean {
  return ["slot", "rolling"].includes(joints[joint]?.kind ?? "") && drivers.some((driver) => driver.joint === joint && /\.[qva]1$/.test(driver.target));
}

/** A curved arrow round a pin, a straight one along a slider: the joint is driven. */
export function drawFlatDriver(drawing: Drawing, jointIndex: number): void {
  const { paints, levels, unit, frames, mechanism, session } = drawing;
  const joint = mechanism.joints[jointIndex];
  if (!joint || joint.kind === "linear_actuator") return; // what it is shows that it drives
  const sketch = new FlatSketch(levels.sensors, levels.step);
  if (joint.kind === "prismatic" || slidesByDriver(mechanism, jointIndex)) {
    const y = joint.kind === "rolling" ? joint.length + 2 * unit : 4 * unit;
    const x = middleOfWay(drawing, joint);
    sketch.line([[x - 3 * unit, y], [x + 3 * unit, y]]).line(arrowHead([x + 3 * unit, y], 0, 1.3 * unit));
  } else {
    const [from, to] = [-0.1 * Math.PI, 1.25 * Math.PI];
    const radius = 3 * unit;
    sketch.line(arc([0, 0], radius, from, to, 40));
    const tip: Point = [radius * Math.cos(to), radius * Math.sin(to)];
    sketch.line(arrowHead(tip, to + Math.PI / 2 + 0.2, 1.4 * unit));
  }
  const [end] = railAndBlock(joint);
  const ink = inkOf(session, "joint", jointIndex);
  hang(jointFrame(frames.frame(end.body), end), sketch.form(), paints.flat(ink), paints.stroke(ink, { width: () => 2 }));
}
