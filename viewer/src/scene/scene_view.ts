import type { BodyPose } from "../motion.js";
import type { Session } from "../session.js";

/** The mechanism in three dimensions, at the time of the clock. */
export class SceneView {
  constructor(_container: HTMLElement, _session: Session) {}

  /** Draws what has changed; called before every picture of the browser. True when something was drawn. */
  draw(): boolean {
    return false;
  }
  /** Everything into view, as at the beginning. */
  fit(): void {}
  /** Where a body of a recording is drawn, read back from the drawn object. */
  drawnPose(_recording: number, _body: number): BodyPose | undefined {
    return undefined;
  }
  /** Where on the page an element is drawn, in pixels from the upper left corner of the canvas; for tests that click. */
  screenPosition(_kind: "body" | "joint" | "sensor", _index: number): { x: number; y: number } | undefined {
    return undefined;
  }
  /** Bodies of particles that are drawn now. */
  get drawnParticles(): number {
    return 0;
  }
}
