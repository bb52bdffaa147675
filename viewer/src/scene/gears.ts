import { ExtrudeGeometry, Path, Shape, Vector2 } from "three";
import { type Drawing, jointFrame, solidColour } from "./drawing.js";
import { circle, FlatSketch } from "./flat_sketch.js";
import { hang } from "./forms.js";
import type { Toothed } from "./meshes.js";
import { solidForm } from "./solid_parts.js";

const kWidth = 3; // of a wheel in space, in symbol units

/** Wheels with teeth and racks, on the bodies that they belong to. */
export function drawToothedParts(drawing: Drawing, parts: readonly Toothed[]): void {
  const { frames, levels, paints, session, unit, mechanism } = drawing;
  for (const part of parts) {
    const frame = jointFrame(frames.frame(part.end.body), part.end);
    const colour = () => (part.end.body === 0 ? session.theme.palette.ground : solidColour(drawing, part.end.body));
    if (mechanism.planar) {
      const sketch = new FlatSketch(levels.supports, levels.step).line(part.outline, true);
      if (part.rim > 0) sketch.line(circle([0, 0], part.rim, 120), true);
      hang(frame, sketch.form(), paints.flat(() => session.theme.palette.background), paints.stroke(colour, { width: () => 1.4 }));
      continue;
    }
    const corners = part.outline.map(([x, y]) => new Vector2(x, y));
    const shape = part.rim > 0 ? new Shape().absarc(0, 0, part.rim, 0, 2 * Math.PI, false) : new Shape(corners);
    if (part.rim > 0) shape.holes.push(new Path(corners));
    const wheel = new ExtrudeGeometry(shape as Shape, { depth: kWidth * unit, bevelEnabled: false, curveSegments: 48 }).translate(0, 0, (-kWidth * unit) / 2);
    hang(frame, solidForm([], [wheel]), paints.lit(colour), paints.stroke(() => session.theme.palette.ink, { width: () => 0.6 }));
  }
}
