import { Group, type Object3D, Vector3 } from "three";
import type { Attachment } from "../report_data.js";
import type { BodyFrames } from "./body_frames.js";
import type { Follower } from "./drawing.js";

const kX = new Vector3(1, 0, 0);

/** Something between two places: `near` stands at the first with x to the second, `far` at the second with x back to the first. */
export class Span implements Follower {
  readonly near = new Group();
  readonly far = new Group();
  readonly #stretched: { object: Object3D; rest: number }[] = [];
  readonly #from = new Vector3();
  readonly #to = new Vector3();
  readonly #along = new Vector3();

  constructor(
    private readonly frames: BodyFrames,
    private readonly ends: readonly [Attachment, Attachment],
    private readonly planar: boolean,
  ) {
    frames.root.add(this.near, this.far);
  }

  /** A part of `near` that was made `rest` long along x and is always as long as the distance. */
  stretch(rest: number): Group {
    const object = new Group();
    this.near.add(object);
    this.#stretched.push({ object, rest });
    return object;
  }

  follow(): void {
    this.frames.world(this.ends[0], this.#from);
    this.frames.world(this.ends[1], this.#to);
    this.#along.subVectors(this.#to, this.#from);
    const length = this.#along.length();
    this.near.position.copy(this.#from);
    this.far.position.copy(this.#to);
    if (length > 0) {
      this.#along.divideScalar(length);
      this.#turn(this.near, this.#along);
      this.#turn(this.far, this.#along.negate());
    }
    for (const { object, rest } of this.#stretched) object.scale.x = Math.max(1e-6, length / rest);
  }

  /** In the plane about z alone, so that what lies above stays above. */
  #turn(group: Group, x: Vector3): void {
    if (this.planar) group.rotation.z = Math.atan2(x.y, x.x);
    else group.quaternion.setFromUnitVectors(kX, x);
  }
}
