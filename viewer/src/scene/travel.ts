import { Matrix4, Vector3 } from "three";
import type { MotionTrack } from "../motion.js";
import type { Attachment, Joint, JointEnd } from "../report_data.js";
import { type Drawing, endTurn, railAndBlock } from "./drawing.js";
import { poseMatrix, sampleTimes } from "./extent.js";

const kSamples = 120;

/** Between which values something stays over a motion. */
export type Range = [number, number];

function range(track: MotionTrack, value: (t: number) => number): Range {
  let [least, most] = [Infinity, -Infinity];
  for (const t of sampleTimes(track, kSamples)) {
    const v = value(t);
    if (!Number.isFinite(v)) continue;
    least = Math.min(least, v);
    most = Math.max(most, v);
  }
  return least <= most ? [least, most] : [0, 0];
}

/** Where a place is along an axis of a frame on another body: 0, 1, 2 for x, y, z. */
export function travelAlong(track: MotionTrack, frame: JointEnd, place: Attachment, axis: 0 | 1 | 2): Range {
  const [first, second] = [new Matrix4(), new Matrix4()];
  const direction = new Vector3().setComponent(axis, 1).applyQuaternion(endTurn(frame));
  const origin = new Vector3(...frame.at);
  return range(track, (t) => {
    poseMatrix(track, frame.body, t, first).invert();
    poseMatrix(track, place.body, t, second);
    return new Vector3(...place.at).applyMatrix4(second).applyMatrix4(first).sub(origin).dot(direction);
  });
}

/** At which angles about z of a frame a place on another body is, from x; it has gone round where they are a turn apart. */
export function travelAround(track: MotionTrack, frame: JointEnd, place: Attachment): Range {
  const [first, second] = [new Matrix4(), new Matrix4()];
  const turn = endTurn(frame).invert();
  let before = 0;
  return range(track, (t) => {
    poseMatrix(track, frame.body, t, first).invert();
    poseMatrix(track, place.body, t, second);
    const { x, y } = new Vector3(...place.at).applyMatrix4(second).applyMatrix4(first).sub(new Vector3(...frame.at)).applyQuaternion(turn);
    before += Math.atan2(Math.sin(Math.atan2(y, x) - before), Math.cos(Math.atan2(y, x) - before));
    return before;
  });
}

export function distanceRange(track: MotionTrack, [a, b]: readonly [Attachment, Attachment]): Range {
  const matrix = new Matrix4();
  const world = (place: Attachment, t: number) => new Vector3(...place.at).applyMatrix4(poseMatrix(track, place.body, t, matrix));
  return range(track, (t) => world(a, t).distanceTo(world(b, t)));
}

/** Where on its rail the block of a prismatic joint is in the middle of its way. */
export function middleOfWay({ frames }: Drawing, joint: Joint): number {
  const [rail, block] = railAndBlock(joint);
  const [least, most] = travelAlong(frames.track, rail, block, 0);
  return (least + most) / 2;
}

/** Mean of where one place is seen from another, over the motion, world axes. */
export function meanOffset(track: MotionTrack, from: Attachment, to: Attachment): Vector3 {
  const matrix = new Matrix4();
  const sum = new Vector3();
  const times = sampleTimes(track, kSamples);
  for (const t of times) {
    sum.add(new Vector3(...to.at).applyMatrix4(poseMatrix(track, to.body, t, matrix)));
    sum.sub(new Vector3(...from.at).applyMatrix4(poseMatrix(track, from.body, t, matrix)));
  }
  return sum.divideScalar(Math.max(1, times.length));
}
