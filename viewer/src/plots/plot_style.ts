import type uPlot from "uplot";
import { commonExponent, tickTexts } from "./number_text.js";
import type { Session } from "../session.js";
import type { PlacedMark } from "./marks.js";
import { alignColumns } from "./align.js";
import type { Column } from "./align.js";
import type { Curve } from "./curves.js";
import type { PlotGroup } from "./plot_group.js";
import { kTruthStyle, type LineStyle, lineStyle, translucent } from "./line_style.js";

export const kFont = '11px system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
export const kSigmas = 2;
const kBandOpacity = 0.16;
const kEdgeOpacity = 0.65;

/** Columns and their series in one plot: edges of bands first, so that curves are drawn over them. */
export interface PlotSeries {
  data: uPlot.AlignedData;
  series: uPlot.Series[];
  bands: uPlot.Band[];
  seriesOfCurve: number[]; // (curves)
  edgesOfCurve: number[][]; // (curves) series of its band
}

export function curveColour(group: PlotGroup, curve: number, session: Session): string {
  const shown = group.curves[curve];
  if (!shown) return session.theme.palette.ink;
  if (group.compares || group.curves.length === 1) {
    if (shown.source.role === "truth") return session.theme.palette.ink;
    return session.recordingColour(shown.recording);
  }
  return session.theme.seriesColour(curve);
}

/** Of each curve of a group: the truth broad and pale, the others solid, dashed, dotted, … in their order. */
export function curveStyle(group: PlotGroup, curve: number): LineStyle {
  const isTruth = (c: number) => group.compares && group.curves[c]?.source.role === "truth";
  if (isTruth(curve)) return kTruthStyle;
  const before = group.curves.slice(0, curve).filter((other, c) => !isTruth(c) && !other.isReadings);
  return lineStyle(before.length);
}

export function makeSeries(group: PlotGroup, marks: readonly PlacedMark[], session: Session): PlotSeries {
  const columns: Column[] = [];
  const made: PlotSeries = { data: [[]], series: [{}], bands: [], seriesOfCurve: [], edgesOfCurve: [] };
  const { factor } = session.angles.shown(group.unit);
  group.curves.forEach((curve, c) => {
    const { sigma } = curve;
    made.edgesOfCurve.push([]);
    if (!sigma) return;
    for (const sign of [1, -1]) {
      columns.push({ x: curve.times, y: curve.values.map((value, k) => factor * ((group.isError ? 0 : value) + sign * kSigmas * (sigma[k] ?? NaN))) });
      const stroke = () => translucent(curveColour(group, c, session), kEdgeOpacity);
      made.series.push({ auto: false, width: 1, stroke, dash: [...curveStyle(group, c).dash], points: { show: false }, pxAlign: 0 });
      made.edgesOfCurve[c]!.push(columns.length);
    }
    const fill = () => translucent(curveColour(group, c, session), kBandOpacity);
    made.bands.push({ series: [columns.length - 1, columns.length], fill });
  });
  const order = group.curves.map((_, c) => c).sort((a, b) => height(group.curves[a]) - height(group.curves[b]));
  for (const c of order) {
    const curve = group.curves[c]!;
    const values = curve.isReadings ? acceptedValues(curve, marks) : curve.values;
    columns.push({ x: curve.times, y: factor === 1 ? values : values.map((value) => factor * value) });
    made.seriesOfCurve[c] = columns.length;
    made.series.push(seriesStyle(curve, curveStyle(group, c), () => curveColour(group, c, session)));
  }
  made.data = alignColumns(columns);
  return made;
}

/** Readings lie below all, truth below estimates. */
function height(curve: Curve | undefined): number {
  return curve ? { readings: 0, truth: 1, motion: 2, estimate: 3 }[curve.source.role] : 0;
}

function seriesStyle(curve: Curve, { dash, width, opacity }: LineStyle, colour: () => string): uPlot.Series {
  if (curve.isReadings) return { stroke: colour, paths: () => null, points: { show: true, size: 3, width: 0, fill: colour, space: 0 }, pxAlign: 0 };
  const isAlone = curve.times.length === 1;
  const stroke = () => translucent(colour(), opacity);
  return { stroke, width, dash: [...dash], points: { show: isAlone, size: 5, fill: colour }, pxAlign: 0 };
}

/** Refused readings are drawn as crosses instead, and do not stretch the axis. */
function acceptedValues(curve: Curve, marks: readonly PlacedMark[]): Float64Array {
  const refused = marks.flatMap((mark) => (mark.refused?.curve === curve ? [mark.refused.row] : []));
  if (refused.length === 0) return curve.values;
  const values = curve.values.slice();
  for (const row of refused) values[row] = NaN;
  return values;
}

/** Limits of an axis that holds low … high, with a little room. */
export function roomyLimits(low: number, high: number): [number, number] {
  const span = high - low;
  const room = span > 0 ? 0.06 * span : Math.abs(low) > 0 ? 0.05 * Math.abs(low) : 1;
  return [low - room, high + room];
}

export interface YAxis {
  /** Width that the ticks of all plots have in common [px]. */
  width(needed: number): number;
  /** Power of ten of its ticks, and how far they are apart in units of it. */
  tellTicks(exponent: number, step: number): void;
}

export function makeAxes(session: Session, y: YAxis): uPlot.Axis[] {
  const ink = () => getComputedStyle(document.documentElement).getPropertyValue("--quiet");
  const faint = () => session.theme.palette.faint;
  const lines = { stroke: faint, width: 1 };
  return [
    {
      stroke: ink,
      font: kFont,
      size: 20,
      gap: 3,
      space: 56,
      grid: lines,
      ticks: { ...lines, size: 3 },
      values: (_, ticks, _a, _s, step) => tickTexts(ticks, step, 0),
    },
    {
      stroke: ink,
      font: kFont,
      gap: 3,
      space: 26,
      grid: lines,
      ticks: { ...lines, size: 3 },
      size: (_, texts) => y.width(10 + 6.4 * Math.max(1, ...(texts ?? []).map((text) => text.length))),
      values: (plot, ticks, _a, _s, step) => {
        const exponent = commonExponent(plot.scales.y?.min ?? 0, plot.scales.y?.max ?? 0);
        y.tellTicks(exponent, step / 10 ** exponent);
        return tickTexts(ticks, step, exponent);
      },
    },
  ];
}
