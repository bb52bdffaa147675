import type { Joint, JointEnd, Rolling } from "../report_data.js";
import { type Drawing, jointFrame, solidColour } from "./drawing.js";
import { arc, circle, FlatSketch, hatch, hatchCircle, type Point } from "./flat_sketch.js";
import { hang } from "./forms.js";
import { type Colour, mixed } from "./paints.js";
import { travelAlong, travelAround } from "./travel.js";

const kMostOfATurn = 1.7 * Math.PI;

/** Slots, circles that roll, and what touches curves, of a planar mechanism. */
export function drawFlatPair(drawing: Drawing, joint: Joint, ink: Colour): void {
  if (joint.kind === "slot") drawSlot(drawing, joint);
  else if (joint.rolling) drawRollingCircles(drawing, joint, joint.rolling);
  else if (joint.kind === "circular_slot") drawArc(drawing, joint);
  else if (joint.kind === "rolling") drawRail(drawing, joint);
  else if (joint.kind === "point_on_curve") drawRoller(drawing, joint);
  else if (joint.kind === "curve_on_line") return drawFace(drawing, joint);
  else if (joint.kind === "curve_on_curve") return;
  drawPinOf(drawing, joint.ends[1], ink);
}

/** Curves as lines; those that are the edge of their body are drawn with it. */
export function drawCurves(drawing: Drawing): void {
  const { bodies, frames, levels, mechanism, paints, session } = drawing;
  mechanism.bodies.forEach((body, index) => {
    for (const curve of body.curves ?? []) {
      if (bodies[index]?.cams.includes(curve)) continue;
      const line = curve.line.map(([x, y]): Point => [x, y]);
      const sketch = new FlatSketch(levels.supports, levels.step).line(line, curve.closed);
      const colour = () => (index === 0 ? session.theme.palette.ground : solidColour(drawing, index));
      const stroke = paints.stroke(colour, { width: () => 1.8 });
      hang(frames.frame(index), sketch.form(), paints.flat(() => session.theme.palette.background), stroke);
    }
  });
}

/** A roller turns about its pin, before the block of a slide there; a point has none. */
function drawRoller(drawing: Drawing, joint: Joint): void {
  const { frames, levels, paints } = drawing;
  const [, { at, body }] = joint.ends;
  if (joint.length === 0) return;
  const roller = new FlatSketch(levels.supports + 4 * levels.step, levels.step).face(circle([at[0], at[1]], joint.length, 80));
  hang(frames.frame(body), roller.form(), paints.flat(() => paleColour(drawing, body)), edgeStroke(drawing, joint.ends[1]));
}

/** The face that lies on a curve, as far as the curve reaches. */
function drawFace(drawing: Drawing, joint: Joint): void {
  const [face, touched] = joint.ends;
  const lines = (drawing.mechanism.bodies[touched.body]?.curves ?? []).flatMap(({ line }) => line);
  const reach = Math.max(...lines.map(([x, y]) => Math.hypot(x, y)), 3 * drawing.unit);
  const { frames, levels, paints, session, unit } = drawing;
  const sketch = new FlatSketch(levels.supports, levels.step).line([[-reach, 0], [reach, 0]]);
  sketch.line([[-reach, 0], [-reach, -unit], [reach, -unit], [reach, 0]]);
  hang(jointFrame(frames.frame(face.body), face), sketch.form(), paints.flat(() => session.theme.palette.background), edgeStroke(drawing, face));
}

/** The edge of a slot around where its pin goes. */
function drawSlot(drawing: Drawing, joint: Joint): void {
  const [slot, pin] = joint.ends;
  const [least, most] = travelAlong(drawing.frames.track, slot, pin, 0);
  const r = 1.5 * drawing.unit;
  hangEdge(drawing, slot, [...arc([most, 0], r, -Math.PI / 2, Math.PI / 2), ...arc([least, 0], r, Math.PI / 2, 1.5 * Math.PI)]);
}

