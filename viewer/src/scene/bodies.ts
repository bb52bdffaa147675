import { Group, type Mesh, MeshBasicMaterial, MeshPhongMaterial } from "three";
import { isItsWheels } from "./anatomy.js";
import type { BodyFrames } from "./body_frames.js";
import { bodySelected, type Drawing, solidColour } from "./drawing.js";
import { flatArea, flatBody, kLevelsPerBody } from "./flat_body.js";
import { type Form, hang } from "./forms.js";
import { mixed } from "./paints.js";
import { solidBody } from "./solid_body.js";
import { drawGhostTyres } from "./tyres.js";

/** Forms of all bodies; the ground has one only where it has a shape, wheels or cams. On paper the large lie below the small. */
export function bodyForms({ bodies, mechanism, unit, levels }: Drawing): (Form | undefined)[] {
  const fromLargest = [...bodies].sort((a, b) => flatArea(b, unit) - flatArea(a, unit)).map(({ body }) => body);
  return bodies.map((whole) => {
    const isBareGround = whole.body === 0 && !whole.shape;
    const anatomy = isBareGround ? { ...whole, places: [] } : whole; // what it holds is not held together
    if (isBareGround && !isItsWheels(anatomy)) return undefined;
    if (!mechanism.planar) return solidBody(anatomy, unit);
    const level = 1 + kLevelsPerBody * fromLargest.indexOf(anatomy.body);
    return flatBody(anatomy, unit, level * levels.step, levels.step);
  });
}

/** The bodies of the recording that is drawn solid. Returns the faces that can be clicked on. */
export function drawBodies(drawing: Drawing, forms: readonly (Form | undefined)[]): (Mesh | undefined)[] {
  const { session, mechanism, frames, paints } = drawing;
  return forms.map((form, body) => {
    if (!form) return undefined;
    const selected = () => bodySelected(session, body);
    const colour = () => (selected() ? session.theme.palette.accent : solidColour(drawing, body));
    if (mechanism.planar) {
      const pale = () => mixed(colour(), session.theme.palette.background, selected() ? 0.5 : 0.76);
      const stroke = paints.stroke(colour, { width: () => (selected() ? 3.2 : 1.8) });
      const { fill, strokes } = hang(frames.frame(body), form, paints.flat(pale), stroke);
      if (drawing.several && strokes) {
        strokes.position.z = drawing.levels.springs; // outlines are seen over ghosts and hypotheses
        strokes.updateMatrix();
      }
      return fill;
    }
    const shade = () => (session.theme.name === "dark" ? "#000000" : session.theme.palette.ink);
    const edge = () => (selected() ? session.theme.palette.accent : mixed(colour(), shade(), 0.45));
    const paint = paints.lit(colour);
    paints.follow(() => {
      paint.emissive.set(selected() ? colour() : "#000000");
      paint.emissiveIntensity = 0.35;
    });
    return hang(frames.frame(body), form, paint, paints.stroke(edge, { width: () => (selected() ? 2.5 : 1) })).fill;
  });
}

export function drawnColour({ material }: Mesh): string | undefined {
  const coloured = material instanceof MeshBasicMaterial || material instanceof MeshPhongMaterial;
  return coloured ? `#${material.color.getHexString()}` : undefined;
}

/** All bodies of a further recording, translucent, in its colour. */
export function drawGhost(drawing: Drawing, frames: BodyFrames, forms: readonly (Form | undefined)[], colour: () => string): Group {
  const { mechanism, paints, levels, session } = drawing;
  const ghosts = session.tracks.filter((track) => track !== undefined).length - 1; // that lie upon each other when filters agree
  const fill = mechanism.planar ? paints.flat(colour, { opacity: 0.16 / ghosts }) : paints.lit(colour, { opacity: 0.3 });
  const stroke = paints.stroke(colour, { opacity: mechanism.planar ? 0.85 : 0.5, width: () => 1.6 });
  forms.forEach((form, body) => {
    if (form && body > 0) hang(frames.frame(body), form, fill, stroke, 30);
  });
  drawGhostTyres(drawing, frames, colour);
  frames.root.position.z = levels.ghosts;
  return frames.root;
}
