import type uPlot from "uplot";
import type { Mark } from "../report_data.js";
import type { Session } from "../session.js";
import { indexBefore } from "../numbers.js";
import type { Curve } from "./curves.js";
import { runsOf } from "./mark_runs.js";
import type { PlotGroup } from "./plot_group.js";

/** A mark of a recording in one plot; `refused` where the reading itself is drawn there. */
export interface PlacedMark extends Mark {
  recording: number;
  refused?: { curve: Curve; row: number; value: number };
}

/** Marks that concern the curves of a plot, in time order. */
export function marksOf(group: PlotGroup, session: Session): PlacedMark[] {
  const placed: PlacedMark[] = [];
  session.report.recordings.forEach((recording, r) => {
    const own = group.curves.some((curve) => curve.recording === r && !curve.isReadings);
    for (const mark of recording.marks) {
      const readings = mark.kind === "rejected" ? group.curves.filter((curve) => curve.isReadings && names(mark, curve)) : [];
      const refused = readings.flatMap((curve) => refusedReading(curve, mark.t));
      for (const reading of refused) placed.push({ ...mark, recording: r, refused: reading });
      if (refused.length === 0 && (own || readings.length > 0)) placed.push({ ...mark, recording: r });
    }
  });
  return placed.sort((a, b) => a.t - b.t);
}

function names(mark: Mark, curve: Curve): boolean {
  return mark.channel !== undefined && (curve.name === mark.channel || curve.name.startsWith(`${mark.channel}.`));
}

/** Row of a reading at about t; −1 when none is near. */
function rowNear(curve: Curve, t: number): number {
  const { times } = curve;
  const last = times.length - 1;
  if (last < 0) return -1;
  const before = indexBefore(times, t);
  const after = Math.min(before + 1, last);
  const row = Math.abs(times[after]! - t) < Math.abs(times[before]! - t) ? after : before;
  const usual = (times[last]! - times[0]!) / Math.max(1, last);
  return Math.abs(times[row]! - t) <= 0.5 * usual + 1e-9 ? row : -1;
}

function refusedReading(curve: Curve, t: number): { curve: Curve; row: number; value: number }[] {
  const row = rowNear(curve, t);
  const value = curve.values[row];
  return value !== undefined && Number.isFinite(value) ? [{ curve, row, value }] : [];
}

const kTick = 5; // [px] of the page
const kCross = 3.5;
const kRunGap = 24; // [px] resamplings that are closer are one run

/** Crosses and a rug below for what was refused, bars above for runs of resamplings, dashed lines for events. One of a kind for each pixel.
 * `factor`: of values of the plot. */
export function drawMarks(plot: uPlot, marks: readonly PlacedMark[], session: Session, factor: number): void {
  const { ctx, bbox } = plot;
  const px = devicePixelRatio;
  const [begin, end] = [plot.scales.x?.min ?? 0, plot.scales.x?.max ?? 0];
  const bottom = bbox.top + bbox.height;
  const drawn = new Set<string>();
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left - px, bbox.top, bbox.width + 2 * px, bbox.height);
  ctx.clip();
  for (const mark of marks) {
    if (mark.kind === "resampled" || mark.t < begin || mark.t > end || session.hidden.has(mark.recording)) continue;
    const x = Math.round(plot.valToPos(mark.t, "x", true));
    const pixel = `${mark.kind} ${x} ${mark.refused?.value ?? ""}`;
    if (drawn.has(pixel)) continue;
    drawn.add(pixel);
    ctx.beginPath();
    ctx.setLineDash([]);
    ctx.lineWidth = 1.4 * px;
    if (mark.kind === "rejected") {
      ctx.strokeStyle = session.theme.palette.warning;
      ctx.moveTo(x, bottom);
      ctx.lineTo(x, bottom - kTick * px);
      if (mark.refused) addCross(plot, x, factor * mark.refused.value);
    } else {
      ctx.strokeStyle = mark.kind === "restart" ? session.theme.palette.warning : session.theme.palette.ground;
      ctx.lineWidth = px;
      ctx.setLineDash([3 * px, 3 * px]);
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bottom);
    }
    ctx.stroke();
  }
  drawResamplings(plot, marks, session);
  ctx.restore();
}

