import { indexBefore, unpack } from "../numbers.js";
import type { Numbers, Recording, Report } from "../report_data.js";

/** A value, and its standard deviation where one is known. */
export interface Sample {
  value: number;
  sigma?: number;
}

/** What a curve is drawn from. */
export interface CurveSource {
  name: string;
  unit: string;
  values: () => Float64Array;
  sigma?: (() => Float64Array) | undefined;
}

/** One channel of one recording, or what is computed from it; made when it is first asked for. */
export class Curve {
  readonly #channel: CurveSource;
  readonly #times: () => Float64Array;
  #values: Float64Array | undefined;
  #sigma: Float64Array | undefined;
  #extent: [number, number] | undefined;

  constructor(
    readonly recording: number,
    readonly source: Recording,
    channel: CurveSource,
    times: () => Float64Array,
  ) {
    this.#channel = channel;
    this.#times = times;
  }

  get name(): string {
    return this.#channel.name;
  }
  get unit(): string {
    return this.#channel.unit;
  }
  /** "angle" of "crank.angle". */
  get kind(): string {
    return this.name.slice(this.name.lastIndexOf(".") + 1);
  }
  get isReadings(): boolean {
    return this.source.role === "readings";
  }
  get times(): Float64Array {
    return this.#times();
  }
  get values(): Float64Array {
    return (this.#values ??= this.#channel.values());
  }
  get hasSigma(): boolean {
    return this.#channel.sigma !== undefined;
  }
  get sigma(): Float64Array | undefined {
    return (this.#sigma ??= this.#channel.sigma?.());
  }

  /** Smallest and largest value; undefined when there is none. */
  get extent(): [number, number] | undefined {
    if (this.#extent) return this.#extent;
    let low = Infinity;
    let high = -Infinity;
    for (const value of this.values) {
      if (value < low && value > -Infinity) low = value;
      if (value > high && value < Infinity) high = value;
    }
    return low <= high ? (this.#extent = [low, high]) : undefined;
  }

  /** At t: between rows on a line, but as the last row said where the next one jumps; readings as the last one said. */
  at(t: number): Sample | undefined {
    const { times } = this;
    const last = times.length - 1;
    const slack = 1e-9 * (1 + Math.abs(t));
    if (last < 0 || t < times[0]! - slack || (t > times[last]! + slack && !this.isReadings)) return undefined;
    const before = indexBefore(times, t);
    const after = Math.min(before + 1, last);
    const length = times[after]! - times[before]!;
    const along = length > 0 ? Math.min(1, Math.max(0, (t - times[before]!) / length)) : 0;
    const holds = this.isReadings || (along < 1 - 1e-6 && this.#jumpsAfter(before));
    const part = holds ? 0 : along;
    const value = between(this.values, before, after, part);
    if (value === undefined) return undefined;
    const sigma = this.sigma && between(this.sigma, before, after, part);
    return sigma === undefined ? { value } : { value, sigma };
  }

  /** Whether the change from a row to the next is none of a smooth curve: an impact, a correction, an angle that begins anew at ±π. */
  #jumpsAfter(row: number): boolean {
    const change = (k: number) => Math.abs((this.values[k + 1] ?? NaN) - (this.values[k] ?? NaN));
    const here = change(row);
    if (this.unit === "rad" && here > Math.PI) return true;
    const [low, high] = this.extent ?? [0, 0];
    if (!(here > kLeastJump * (high - low))) return false;
    const around: number[] = [];
    for (let k = row - kNeighbours; k <= row + kNeighbours; ++k) if (k !== row && Number.isFinite(change(k))) around.push(change(k));
    around.sort((a, b) => a - b);
    return around.length >= kNeighbours && here > kMostSmooth * (around[around.length >> 1] ?? Infinity);
  }
}

const kNeighbours = 4; // rows on each side
const kMostSmooth = 8; // times the median change of the neighbours
const kLeastJump = 0.01; // of what the curve takes

function between(column: Float64Array, before: number, after: number, part: number): number | undefined {
  const from = column[before] ?? NaN;
  const value = part === 0 ? from : from + part * ((column[after] ?? NaN) - from);
  return Number.isFinite(value) ? value : undefined;
}

const kCurves = new WeakMap<Report, Curve[]>();

/** All channels of all recordings, in the order of the file. */
export function curvesOf(report: Report): readonly Curve[] {
  let curves = kCurves.get(report);
  if (!curves) {
    curves = report.recordings.flatMap(curvesOfRecording);
    kCurves.set(report, curves);
  }
  return curves;
}

function curvesOfRecording(recording: Recording, index: number): Curve[] {
  const common = once(recording.times);
  return recording.channels.map(({ name, unit, values, sigma, times }) => {
    const source = { name, unit, values: () => unpack(values), sigma: sigma && (() => unpack(sigma)) };
    return new Curve(index, recording, source, times ? once(times) : common);
  });
}

function once(numbers: Numbers): () => Float64Array {
  let unpacked: Float64Array | undefined;
  return () => (unpacked ??= unpack(numbers));
}
