import { BufferAttribute, BufferGeometry, ShapeUtils, Vector2 } from "three";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Form } from "./forms.js";

export type Point = readonly [number, number];

/** A drawing in a plane of constant z: convex faces and strokes, collected into one form. */
export class FlatSketch {
  readonly #triangles: number[] = [];
  readonly #strokes: number[] = [];

  /** `step`: strokes lie that much above the faces they bound. */
  constructor(
    public z: number,
    private readonly step: number,
  ) {}

  /** A convex face with its edge. */
  face(corners: readonly Point[]): this {
    return this.area(corners).line(corners, true);
  }
  area(corners: readonly Point[]): this {
    const [first] = corners;
    if (!first) return this;
    for (let k = 1; k + 1 < corners.length; ++k) {
      const [b, c] = [corners[k], corners[k + 1]];
      if (b && c) this.#triangles.push(...first, this.z, ...b, this.z, ...c, this.z);
    }
    return this;
  }
  /** Any face with its edge, and a hole in it. */
  plate(outline: readonly Point[], hole: readonly Point[] = []): this {
    const corners = [...outline, ...hole];
    const [edge, inner] = [outline, hole].map((points) => points.map(([x, y]) => new Vector2(x, y))) as [Vector2[], Vector2[]];
    for (const triangle of ShapeUtils.triangulateShape(edge, inner.length > 0 ? [inner] : [])) {
      for (const k of triangle) this.#triangles.push(...(corners[k] ?? [0, 0]), this.z);
    }
    return this.line(outline, true).line(hole, true);
  }
  line(points: readonly Point[], closed = false): this {
    const z = this.z + this.step;
    const count = closed ? points.length : points.length - 1;
    for (let k = 0; k < count; ++k) {
      const [a, b] = [points[k], points[(k + 1) % points.length]];
      if (a && b) this.#strokes.push(...a, z, ...b, z);
    }
    return this;
  }
  /** What comes next lies above what was. */
  up(): this {
    this.z += 2 * this.step;
    return this;
  }

  form(): Form {
    const fill = this.#triangles.length > 0 ? new BufferGeometry() : undefined;
    fill?.setAttribute("position", new BufferAttribute(new Float32Array(this.#triangles), 3));
    const strokes = this.#strokes.length > 0 ? new LineSegmentsGeometry().setPositions(this.#strokes) : undefined;
    return { fill, strokes };
  }
}

export function circle([x, y]: Point, radius: number, corners = 40): Point[] {
  return arc([x, y], radius, 0, 2 * Math.PI, corners).slice(0, -1);
}

/** Points from one angle to another, both included. */
export function arc([x, y]: Point, radius: number, from: number, to: number, steps = 24): Point[] {
  return Array.from({ length: steps + 1 }, (_, k) => {
    const angle = from + ((to - from) * k) / steps;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

export function rectangle([x, y]: Point, halfWidth: number, halfHeight: number): Point[] {
  return [
    [x - halfWidth, y - halfHeight],
    [x + halfWidth, y - halfHeight],
    [x + halfWidth, y + halfHeight],
    [x - halfWidth, y + halfHeight],
  ];
}

/** The convex hull, counter-clockwise, without points on its edges [Andrew 1979]. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of ordered) {
      for (;;) {
        const [a, b] = [chain[chain.length - 2], chain[chain.length - 1]];
        if (!a || !b || (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export function hullArea(corners: readonly Point[]): number {
  return corners.reduce((sum, [x, y], k) => {
    const [u, v] = corners[(k + 1) % corners.length] ?? [x, y];
    return sum + (x * v - u * y) / 2;
  }, 0);
}

/** The hull widened by a radius, corners round: a bar for two points, a plate for three. */
export function roundedHull(points: readonly Point[], radius: number): Point[] {
  const hull = convexHull(points);
  const [only] = hull;
  if (hull.length < 2 || !only) return only ? circle(only, radius) : [];
  return hull.flatMap((corner, k) => {
    const before = hull[(k + hull.length - 1) % hull.length] ?? corner;
    const after = hull[(k + 1) % hull.length] ?? corner;
    const from = Math.atan2(corner[1] - before[1], corner[0] - before[0]) - Math.PI / 2;
    let turn = Math.atan2(after[1] - corner[1], after[0] - corner[0]) - Math.PI / 2 - from;
    while (turn <= 0) turn += 2 * Math.PI;
    return arc(corner, radius, from, from + turn, Math.max(2, Math.ceil(turn / 0.2)));
  });
}

/** A chain of strokes ending in an arrow head, as two further strokes. */
export function arrowHead(tip: Point, direction: number, length: number): Point[] {
  const wing = (side: number): Point => [
    tip[0] - length * Math.cos(direction + side * 0.45),
    tip[1] - length * Math.sin(direction + side * 0.45),
  ];
  return [wing(1), tip, wing(-1)];
}

/** A line of the ground with short strokes on its far side. `side`: 1 to the left of its direction. */
export function hatch(sketch: FlatSketch, from: Point, to: Point, unit: number, side: number): void {
  sketch.line([from, to]);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length === 0) return;
  const [ux, uy] = [dx / length, dy / length];
  const count = Math.max(2, Math.round(length / (1.1 * unit)));
  for (let k = 0; k < count; ++k) {
    const s = ((k + 0.9) * length) / count;
    const back = Math.min(s, 1.1 * unit);
    const foot: Point = [from[0] + ux * s, from[1] + uy * s];
    sketch.line([foot, [foot[0] - ux * back - uy * side * back, foot[1] - uy * back + ux * side * back]]);
  }
}

/** A circle of the ground with short strokes. `side`: 1 outside of it, −1 inside. */
export function hatchCircle(sketch: FlatSketch, centre: Point, radius: number, unit: number, side: number): void {
  const corners = circle(centre, radius, Math.min(400, Math.max(24, Math.round((2 * Math.PI * radius) / (2.2 * unit)))));
  corners.forEach((corner, k) => hatch(sketch, corner, corners[(k + 1) % corners.length] ?? corner, unit, -side));
}
