import type { Vector3 } from "three";
import { type Anatomy, links } from "./anatomy.js";
import { circle, convexHull, FlatSketch, hullArea, type Point, rectangle, roundedHull } from "./flat_sketch.js";
import type { Shape } from "../report_data.js";
import type { Form } from "./forms.js";

/** Levels that a body takes: links, their strokes, the shape, its strokes. */
export const kLevelsPerBody = 4;

const flat = (v: Vector3): Point => [v.x, v.y];

/** A body of a planar mechanism as a textbook draws it: bars with round ends, plates, discs, blocks. */
export function flatBody(anatomy: Anatomy, unit: number, z: number, step: number): Form {
  const sketch = new FlatSketch(z, step);
  for (const [from, to] of links(anatomy)) sketch.face(roundedHull([flat(from), flat(to)], 0.55 * unit));
  sketch.up();
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
export function flatArea({ shape, places }: Anatomy, unit: number): number {
  if (!shape || shape.kind === "bar") {
    const hull = convexHull(places.map(flat));
    const around = hull.reduce((sum, [x, y], k) => sum + Math.hypot(x - (hull[k - 1] ?? [x, y])[0], y - (hull[k - 1] ?? [x, y])[1]), 0);
    return hullArea(hull) + 2 * unit * around;
  }
  if (shape.kind === "box") return shape.size[0] * shape.size[1];
  return Math.PI * shape.radius ** 2;
}
