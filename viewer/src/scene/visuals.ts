import type { Shape } from "../report_data.js";
import type { Drawing } from "./drawing.js";
import { solidColour } from "./drawing.js";
import { flatShape } from "./flat_body.js";
import { FlatSketch } from "./flat_sketch.js";
import { type Form, hang } from "./forms.js";
import { mixed } from "./paints.js";
import { solidShape } from "./solid_body.js";
import { isOfTyre } from "./tyres.js";

const kOpacity = 0.22;
const kGroundOpacity = 0.12; // what stands still is before much that moves

/** What bodies and the ground show beside their shapes, such as tyres and a chassis: seen through, below all else. */
export function drawVisuals(drawing: Drawing): void {
  const { mechanism, frames, paints, session } = drawing;
  mechanism.bodies.forEach((body, index) => {
    const colour = () => (index === 0 ? session.theme.palette.ground : solidColour(drawing, index));
    const edge = () => mixed(colour(), session.theme.palette.background, 0.35);
    const tyres = (mechanism.tyres ?? []).filter(({ place }) => place.body === index);
    for (const visual of body.visuals ?? []) {
      if (tyres.some((tyre) => isOfTyre(visual, tyre))) continue;
      const opacity = index === 0 ? kGroundOpacity : kOpacity;
      const fill = mechanism.planar ? paints.flat(colour, { opacity }) : paints.lit(colour, { opacity });
      fill.depthWrite = false;
      hang(frames.frame(index), formOf(visual, drawing), fill, paints.stroke(edge, { opacity: 0.7, width: () => 1 }));
    }
  });
}

function formOf(visual: Shape, { mechanism, unit, levels }: Drawing): Form {
  if (!mechanism.planar) return solidShape(visual, unit);
  return new FlatSketch(levels.step / 2, levels.step).face(flatShape(visual, unit)).form();
}
