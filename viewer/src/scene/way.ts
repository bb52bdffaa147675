import { Matrix4, Vector3 } from "three";
import type { MotionTrack } from "../motion.js";
import type { Tyre } from "../report_data.js";
import { poseMatrix } from "./extent.js";
import type { RoadHeights } from "./road_heights.js";

const kSmoothed = 8; // m of the way before and behind over which a hilly road is smoothed

/** Where a vehicle has come to: the middle of its wheels, as seen from where that was at the beginning. It goes with the road, not with its
 * bumps, so that an eye which goes along sees the vehicle bounce and not the world. */
export class Way {
  /** How far it comes from where it began [m]. */
  readonly reach: number;
  readonly #columns: [Float64Array, Float64Array, Float64Array];

  constructor(
    private readonly track: MotionTrack,
    tyres: readonly Tyre[],
    road: RoadHeights | undefined,
  ) {
    const matrix = new Matrix4();
    const at = new Vector3();
    const middles = Array.from(track.times, (t) => {
      const middle = new Vector3();
      for (const { place } of tyres) middle.add(at.set(...place.at).applyMatrix4(poseMatrix(track, place.body, t, matrix)));
      return middle.divideScalar(tyres.length);
    });
    const plane = (p: Vector3) => road?.plane(p.x, p.y) ?? 0;
    const over = smoothed(middles, middles.map((p) => p.z - plane(p)));
    const [first = new Vector3()] = middles;
    const begin = plane(first) + (over[0] ?? 0);
    this.#columns = [
      Float64Array.from(middles, (p) => p.x - first.x),
      Float64Array.from(middles, (p) => p.y - first.y),
      Float64Array.from(middles, (p, k) => plane(p) + (over[k] ?? 0) - begin),
    ];
    this.reach = Math.max(0, ...middles.map((p) => Math.hypot(p.x - first.x, p.y - first.y)));
  }

  at(t: number, out: Vector3): Vector3 {
    const { before, after, part } = this.track.place(t);
    this.#columns.forEach((column, k) => out.setComponent(k, (column[before] ?? 0) * (1 - part) + (column[after] ?? 0) * part));
    return out;
  }
}

/** Mean of values over some of the way before and behind, as far as there is on both sides: a slope stays what it is. */
function smoothed(places: readonly Vector3[], values: readonly number[]): number[] {
  const way = [0]; // to each place
  const sum = [0]; // integral of the values over it
  for (let k = 1; k < places.length; ++k) {
    const step = Math.hypot(places[k]!.x - places[k - 1]!.x, places[k]!.y - places[k - 1]!.y);
    way.push(way[k - 1]! + step);
    sum.push(sum[k - 1]! + (step * (values[k]! + values[k - 1]!)) / 2);
  }
  const end = way[way.length - 1]!;
  let [low, high] = [0, 0];
  const integral = (s: number, from: number): [number, number] => {
    let k = from;
    while (k + 1 < way.length - 1 && way[k + 1]! <= s) ++k;
    const step = (way[k + 1] ?? end) - way[k]!;
    const part = step > 0 ? Math.min(1, (s - way[k]!) / step) : 0;
    return [sum[k]! + part * ((sum[k + 1] ?? sum[k]!) - sum[k]!), k];
  };
  return values.map((value, k) => {
    const half = Math.min(kSmoothed, way[k]!, end - way[k]!);
    if (!(half > 1e-3)) return value;
    let [first, last] = [0, 0];
    [first, low] = integral(way[k]! - half, low);
    [last, high] = integral(way[k]! + half, high);
    return (last - first) / (2 * half);
  });
}
