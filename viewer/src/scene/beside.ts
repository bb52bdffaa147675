import { Matrix4, Quaternion, Vector3 } from "three";
import { unpack } from "../numbers.js";
import type { Cloud } from "../report_data.js";
import type { Session } from "../session.js";
import { type PlacedBody, poseMatrix, sampleTimes } from "./extent.js";

const kMostFrames = 60;
const kMostHypotheses = 400;
const kColumns = 7;

/** Where bodies of ghosts and hypotheses come to, a few of each: beside what is drawn solid. */
export function* placedBeside(session: Session, solid: number): Generator<PlacedBody> {
  const bodies = session.report.mechanism?.bodies.length ?? 1;
  const matrix = new Matrix4();
  for (const [recording, track] of session.tracks.entries()) {
    if (!track || recording === solid || track.times.length === 0) continue;
    for (const t of sampleTimes(track, kMostFrames))
      for (let body = 1; body < bodies; ++body) yield { body, matrix: poseMatrix(track, body, t, matrix) };
  }
  for (const cloud of session.report.clouds) yield* placedHypotheses(cloud, bodies, matrix);
}

function* placedHypotheses(cloud: Cloud, bodies: number, matrix: Matrix4): Generator<PlacedBody> {
  const columns = cloud.poses.map(unpack);
  const count = columns[0]?.length ?? 0;
  const stride = Math.max(1, Math.ceil(count / kMostHypotheses));
  const one = new Vector3(1, 1, 1);
  for (let k = 0; k < count; k += stride)
    for (let body = 1; body < bodies; ++body) {
      const at = (c: number) => columns[kColumns * (body - 1) + c]?.[k] ?? 0;
      yield { body, matrix: matrix.compose(new Vector3(at(0), at(1), at(2)), new Quaternion(at(4), at(5), at(6), at(3)), one) };
    }
}
