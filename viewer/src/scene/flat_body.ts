import { Vector3 } from "three";
import { type Anatomy, isItsWheels, links } from "./anatomy.js";
import { endTurn } from "./drawing.js";
import { circle, convexHull, FlatSketch, hullArea, type Point, rectangle, roundedHull } from "./flat_sketch.js";
import type { JointEnd, Shape } from "../report_data.js";
import type { Form } from "./forms.js";

/** Levels that a body takes: links, their strokes, the shape, its strokes. */
export const kLevelsPerBody = 4;

const flat = (v: Vector3): Point => [v.x, v.y];

/** A body of a planar mechanism as a textbook draws it: bars with round ends, plates, discs, blocks, wheels with teeth, cams. */
export function flatBody(anatomy: Anatomy, unit: number, z: number, step: number): Form {
  const sketch = new FlatSketch(z, step);
  for (const [from, to] of links(anatomy)) sketch.face(roundedHull([flat(from), flat(to)], 0.55 * unit));
  sketch.up();
  drawWheels(sketch, anatomy);
  if (isItsWheels(anatomy)) return sketch.form();
  const { shape, places } = anatomy;
  const [only] = places;
  if (!shape) {
    if (places.length > 1) sketch.face(roundedHull(places.map(flat), 1.15 * unit));
    else sketch.face(rectangle(only ? flat(only) : [0, 0], 3 * unit, 1.8 * unit));
  } else {
    sketch.face(flatShape(shape, unit));
    if (shape.kind !== "disc" && shape.kind !== "sphere") return sketch.form();
    const centre = flatOf(shape.centre);
    // A disc that carries nothing off its centre shows its turning by a line.
    if (anatomy.joints.every((joint) => Math.hypot(joint.x - centre[0], joint.y - centre[1]) < 0.05 * shape.radius)) {
      sketch.line([centre, [centre[0] + shape.radius, centre[1]]]);
    }
  }
  return sketch.form();
}

/** Wheels with a line that shows their turning, rings, racks, cams. */
function drawWheels(sketch: FlatSketch, { toothed, cams }: Anatomy): void {
  for (const { line } of cams) sketch.plate(line.map(flatOf));
  for (const { end, outline, rim, reach } of toothed) {
    const [teeth, outer] = [outline, rim > 0 ? circle([0, 0], rim, 120) : []].map((points) => points.map((point) => onEnd(end, point))) as [Point[], Point[]];
    if (rim > 0) sketch.plate(outer, teeth);
    else sketch.plate(teeth);
    const [root] = teeth;
    if (rim === 0 && reach > 0 && root) sketch.line([flatOf(end.at), root]);
  }
}

/** A point in the frame of a joint's end, body axes. */
function onEnd(end: JointEnd, [x, y]: Point): Point {
  const turned = new Vector3(x, y, 0).applyQuaternion(endTurn(end));
  return [end.at[0] + turned.x, end.at[1] + turned.y];
}

/** Corners of a shape on paper. */
export function flatShape(shape: Shape, unit: number): Point[] {
  if (shape.kind === "bar") return roundedHull([flatOf(shape.from), flatOf(shape.to)], 1.15 * unit);
  const centre = flatOf(shape.centre);
  if (shape.kind === "box") return rectangle(centre, Math.max(shape.size[0] / 2, 0.3 * unit), Math.max(shape.size[1] / 2, 0.3 * unit));
  return shape.kind === "cylinder" ? cylinderOutline(shape) : circle(centre, shape.radius, 72);
}

function flatOf(at: readonly [number, number, number]): Point {
  return [at[0], at[1]];
}

function cylinderOutline(shape: {
  radius: number;
  length: number;
  centre: [number, number, number];
  axis: [number, number, number];
}): Point[] {
  const centre = flatOf(shape.centre);
  const across = Math.hypot(shape.axis[0], shape.axis[1]);
  if (across < 0.5) return circle(centre, shape.radius, 72);
  const [ax, ay] = [shape.axis[0] / across, shape.axis[1] / across];
  return rectangle([0, 0], shape.length / 2, shape.radius).map(([x, y]) => [centre[0] + ax * x - ay * y, centre[1] + ay * x + ax * y]);
}

/** Area on paper, to draw the large below the small. */
export function flatArea({ shape, places, rims, curves }: Anatomy, unit: number): number {
  const round = hullArea(convexHull([...rims, ...curves].map(flat)));
  if (round > 0) return round;
  if (!shape || shape.kind === "bar") {
    const hull = convexHull(places.map(flat));
    const around = hull.reduce((sum, [x, y], k) => sum + Math.hypot(x - (hull[k - 1] ?? [x, y])[0], y - (hull[k - 1] ?? [x, y])[1]), 0);
    return hullArea(hull) + 2 * unit * around;
  }
  if (shape.kind === "box") return shape.size[0] * shape.size[1];
  return Math.PI * shape.radius ** 2;
}
