import { type BufferGeometry, LatheGeometry, type Mesh, Vector2, Vector3 } from "three";
import type { Shape, Tyre } from "../report_data.js";
import { perpendiculars, vector } from "./anatomy.js";
import type { BodyFrames } from "./body_frames.js";
import { bodySelected, type Drawing } from "./drawing.js";
import { type Form, hang } from "./forms.js";
import { type Colour, mixed } from "./paints.js";
import { box, cylinder, lay, solidForm } from "./solid_parts.js";

const kRim = 0.64; // radius of the rim, of the tyre's
const kSpokes = 5;
const kGrooves = 30; // of the tread, around

/** Half the section of a tyre: part of the radius, part of the width. */
const kSection: readonly (readonly [number, number])[] = [
  [kRim, 0.4], [0.7, 0.46], [0.79, 0.5], [0.87, 0.492], [0.935, 0.45], [0.974, 0.39], [0.992, 0.3], [1, 0.16],
];

/** Whether a shape stands for the wheel that carries a tyre: round, about the same axis and centre. */
export function isOfTyre(shape: Shape, { place, axis, radius }: Tyre): boolean {
  if (shape.kind !== "disc" && shape.kind !== "cylinder") return false;
  const aside = vector(shape.centre).sub(vector(place.at));
  const along = vector(axis);
  const isSameAxis = Math.abs(vector(shape.axis).normalize().dot(along)) > 0.999;
  const off = aside.dot(along);
  return isSameAxis && aside.addScaledVector(along, -off).length() < 0.05 * radius && Math.abs(off) < radius;
}

/** Far points of a tyre, axes of its body. */
export function tyreRims({ place, axis, radius, width }: Tyre): Vector3[] {
  const along = vector(axis);
  const [u, v] = perpendiculars(along);
  return [-0.5, 0.5].flatMap((side) =>
    Array.from({ length: 12 }, (_, k) =>
      vector(place.at).addScaledVector(u, radius * Math.cos((k * Math.PI) / 6)).addScaledVector(v, radius * Math.sin((k * Math.PI) / 6)).addScaledVector(along, side * width),
    ),
  );
}

/** Rim, spokes and hub: what of a wheel turns with its body's colour. */
export function wheelParts({ place, axis, radius, width }: Tyre): BufferGeometry[] {
  const centre = vector(place.at);
  const along = vector(axis);
  const barrel = [[0.6, -0.4], [kRim + 0.02, -0.43], [kRim + 0.02, -0.4], [0.61, -0.3], [0.61, 0.3], [kRim + 0.02, 0.4], [kRim + 0.02, 0.43], [0.6, 0.4], [0.58, 0.28], [0.58, -0.28], [0.6, -0.4]] as const;
  const parts: BufferGeometry[] = [
    lay(new LatheGeometry(barrel.map(([r, y]) => new Vector2(r * radius, y * width)), 48), centre, along),
    cylinder(centre, along, 0.17 * radius, 0.62 * width, 24),
  ];
  for (let k = 0; k < kSpokes; ++k) {
    const spoke = box(new Vector3(0.37 * radius, 0, 0), new Vector3(0.46 * radius, 0.3 * width, 0.12 * radius));
    parts.push(lay(spoke.rotateY((2 * Math.PI * k) / kSpokes), centre, along));
  }
  return parts.map((part) => (part.index ? part.toNonIndexed() : part));
}

/** The tyre itself, with strokes across its tread. */
function tyreForm({ place, axis, radius, width }: Tyre): Form {
  const centre = vector(place.at);
  const along = vector(axis);
  const section = [...kSection, ...[...kSection].reverse().map(([r, y]) => [r, -y] as const)];
  const rubber = lay(new LatheGeometry(section.map(([r, y]) => new Vector2(r * radius, y * width)).reverse(), 72), centre, along);
  const [u, v] = perpendiculars(along);
  const grooves: Vector3[] = [];
  const shoulder = section.filter(([r]) => r > 0.93);
  for (let k = 0; k < kGrooves; ++k) {
    const angle = (2 * Math.PI * k) / kGrooves;
    const out = u.clone().multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
    const at = shoulder.map(([r, y]) => centre.clone().addScaledVector(out, 1.002 * r * radius).addScaledVector(along, y * width));
    for (let i = 0; i + 1 < at.length; ++i) grooves.push(at[i]!, at[i + 1]!);
  }
  return solidForm([rubber], [], grooves);
}

/** A light mark on both walls of the tyre, so that it is seen to turn. */
function markForm({ place, axis, radius, width }: Tyre): Form {
  const [centre, along] = [vector(place.at), vector(axis)];
  const marks = [-1, 1].map((side) => box(new Vector3(0.8 * radius, side * 0.485 * width, 0), new Vector3(0.14 * radius, 0.045 * width, 0.05 * radius)));
  return solidForm(marks.map((mark) => lay(mark, centre, along)));
}

/** A tyre that is drawn: where a click finds it is on its body. */
export interface DrawnTyre {
  body: number;
  mesh: Mesh;
}

export function drawTyres(drawing: Drawing): DrawnTyre[] {
  const { mechanism, frames, paints, session } = drawing;
  const drawn: DrawnTyre[] = [];
  for (const tyre of mechanism.tyres ?? []) {
    const { body } = tyre.place;
    const dark = () => session.theme.name === "dark";
    const rubber = () => (bodySelected(session, body) ? mixed(rubberColour(dark()), session.theme.palette.accent, 0.5) : rubberColour(dark()));
    const groove = () => (dark() ? "#24282d" : "#1d2023");
    const { fill } = hang(frames.frame(body), tyreForm(tyre), paints.lit(rubber), paints.stroke(groove, { width: () => 1 }));
    hang(frames.frame(body), markForm(tyre), paints.lit(() => "#e9ecef"), paints.stroke(groove));
    if (fill) drawn.push({ body, mesh: fill });
  }
  return drawn;
}

/** Those of a further recording, translucent, in its colour. */
export function drawGhostTyres({ mechanism, paints }: Drawing, frames: BodyFrames, colour: Colour): void {
  const fill = paints.lit(colour, { opacity: 0.3 });
  const stroke = paints.stroke(colour, { opacity: 0.3, width: () => 1 });
  for (const tyre of mechanism.tyres ?? []) hang(frames.frame(tyre.place.body), tyreForm(tyre), fill, stroke, 30);
}

function rubberColour(isDark: boolean): string {
  return isDark ? "#5a626b" : "#40464d";
}
