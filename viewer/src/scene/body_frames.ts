import { Group, Vector3 } from "three";
import type { BodyPose, MotionTrack } from "../motion.js";
import type { Attachment } from "../report_data.js";

/** The frames of all bodies of one recording; what is drawn of a body hangs in its frame. */
export class BodyFrames {
  readonly root = new Group();
  readonly frames: readonly Group[];

  constructor(
    bodies: number,
    readonly track: MotionTrack,
  ) {
    this.frames = Array.from({ length: bodies }, () => new Group());
    this.root.add(...this.frames);
  }

  /** To where the bodies are at t; matrices are current afterwards. */
  show(t: number): void {
    for (let body = 1; body < this.frames.length; ++body) {
      const { position, rotation } = this.track.pose(body, t);
      const frame = this.frame(body);
      frame.position.set(...position);
      frame.quaternion.set(rotation[1], rotation[2], rotation[3], rotation[0]);
    }
    this.root.updateMatrixWorld(true);
  }
  frame(body: number): Group {
    const found = this.frames[body];
    if (!found) throw new RangeError(`no body ${body}`);
    return found;
  }
  /** Where a place on a body is now. */
  world(place: Attachment, out: Vector3): Vector3 {
    return out.set(...place.at).applyMatrix4(this.frame(place.body).matrixWorld);
  }
  drawnPose(body: number): BodyPose | undefined {
    const frame = this.frames[body];
    if (!frame) return undefined;
    const { position: p, quaternion: q } = frame;
    return { position: [p.x, p.y, p.z], rotation: [q.w, q.x, q.y, q.z] };
  }
}
