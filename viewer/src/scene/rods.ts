import { Vector3 } from "three";
import { type Drawing, type Follower, inkOf } from "./drawing.js";
import { FlatSketch, roundedHull } from "./flat_sketch.js";
import { hang } from "./forms.js";
import { mixed } from "./paints.js";
import { cylinder, solidForm } from "./solid_parts.js";
import { Span } from "./span.js";

/** Rods: thin bars between the two places of their joints. */
export function drawRods({ mechanism, frames, paints, session, unit, levels }: Drawing): Follower[] {
  return mechanism.joints.flatMap((joint, index) => {
    if (joint.kind !== "rod") return [];
    const span = new Span(frames, joint.ends, mechanism.planar);
    const rest = joint.length > 0 ? joint.length : 1;
    const ink = inkOf(session, "joint", index, () => mixed(session.theme.palette.ink, session.theme.palette.ground, 0.5));
    const stroke = paints.stroke(ink, { width: () => 1.6 });
    if (mechanism.planar) {
      const sketch = new FlatSketch(levels.springs, levels.step).face(roundedHull([[0, 0], [rest, 0]], 0.55 * unit));
      hang(span.stretch(rest), sketch.form(), paints.flat(() => session.theme.palette.background), stroke);
    } else {
      const bar = cylinder(new Vector3(rest / 2, 0, 0), new Vector3(1, 0, 0), 0.5 * unit, rest, 14);
      hang(span.stretch(rest), solidForm([bar]), paints.lit(ink), stroke);
    }
    return [span];
  });
}
