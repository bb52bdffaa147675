import { type BufferGeometry, TorusGeometry, Vector3 } from "three";
import type { Drawing } from "./drawing.js";
import { arrowColour } from "./arrows.js";
import { arc, arrowHead, circle, FlatSketch, type Point } from "./flat_sketch.js";
import { hang } from "./forms.js";
import { ball, solidForm } from "./solid_parts.js";
import { jointFrame } from "./drawing.js";

/** Where loads act: a dot in a ring for a force, an arc for a torque. How large they are is shown by arrows. */
export function drawLoads(drawing: Drawing): void {
  const { mechanism, frames, paints, unit, levels } = drawing;
  for (const load of mechanism.loads) {
    const joint = load.joint === undefined ? undefined : mechanism.joints[load.joint];
    const end = joint?.ends[0] ?? (load.place && { ...load.place, axes: [1, 0, 0, 0] as [number, number, number, number] });
    if (!end) continue;
    const colour = () => arrowColour(drawing, load.kind === "force" ? "force" : "torque");
    const frame = jointFrame(frames.frame(end.body), end);
    const turns = load.kind !== "force";
    if (mechanism.planar) {
      const sketch = new FlatSketch(levels.sensors, levels.step);
      if (turns) {
        const tip: Point = [2.4 * unit * Math.cos(1.3 * Math.PI), 2.4 * unit * Math.sin(1.3 * Math.PI)];
        sketch.line(arc([0, 0], 2.4 * unit, 0.1 * Math.PI, 1.3 * Math.PI)).line(arrowHead(tip, 1.85 * Math.PI, unit));
      } else sketch.line(circle([0, 0], 1.5 * unit), true).area(circle([0, 0], 0.5 * unit));
      hang(frame, sketch.form(), paints.flat(colour), paints.stroke(colour, { width: () => 1.8 }));
    } else {
      const ring = () => new TorusGeometry(1.5 * unit, 0.18 * unit, 8, 32);
      const parts: BufferGeometry[] = turns
        ? [new TorusGeometry(2.4 * unit, 0.22 * unit, 8, 32, 1.2 * Math.PI)]
        : [ball(new Vector3(), 0.6 * unit), ring(), ring().rotateX(Math.PI / 2)];
      hang(frame, solidForm(parts), paints.lit(colour), paints.stroke(colour));
    }
  }
}
