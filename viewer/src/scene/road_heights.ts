import { indexBefore, unpack } from "../numbers.js";
import type { Road } from "../report_data.js";

/** Heights of the road in a report. */
export class RoadHeights {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The greatest distance from its plane [m]. */
  readonly highest: number;
  readonly #over: Float64Array;

  constructor(private readonly road: Road) {
    this.x = unpack(road.x);
    this.y = unpack(road.y);
    this.#over = unpack(road.height);
    this.highest = this.#over.reduce((most, height) => Math.max(most, Math.abs(height)), 0);
  }

  plane(x: number, y: number): number {
    const [z, slopeX, slopeY] = this.road.plane;
    return z + slopeX * x + slopeY * y;
  }
  /** Over the plane, at a place of the grid. */
  over(i: number, j: number): number {
    return this.#over[i * this.y.length + j] ?? 0;
  }
  /** At any place; outside of the grid as at its edge, over the plane. */
  at(x: number, y: number): number {
    const [i, u] = between(this.x, x);
    const [j, v] = between(this.y, y);
    const along = (k: number) => this.over(i, k) * (1 - u) + this.over(i + 1, k) * u;
    return this.plane(x, y) + along(j) * (1 - v) + along(j + 1) * v;
  }
}

function between(values: Float64Array, x: number): [number, number] {
  const k = Math.min(indexBefore(values, x), Math.max(0, values.length - 2));
  const step = (values[k + 1] ?? 0) - (values[k] ?? 0);
  return [k, step > 0 ? Math.min(1, Math.max(0, (x - (values[k] ?? 0)) / step)) : 0];
}