/** The edge of a slot on an arc around where its pin goes; where that is most of a turn, both circles. */
function drawArc(drawing: Drawing, joint: Joint): void {
  const [slot, pin] = joint.ends;
  const r = 1.5 * drawing.unit;
  const [least, most] = travelAround(drawing.frames.track, slot, pin);
  if (most - least < kMostOfATurn) {
    const at = (angle: number): Point => [joint.length * Math.cos(angle), joint.length * Math.sin(angle)];
    const outer = arc([0, 0], joint.length + r, least, most, 60);
    const inner = arc([0, 0], joint.length - r, most, least, 60);
    return hangEdge(drawing, slot, [...outer, ...arc(at(most), r, most, most + Math.PI), ...inner, ...arc(at(least), r, least + Math.PI, least + 2 * Math.PI)]);
  }
  hangEdge(drawing, slot, circle([0, 0], joint.length + r, 120));
  if (joint.length > r) hangEdge(drawing, slot, circle([0, 0], joint.length - r, 120));
}

/** The line below the circle: its frame stands where the centre moves. */
function drawRail(drawing: Drawing, joint: Joint): void {
  const { frames, levels, paints, session, unit } = drawing;
  const [rail, centre] = joint.ends;
  const [least, most] = travelAlong(frames.track, rail, centre, 0);
  const [from, to]: [Point, Point] = [[least - joint.length, -joint.length], [most + joint.length, -joint.length]];
  const sketch = new FlatSketch(levels.supports, levels.step);
  if (rail.body === 0) hatch(sketch, from, to, unit, -1);
  else sketch.line([from, to]);
  hang(jointFrame(frames.frame(rail.body), rail), sketch.form(), paints.flat(() => session.theme.palette.background), edgeStroke(drawing, rail));
  drawRollingCircle(drawing, centre, joint.length);
}

/** A circle and the one that rolls on its outside or inside; the ground is hatched on the side of the material. */
function drawRollingCircles(drawing: Drawing, joint: Joint, { radius, base }: Rolling): void {
  const { frames, levels, paints, session, unit } = drawing;
  const [first, centre] = joint.ends;
  const sketch = new FlatSketch(levels.supports, levels.step);
  if (first.body === 0) hatchCircle(sketch, [0, 0], Math.abs(base), unit, base < 0 ? 1 : -1);
  else sketch.line(circle([0, 0], Math.abs(base), 120), true);
  hang(jointFrame(frames.frame(first.body), first), sketch.form(), paints.flat(() => session.theme.palette.background), edgeStroke(drawing, first));
  drawRollingCircle(drawing, centre, radius);
}

/** With a spoke along x of its body, as discs have it, which shows its turning. */
function drawRollingCircle(drawing: Drawing, centre: JointEnd, radius: number): void {
  const { frames, levels, paints, session } = drawing;
  const [x, y] = centre.at;
  const sketch = new FlatSketch(levels.supports, levels.step).line(circle([x, y], radius, 80), true).line([[x, y], [x + radius, y]]);
  hang(frames.frame(centre.body), sketch.form(), paints.flat(() => session.theme.palette.background), edgeStroke(drawing, centre));
}

function drawPinOf({ frames, levels, paints, session, unit }: Drawing, end: JointEnd, ink: Colour): void {
  const sketch = new FlatSketch(levels.joints, levels.step).face(circle([end.at[0], end.at[1]], unit));
  hang(frames.frame(end.body), sketch.form(), paints.flat(() => session.theme.palette.background), paints.stroke(ink, { width: () => 2 }));
}

function hangEdge(drawing: Drawing, end: JointEnd, corners: Point[]): void {
  const { frames, levels, paints, session } = drawing;
  const sketch = new FlatSketch(levels.supports, levels.step).line(corners, true);
  hang(jointFrame(frames.frame(end.body), end), sketch.form(), paints.flat(() => session.theme.palette.background), edgeStroke(drawing, end));
}

function paleColour(drawing: Drawing, body: number): string {
  return mixed(solidColour(drawing, body), drawing.session.theme.palette.background, 0.76);
}

function edgeStroke(drawing: Drawing, end: JointEnd) {
  const colour = () => (end.body === 0 ? drawing.session.theme.palette.ground : solidColour(drawing, end.body));
  return drawing.paints.stroke(colour, { width: () => 1.8 });
}
