import { Vector3 } from "three";
import { type Drawing, type Follower, inkOf } from "./drawing.js";
import { FlatSketch, rectangle } from "./flat_sketch.js";
import { hang } from "./forms.js";
import { mixed } from "./paints.js";
import { cylinder, solidForm } from "./solid_parts.js";
import { Span } from "./span.js";
import { distanceRange } from "./travel.js";

/** Linear actuators: a barrel at the first place, and a rod at the second that slides in it. */
export function drawLinearActuators({ mechanism, frames, paints, session, unit, levels }: Drawing): Follower[] {
  return mechanism.joints.flatMap((joint, index) => {
    if (joint.kind !== "linear_actuator") return [];
    const span = new Span(frames, joint.ends, mechanism.planar);
    const [shortest, longest] = distanceRange(frames.track, joint.ends);
    const barrel = 0.85 * shortest;
    const rod = Math.min(0.95 * shortest, longest - 0.3 * barrel);
    const ink = inkOf(session, "joint", index, () => mixed(session.theme.palette.ink, session.theme.palette.ground, 0.5));
    const stroke = paints.stroke(ink, { width: () => 1.6 });
    const paper = paints.flat(() => session.theme.palette.background);
    for (const [group, length, radius, level] of [[span.far, rod, 0.35 * unit, levels.springs], [span.near, barrel, 0.9 * unit, levels.springs + levels.step]] as const) {
      if (mechanism.planar) {
        const sketch = new FlatSketch(level, levels.step).face(rectangle([length / 2, 0], length / 2, radius));
        hang(group, sketch.form(), paper, stroke);
      } else {
        const bar = cylinder(new Vector3(length / 2, 0, 0), new Vector3(1, 0, 0), radius, length, 20);
        hang(group, solidForm([bar]), paints.lit(ink), stroke);
      }
    }
    return [span];
  });
}
