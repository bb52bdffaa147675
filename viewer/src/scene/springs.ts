import { Curve, TubeGeometry, Vector3 } from "three";
import type { Attachment, Spring } from "../report_data.js";
import { type Drawing, type Follower, inkOf, jointFrame, railAndBlock } from "./drawing.js";
import { circle, FlatSketch, type Point, rectangle } from "./flat_sketch.js";
import { hang } from "./forms.js";
import { type Colour, mixed } from "./paints.js";
import { ball, cylinder, solidForm } from "./solid_parts.js";
import { Span } from "./span.js";
import { distanceRange, middleOfWay, type Range } from "./travel.js";

const kX = new Vector3(1, 0, 0);

/** Springs that stretch, dashpots that slide, spirals in joints. */
export function drawSprings(drawing: Drawing): Follower[] {
  const spans: Follower[] = [];
  const lanes = flatLanes(drawing);
  drawing.mechanism.springs.forEach((spring, index) => {
    const colour = inkOf(drawing.session, "spring", index);
    if (spring.joint !== undefined) drawSpiral(drawing, spring, spring.joint, colour);
    if (!spring.ends) return;
    const span = new Span(drawing.frames, spring.ends, drawing.mechanism.planar);
    const reach = distanceRange(drawing.frames.track, spring.ends);
    if (drawing.mechanism.planar) drawFlat(drawing, spring, span, reach, lanes.get(index) ?? [0], colour);
    else drawSolid(drawing, spring, span, reach, colour);
    spans.push(span);
  });
  return spans;
}

function samePlace(a: Attachment, b: Attachment): boolean {
  return a.body === b.body && a.at.every((x, k) => x === b.at[k]);
}

/** On paper, springs and dashpots between the same places lie beside each other: how far aside each part of each one is. */
function flatLanes({ mechanism, unit }: Drawing): Map<number, number[]> {
  const lanes = new Map<number, number[]>();
  mechanism.springs.forEach((spring, index) => {
    if (lanes.has(index) || !spring.ends) return;
    const [a, b] = spring.ends;
    const beside = mechanism.springs
      .map((other, k) => ({ other, k }))
      .filter(({ other }) => other.ends && samePlace(other.ends[0], a) && samePlace(other.ends[1], b));
    const parts = beside.flatMap(({ other, k }) => Array.from({ length: partCount(other) }, () => k));
    parts.forEach((k, position) => {
      lanes.set(k, [...(lanes.get(k) ?? []), (position - (parts.length - 1) / 2) * 4.2 * unit]);
    });
  });
  return lanes;
}

function partCount(spring: Spring): number {
  return spring.coils && spring.damping ? 2 : 1;
}

function drawFlat(drawing: Drawing, spring: Spring, span: Span, reach: Range, lanes: number[], colour: Colour): void {
  const { paints, levels, unit, session } = drawing;
  const paper = paints.flat(() => session.theme.palette.background);
  const stroke = paints.stroke(colour, { width: () => 1.8 });
  const rest = typicalLength(reach);
  const [first = 0, second] = lanes;
  const draw = (parent: Parameters<typeof hang>[0], sketch: FlatSketch) => hang(parent, sketch.form(), paper, stroke);
  const sketch = () => new FlatSketch(levels.springs, levels.step);
  if (spring.coils) draw(span.stretch(rest), sketch().line(zigzag(rest, unit, first)));
  if (spring.damping) {
    const y = spring.coils ? (second ?? first) : first;
    const { foot, cup, rod } = dashpot(reach);
    const [inner, outer] = [1.05 * unit, 1.3 * unit];
    draw(span.near, sketch().line([[0, y], [foot, y]]).line([[cup, y - outer], [foot, y - outer], [foot, y + outer], [cup, y + outer]]));
    const piston = sketch().line([[0, -y], [rod, -y]]);
    draw(span.far, piston.face(rectangle([rod + 0.15 * unit, -y], 0.15 * unit, inner)));
  }
  for (const end of [span.near, span.far]) draw(end, sketch().up().face(circle([0, 0], 0.45 * unit, 16)));
  const bars = lanes.filter((y) => y !== 0);
  for (const end of bars.length > 0 ? [span.near, span.far] : []) draw(end, sketch().line(bars.flatMap((y): Point[] => [[0, -y], [0, y]])));
}

function typicalLength([least, most]: Range): number {
  return (least + most) / 2 || 1;
}

/** Where the cup of a dashpot begins and ends seen from one place, and how long the rod from the other is, so that the piston stays in the
 * cup over the whole motion. */
