import "./inspector.css";
import { button, element } from "../dom.js";
import type { BodyPose } from "../motion.js";
import { curvesOf } from "../plots/curves.js";
import type { Curve } from "../plots/curves.js";
import { deviationText, unitText, valueText } from "../plots/number_text.js";
import type { Session } from "../session.js";
import { subjectOf } from "./inspector_facts.js";
import type { Subject } from "./inspector_facts.js";

const kPeriod = 1000 / 15; // [ms] numbers that change faster cannot be read
const kMostChannels = 16;

/** A row of values that change: one cell for each recording that has it. */
interface LiveRow {
  label: string;
  unit: string;
  texts: Map<number, (t: number) => string>; // by recording
}

/** Name, facts and current values of what is selected. */
export function makeInspector(container: HTMLElement, session: Session): void {
  let update: ((t: number) => void) | undefined;
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    clearTimeout(timer);
    timer = undefined;
    last = performance.now();
    update?.(session.clock.time);
  };
  const show = () => {
    const subject = subjectOf(session.selection.selected, session);
    update = undefined;
    container.replaceChildren();
    if (!subject) return;
    const live = makeLiveTable(liveRows(subject, session), session);
    container.append(makeHead(subject, session), ...makeFacts(subject), ...live.parts);
    update = live.update;
    refresh();
  };
  session.selection.watch(show);
  session.theme.watch(show);
  session.clock.watch(() => {
    if (!update) return;
    const wait = kPeriod - (performance.now() - last);
    if (!session.clock.playing || wait <= 0) refresh();
    else timer ??= setTimeout(refresh, wait);
  });
  show();
}

function makeHead(subject: Subject, session: Session): HTMLElement {
  const close = button("✕", "Close", () => session.selection.select(undefined));
  close.classList.add("close");
  return element("div", "inspector-head", element("strong", "", subject.name), element("span", "kind", subject.kind), close);
}

function makeFacts(subject: Subject): HTMLElement[] {
  if (subject.facts.length === 0) return [];
  const list = element("dl", "facts");
  for (const { label, value } of subject.facts) list.append(element("dt", "", label), element("dd", "", value));
  return [list];
}

function liveRows(subject: Subject, session: Session): LiveRow[] {
  const rows: LiveRow[] = [];
  if (subject.body !== undefined) rows.push(...poseRows(subject.body, session));
  const own = curvesOf(session.report).filter((curve) => subject.channels.includes(curve.name) || isNamedAfter(curve, subject.prefix));
  for (const curve of own) {
    const label = subject.prefix && curve.name !== subject.prefix ? curve.name.slice(subject.prefix.length + 1) : curve.name;
    let row = rows.find((candidate) => candidate.label === label && candidate.unit === curve.unit);
    if (!row) {
      if (rows.length >= kMostChannels) continue;
      rows.push((row = { label, unit: curve.unit, texts: new Map() }));
    }
    row.texts.set(curve.recording, (t) => sampleText(curve, t));
  }
  return rows;
}

function isNamedAfter(curve: Curve, prefix: string): boolean {
  return prefix !== "" && (curve.name === prefix || curve.name.startsWith(`${prefix}.`));
}

function sampleText(curve: Curve, t: number): string {
  const sample = curve.at(t);
  if (!sample) return "–";
  return valueText(sample.value) + (sample.sigma === undefined ? "" : ` ${deviationText(sample.sigma)}`);
}

/** Position of the body's origin, and its angle, or how far it is turned about which axis. */
function poseRows(body: number, session: Session): LiveRow[] {
  const planar = session.report.mechanism?.planar ?? false;
  const row = (label: string, unit: string, text: (pose: BodyPose) => string): LiveRow => ({
    label,
    unit,
    texts: new Map(
      session.tracks.flatMap((track, r) =>
        track && track.times.length > 0 ? [[r, (t: number) => text(track.pose(body, t))] as const] : [],
      ),
    ),
  });
  const axes = planar ? ["x", "y"] : ["x", "y", "z"];
  const rows = axes.map((axis, k) => row(axis, "m", (pose) => lengthText(pose.position[k] ?? NaN)));
  const angle = ({ rotation }: BodyPose) => degrees(2 * Math.atan2(rotation[3], rotation[0]));
  if (planar) rows.push(row("turned", "°", (pose) => angle(pose).toFixed(2).replace("-", "−")));
  else rows.push(row("turned", "°", (pose) => turnText(pose).angle), row("about", "1", (pose) => turnText(pose).axis));
  return rows.filter(({ texts }) => texts.size > 0);
}

function lengthText(value: number): string {
  return Number.isFinite(value) ? (Math.abs(value) < 5e-6 ? "0" : valueText(value)) : "–";
}

/** In (−180, 180]. */
function degrees(angle: number): number {
  const turns = angle / (2 * Math.PI);
  return 360 * (turns - Math.ceil(turns - 0.5));
}

function turnText({ rotation }: BodyPose): { angle: string; axis: string } {
  const sign = rotation[0] < 0 ? -1 : 1;
  const vector = [rotation[1], rotation[2], rotation[3]].map((part) => sign * part);
  const length = Math.hypot(...vector);
  const angle = (2 * Math.atan2(length, Math.abs(rotation[0])) * 180) / Math.PI;
  if (length < 1e-6) return { angle: "0", axis: "–" };
  return { angle: angle.toFixed(2), axis: `(${vector.map((part) => (part / length).toFixed(2).replace("-", "−")).join(", ")})` };
}

/** A row for each value; a column for each recording where there are several. */
function makeLiveTable(rows: readonly LiveRow[], session: Session): { parts: HTMLElement[]; update: (t: number) => void } {
  if (rows.length === 0) return { parts: [], update: () => undefined };
  const recordings = [...new Set(rows.flatMap(({ texts }) => [...texts.keys()]))].sort((a, b) => a - b);
  const cells: { cell: HTMLElement; text: (t: number) => string }[] = [];
  const body = element("tbody");
  for (const row of rows) {
    const line = element("tr", "", element("th", "", `${row.label} ${unitText(row.unit === "1" ? "" : row.unit)}`));
    for (const recording of recordings) {
      const cell = element("td");
      const text = row.texts.get(recording);
      if (text) cells.push({ cell, text });
      line.append(cell);
    }
    body.append(line);
  }
  const table = element("table", "live", body);
  if (recordings.length > 1) {
    const heads = recordings.map((recording) => recordingHead(recording, session));
    table.prepend(element("thead", "", element("tr", "", element("th"), ...heads)));
  }
  const hasSigma = curvesOf(session.report).some((curve) => curve.hasSigma);
  const update = (t: number) => {
    let deviates = false;
    for (const { cell, text } of cells) {
      const now = text(t);
      deviates ||= now.includes("±");
      if (cell.textContent !== now) cell.textContent = now;
    }
    note.hidden = !deviates;
  };
  const note = element("p", "quiet", "± one standard deviation");
  note.hidden = true;
  return { parts: [element("div", "table-frame", table), ...(hasSigma ? [note] : [])], update };
}

function recordingHead(recording: number, session: Session): HTMLElement {
  const shown = session.report.recordings[recording];
  const head = element("th", "", shown?.name ?? "");
  head.style.color = shown?.role === "truth" ? session.theme.palette.ink : session.recordingColour(recording);
  return head;
}
