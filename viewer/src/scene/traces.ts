import { Group, Matrix4, Mesh, SphereGeometry, Vector3 } from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { MotionTrack } from "../motion.js";
import type { Attachment } from "../report_data.js";
import { type Drawing, type Follower, solidColour } from "./drawing.js";
import { poseMatrix } from "./extent.js";
import { mixed } from "./paints.js";

/** Paths of points of interest: the whole faint, what is done so far strong. */
export class Traces implements Follower {
  readonly root = new Group();
  readonly #tracks: { place: Attachment; done: LineSegments2; dot: Mesh }[] = [];
  readonly #track: MotionTrack;

  constructor(private readonly drawing: Drawing) {
    this.#track = drawing.frames.track;
    if (this.#track.times.length < 2) return;
    this.root.position.z = drawing.levels.springs; // the path is seen over the bodies
    const { session, paints, unit } = drawing;
    for (const place of drawing.mechanism.traces) {
      const colour = () => solidColour(drawing, place.body);
      const path = this.#path(place);
      const whole = new LineSegmentsGeometry().setPositions(path);
      const done = new LineSegmentsGeometry();
      for (const name of ["instanceStart", "instanceEnd"]) {
        const shared = whole.getAttribute(name);
        if (shared) done.setAttribute(name, shared);
      }
      const faint = paints.stroke(() => mixed(colour(), session.theme.palette.background, 0.45), { width: () => 1.2 });
      const strong = paints.stroke(colour, { width: () => 2.4 });
      [strong.polygonOffset, strong.polygonOffsetFactor, strong.polygonOffsetUnits] = [true, -1, -8]; // over the faint one
      const line = new LineSegments2(whole, faint);
      const doneLine = new LineSegments2(done, strong);
      doneLine.position.z = drawing.levels.step;
      doneLine.renderOrder = 1;
      for (const one of [line, doneLine]) one.frustumCulled = false;
      const dot = new Mesh(new SphereGeometry(0.5 * unit, 14, 10), paints.flat(colour));
      this.root.add(line, doneLine, dot);
      this.#tracks.push({ place, done: doneLine, dot });
    }
  }

  get count(): number {
    return this.#tracks.length;
  }

  follow(t: number): void {
    if (!this.root.visible) return;
    const { before, part } = this.#track.place(t);
    for (const { place, done, dot } of this.#tracks) {
      const pieces = before + (part > 0.5 ? 1 : 0);
      done.geometry.instanceCount = pieces;
      done.visible = pieces > 0;
      this.drawing.frames.world(place, dot.position);
      dot.position.z += this.drawing.levels.joints;
    }
  }

  /** Pairs of ends of the path's pieces, frame by frame. */
  #path(place: Attachment): Float32Array {
    const { times } = this.#track;
    const positions = new Float32Array(6 * (times.length - 1));
    const matrix = new Matrix4();
    const point = new Vector3();
    times.forEach((t, k) => {
      point.set(...place.at).applyMatrix4(poseMatrix(this.#track, place.body, t, matrix));
      if (k + 1 < times.length) point.toArray(positions, 6 * k);
      if (k > 0) point.toArray(positions, 6 * k - 3);
    });
    return positions;
  }
}
