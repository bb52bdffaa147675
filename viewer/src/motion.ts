import { indexBefore, unpack } from "./numbers.js";
import type { Motion, Quaternion, Vec3 } from "./report_data.js";

export interface BodyPose {
  position: Vec3; // of the body's origin, world axes [m]
  rotation: Quaternion; // w, x, y, z
}

const kColumns = 7;

/** Where bodies are at any instant of a recorded motion: linear between frames, quaternions the short way round and of unit length. */
export class MotionTrack {
  readonly times: Float64Array;
  readonly #columns: Float64Array[];

  constructor(motion: Motion) {
    this.times = unpack(motion.times);
    this.#columns = motion.poses.map(unpack);
  }

  get begin(): number {
    return this.times[0]!;
  }
  get end(): number {
    return this.times[this.times.length - 1]!;
  }

  /** Frames before and after t, and how far t is between them: 0 … 1. Outside: the first or last frame. */
  place(t: number): { before: number; after: number; part: number } {
    const before = indexBefore(this.times, t);
    const after = Math.min(before + 1, this.times.length - 1);
    const length = this.times[after]! - this.times[before]!;
    const part = length > 0 ? Math.min(1, Math.max(0, (t - this.times[before]!) / length)) : 0;
    return { before, after, part };
  }

  /** Pose of a body (1: the first that moves; 0, the ground, does not) at t. */
  pose(body: number, t: number): BodyPose {
    if (body === 0) return { position: [0, 0, 0], rotation: [1, 0, 0, 0] };
    const { before, after, part } = this.place(t);
    const first = kColumns * (body - 1);
    const between = (c: number, sign: number) =>
      this.#columns[first + c]![before]! * (1 - part) + sign * this.#columns[first + c]![after]! * part;
    let dot = 0;
    for (let c = 3; c < kColumns; ++c) dot += this.#columns[first + c]![before]! * this.#columns[first + c]![after]!;
    const sign = dot < 0 ? -1 : 1;
    const q = [between(3, sign), between(4, sign), between(5, sign), between(6, sign)];
    const norm = Math.hypot(...q) || 1;
    return {
      position: [between(0, 1), between(1, 1), between(2, 1)],
      rotation: [q[0]! / norm, q[1]! / norm, q[2]! / norm, q[3]! / norm],
    };
  }
}