/** A bar along the upper edge for each run of resamplings, a tick for one alone; each recording below the one before. */
function drawResamplings(plot: uPlot, marks: readonly PlacedMark[], session: Session): void {
  const { ctx, bbox } = plot;
  const px = devicePixelRatio;
  const recordings: number[] = [];
  for (const { recording, begin, end } of resamplingRuns(plot, marks, session)) {
    if (!recordings.includes(recording)) recordings.push(recording);
    const top = bbox.top + recordings.indexOf(recording) * (kTick + 1) * px;
    const [from, to] = [begin, end].map((t) => Math.round(plot.valToPos(t, "x", true))) as [number, number];
    ctx.fillStyle = session.recordingColour(recording);
    ctx.fillRect(from, top, Math.max(to - from, 1.4 * px), 2 * px);
    for (const x of new Set([from, to])) ctx.fillRect(x - 0.7 * px, top, 1.4 * px, kTick * px);
  }
}

/** Of what is in view. */
function resamplingRuns(plot: uPlot, marks: readonly PlacedMark[], session: Session) {
  const [begin, end] = [plot.scales.x?.min ?? 0, plot.scales.x?.max ?? 0];
  const seen = marks.filter(({ kind, t, recording }) => kind === "resampled" && t >= begin && t <= end && !session.hidden.has(recording));
  return runsOf(seen, (t) => plot.valToPos(t, "x"), kRunGap);
}

/** At its value; one that is far off at the edge. */
function addCross(plot: uPlot, x: number, value: number): void {
  const { ctx, bbox } = plot;
  const size = kCross * devicePixelRatio;
  const y = Math.min(bbox.top + bbox.height - 2.5 * size, Math.max(bbox.top + 1.5 * size, plot.valToPos(value, "y", true)));
  ctx.moveTo(x - size, y - size);
  ctx.lineTo(x + size, y + size);
  ctx.moveTo(x - size, y + size);
  ctx.lineTo(x + size, y - size);
}

const kNear = 5; // [px]
const kMostNotes = 4;

/** What the marks at `left` pixels say, a run of resamplings in one sentence; empty when there is none. */
export function notesAt(plot: uPlot, marks: readonly PlacedMark[], left: number, session: Session): string[] {
  const at = (t: number) => plot.valToPos(t, "x");
  const near = marks.filter((mark) => mark.kind !== "resampled" && Math.abs(at(mark.t) - left) <= kNear);
  const runs = resamplingRuns(plot, marks, session).filter(({ begin, end }) => at(begin) - kNear <= left && left <= at(end) + kNear);
  const all = [
    ...new Set(near.map((mark) => `${timeText(mark.t)} s: ${mark.text || mark.kind}`)), // once for all curves of a sensor
    ...runs.map(({ recording, begin, end, marks: own }) => {
      const who = session.report.recordings[recording]?.name ?? "";
      if (own.length === 1) return `${timeText(begin)} s: ${own[0]?.text || "resampled"}`;
      return `${timeText(begin)} … ${timeText(end)} s: ${who} resampled ${own.length} times`;
    }),
  ];
  const notes = all.slice(0, kMostNotes);
  if (all.length > kMostNotes) notes.push(`and ${all.length - kMostNotes} more`);
  return notes;
}

function timeText(t: number): string {
  return String(Number(t.toPrecision(6)));
}

/** Bars and ticks for resamplings in a plot, for tests: how many marks each stands for. */
export function resamplingCounts(plot: uPlot, marks: readonly PlacedMark[], session: Session): number[] {
  return resamplingRuns(plot, marks, session).map((run) => run.marks.length);
}