function dashpot([least, most]: Range): { foot: number; cup: number; rod: number } {
  const short = Math.max(least, 0.3 * most);
  const rod = 0.6 * short;
  return { foot: 0.2 * short, cup: most - rod + 0.12 * short, rod };
}

function turnsOf(rest: number, unit: number): number {
  return Math.min(12, Math.max(4, Math.round(rest / (2.2 * unit))));
}

function zigzag(rest: number, unit: number, y: number): Point[] {
  const turns = turnsOf(rest, unit);
  const stub = 0.12 * rest;
  const pitch = (rest - 2 * stub) / turns;
  const points: Point[] = [[0, y], [stub, y]];
  for (let k = 0; k < turns; ++k) {
    points.push([stub + (k + 0.25) * pitch, y + 1.4 * unit], [stub + (k + 0.75) * pitch, y - 1.4 * unit]);
  }
  return [...points, [rest - stub, y], [rest, y]];
}

class Helix extends Curve<Vector3> {
  constructor(
    private readonly length: number,
    private readonly radius: number,
    private readonly turns: number,
  ) {
    super();
  }
  /** Straight ends on the axis, coils between them. */
  override getPoint(s: number, out = new Vector3()): Vector3 {
    const angle = 2 * Math.PI * this.turns * s;
    const swell = Math.min(1, 12 * s, 12 * (1 - s));
    return out.set(this.length * s, this.radius * swell * Math.cos(angle), this.radius * swell * Math.sin(angle));
  }
}

function drawSolid({ paints, unit: u, session }: Drawing, spring: Spring, span: Span, reach: Range, colour: Colour): void {
  const rest = typicalLength(reach);
  const metal: Colour = () => mixed(colour(), session.theme.palette.ground, 0.6);
  const paint = paints.lit(metal);
  const edge = paints.stroke(metal, { width: () => 1 });
  if (spring.coils) {
    const turns = turnsOf(rest, u);
    const tube = new TubeGeometry(new Helix(rest, 2 * u, turns), 20 * turns, 0.3 * u, 7);
    hang(span.stretch(rest), solidForm([tube]), paint, edge);
  }
  if (spring.damping) {
    const { foot, cup, rod } = dashpot(reach);
    const body = cylinder(new Vector3((foot + cup) / 2, 0, 0), kX, 1.1 * u, cup - foot);
    const stub = cylinder(new Vector3(foot / 2, 0, 0), kX, 0.4 * u, foot, 10);
    hang(span.near, solidForm([stub, ball(new Vector3(), 0.7 * u)], [body]), paint, edge);
    const piston = cylinder(new Vector3(rod / 2, 0, 0), kX, 0.4 * u, rod, 10);
    hang(span.far, solidForm([piston, ball(new Vector3(), 0.7 * u)]), paint, edge);
  }
}

/** A spring or damper in a joint's own coordinate: a flat spiral round the axis, beside the rail of a slider. */
function drawSpiral(drawing: Drawing, spring: Spring, jointIndex: number, colour: Colour): void {
  const { paints, unit, levels, frames, mechanism, session } = drawing;
  const joint = mechanism.joints[jointIndex];
  if (!joint) return;
  const sketch = new FlatSketch(mechanism.planar ? levels.sensors : 1.3 * unit, levels.step);
  if (joint.kind === "prismatic") {
    const start = middleOfWay(drawing, joint) - 4.5 * unit;
    sketch.line(zigzag(9 * unit, 0.6 * unit, 3.4 * unit).map(([x, y]): Point => [start + x, y]));
  } else {
    const turns = spring.coils ? 2.25 : 0.8;
    sketch.line(
      Array.from({ length: 73 }, (_, k): Point => {
        const angle = (2 * Math.PI * turns * k) / 72;
        const radius = (1.5 + (1.5 * k) / 72) * unit;
        return [radius * Math.cos(angle), radius * Math.sin(angle)];
      }),
    );
    const [c, s] = [Math.cos(2 * Math.PI * turns), Math.sin(2 * Math.PI * turns)];
    sketch.line([[3 * unit * c, 3 * unit * s], [3.6 * unit * c, 3.6 * unit * s]]);
  }
  const [end] = railAndBlock(joint);
  const paper = paints.flat(() => session.theme.palette.background);
  hang(jointFrame(frames.frame(end.body), end), sketch.form(), paper, paints.stroke(colour, { width: () => 1.6 }));
}
