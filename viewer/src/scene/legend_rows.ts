import { arrowColour } from "./arrows.js";
import type { Content } from "./content.js";
import { hypothesesColour } from "./drawing.js";
import type { Layers } from "./layers.js";
import type { LegendRow } from "./legend.js";

const kPrefixes: readonly (readonly [number, string])[] = [[1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"]];

const kPeak = 1.5; // times the usual size: told apart

/** Recordings and clouds where there is more than one thing to tell apart; arrows with their usual and largest size. */
export function legendRows({ drawing, ghosts, particles, arrows }: Content, layers: Layers): LegendRow[] {
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
  for (const [kind, { usual, largest }] of arrows.sizesOf) {
    const unit = kind === "torque" ? "N m" : "N";
    const peak = largest > kPeak * usual ? `, peak ${withPrefix(largest)}${unit}` : "";
    const text = `${kind}, up to ${withPrefix(peak ? usual : largest)}${unit}${peak}`;
    rows.push({ text, colour: () => arrowColour(drawing, kind), kind: "arrow", visible: () => arrows.root.visible });
  }
  return rows;
}

/** Three digits and a prefix: "1.25 k". */
function withPrefix(value: number): string {
  const [factor, prefix] = kPrefixes.find(([least]) => value >= least) ?? [1, ""];
  return `${Number((value / factor).toPrecision(3))} ${prefix}`;
}
