import { CatmullRomCurve3, TubeGeometry } from "three";
import { vector } from "./anatomy.js";
import { type Drawing, solidColour } from "./drawing.js";
import { hang } from "./forms.js";
import type { Colour } from "./paints.js";
import { solidForm } from "./solid_parts.js";

/** Curves of bodies in space, as wires. */
export function drawSolidCurves(drawing: Drawing): void {
  const { frames, mechanism, paints, session, unit } = drawing;
  mechanism.bodies.forEach((body, index) => {
    const colour: Colour = () => (index === 0 ? session.theme.palette.ground : solidColour(drawing, index));
    for (const { line, closed } of body.curves ?? []) {
      const way = new CatmullRomCurve3(line.map(vector), closed);
      const wire = new TubeGeometry(way, line.length, 0.4 * unit, 8, closed);
      hang(frames.frame(index), solidForm([wire]), paints.lit(colour), paints.stroke(colour, { width: () => 1 }));
    }
  });
}
