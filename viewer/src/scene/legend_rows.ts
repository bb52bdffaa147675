import type { ArrowSizes } from "./arrow_scale.js";
import { arrowColour } from "./arrows.js";
import { alongColour, contactColour, loadColour } from "./contacts.js";
import type { Content } from "./content.js";
import { hypothesesColour } from "./drawing.js";
import type { Layers } from "./layers.js";
import type { LegendRow } from "./legend.js";
import { slipperyColour } from "./road.js";

const kPrefixes: readonly (readonly [number, string])[] = [[1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"]];

const kPeak = 1.5; // times the usual size: told apart

/** Recordings and clouds where there is more than one thing to tell apart; arrows with their usual and largest size. */
export function legendRows({ drawing, ghosts, particles, arrows, contacts, road }: Content, layers: Layers): LegendRow[] {
  const { session, solid, several } = drawing;
  const { recordings } = session.report;
  const rows: LegendRow[] = [];
  const name = (recording: number) => recordings[recording]?.name ?? "";
  const colourOf = (recording: number) => () => session.recordingColour(Math.max(0, recording));
  const hiding = (recording: number) => ({
    hidden: () => session.hidden.has(recording),
    toggle: () => session.hidden.toggle(recording),
  });
  if (several) {
    rows.push({ text: `${name(solid)} (solid)`, colour: colourOf(solid), kind: "solid", visible: () => true, hiding: hiding(solid) });
  }
  for (const recording of ghosts.keys()) {
    const visible = () => layers.isOn("ghosts");
    rows.push({ text: name(recording), colour: colourOf(recording), kind: "ghost", visible, hiding: hiding(recording) });
  }
  for (const { recording, cloud } of particles) {
    const text = particles.length > 1 ? `particles of ${name(recording)}` : "its particles";
    rows.push({ text, colour: () => hypothesesColour(drawing, recording), kind: "dots", visible: () => cloud.root.visible });
  }
  const { road: { friction = 1, right } = {} } = session.report;
  if (road && right && right.friction !== friction) {
    const sides: [number, string][] = [[friction, "on the left"], [right.friction, "on the right"]];
    const text = sides.sort(([a], [b]) => a - b).map(([factor, side]) => `× ${Number(factor.toPrecision(3))} ${side}`).join(", ");
    rows.push({ text: `friction ${text}`, colour: () => slipperyColour(drawing), kind: "solid", visible: () => layers.isOn("road") });
  }
  if (contacts.count > 0) {
    const visible = () => contacts.root.visible;
    const { meanLoad, largest } = contacts;
    const [mean, load, along] = [meanLoad, largest.load, largest.along].map((size) => `${withPrefix(size)}N`);
    rows.push({ text: "contact point; a ring in the air", colour: () => contactColour(drawing), kind: "dots", visible });
    rows.push({ text: `tyre load F_z, mean ${mean}, peak ${load}`, colour: () => loadColour(drawing), kind: "arrow", visible });
    if (largest.along > 0) {
      rows.push({ text: `tyre force F_x, F_y, peak ${along}`, colour: () => alongColour(drawing), kind: "arrow", visible });
    }
  }
  for (const [kind, sizes] of arrows.sizesOf) {
    const text = sizeText(kind, kind === "torque" ? "N m" : "N", sizes);
    rows.push({ text, colour: () => arrowColour(drawing, kind), kind: "arrow", visible: () => arrows.root.visible });
  }
  return rows;
}

/** "force, up to 1.2 kN", with its peak where that is told apart. */
function sizeText(what: string, unit: string, { usual, largest }: ArrowSizes): string {
  const peak = largest > kPeak * usual ? `, peak ${withPrefix(largest)}${unit}` : "";
  return `${what}, up to ${withPrefix(peak ? usual : largest)}${unit}${peak}`;
}

/** Three digits and a prefix: "1.25 k". */
function withPrefix(value: number): string {
  const [factor, prefix] = kPrefixes.find(([least]) => value >= least) ?? [1, ""];
  return `${Number((value / factor).toPrecision(3))} ${prefix}`;
}
