import type { Joint, JointEnd } from "../report_data.js";
import { type Drawing, jointFrame, solidColour } from "./drawing.js";
import { arc, circle, FlatSketch, hatch, type Point } from "./flat_sketch.js";
import { hang } from "./forms.js";
import type { Colour } from "./paints.js";
import { travelAlong } from "./travel.js";

/** Slots, circles that roll, and what touches curves, of a planar mechanism. */
export function drawFlatPair(drawing: Drawing, joint: Joint, ink: Colour): void {
  if (joint.kind === "slot") drawSlot(drawing, joint);
  else if (joint.kind === "circular_slot") drawArc(drawing, joint);
  else if (joint.kind === "rolling") drawRail(drawing, joint);
  else if (joint.kind === "point_on_curve") drawRoller(drawing, joint);
  else if (joint.kind === "curve_on_line") return drawFace(drawing, joint);
  else if (joint.kind === "curve_on_curve") return;
  drawPinOf(drawing, joint.ends[1], ink);
}

/** Cams as what they are; other curves as lines. */
export function drawCurves(drawing: Drawing): void {
  const { frames, levels, mechanism, paints, session } = drawing;
  mechanism.bodies.forEach((body, index) => {
    for (const curve of body.curves ?? []) {
      const line = curve.line.map(([x, y]): Point => [x, y]);
      const sketch = new FlatSketch(levels.supports, levels.step).line(line, curve.closed);
      const colour = () => (index === 0 ? session.theme.palette.ground : solidColour(drawing, index));
      const stroke = paints.stroke(colour, { width: () => (curve.solid ? 2.4 : 1.8) });
      hang(frames.frame(index), sketch.form(), paints.flat(() => session.theme.palette.background), stroke);
    }
  });
}

/** A roller turns about its pin; a point has none. */
function drawRoller(drawing: Drawing, joint: Joint): void {
  if (joint.length > 0) hangEdge(drawing, joint.ends[1], circle([0, 0], joint.length, 80));
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

/** The whole circle: a slot on an arc is as long as it needs to be. */
function drawArc(drawing: Drawing, joint: Joint): void {
  const [slot] = joint.ends;
  const r = 1.5 * drawing.unit;
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
  const wheel = new FlatSketch(levels.supports, levels.step).line(circle([0, 0], joint.length, 80), true);
  const fill = paints.flat(() => session.theme.palette.background);
  hang(jointFrame(frames.frame(centre.body), centre), wheel.form(), fill, edgeStroke(drawing, centre));
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

function edgeStroke(drawing: Drawing, end: JointEnd) {
  const colour = () => (end.body === 0 ? drawing.session.theme.palette.ground : solidColour(drawing, end.body));
  return drawing.paints.stroke(colour, { width: () => 1.8 });
}
