import type uPlot from "uplot";
import { alignColumns } from "../plots/align.js";
import type { Column } from "../plots/align.js";
import { lineStyle, translucent } from "../plots/line_style.js";
import type { Chart, Series } from "../report_data.js";
import type { Session } from "../session.js";

export interface ChartSeries {
  data: uPlot.AlignedData;
  series: uPlot.Series[];
  bands: uPlot.Band[];
  seriesOf: number[]; // (series of the chart)
}

/** Fewer points than this have bars of error instead of a band. */
const kLeastBand = 3;
const kMostMarked = 60; // points
const kEdgeOpacity = 0.65; // of edges of bands

/** Lines in the order of x, with bands below them. What a log axis cannot show is left out. */
export function makeLines(chart: Chart, session: Session): ChartSeries {
  const columns: Column[] = [];
  const made: ChartSeries = { data: [[]], series: [{}], bands: [], seriesOf: [] };
  const colour = (s: number) => () => session.theme.seriesColour(s);
  chart.series.forEach((series, s) => {
    const { low, high } = series;
    if (!low || !high) return;
    const order = inOrder(chart, series);
    for (const edge of [high, low]) {
      columns.push(column(chart, series, edge, order));
      const stroke = () => translucent(colour(s)(), kEdgeOpacity);
      const width = order.length >= kLeastBand ? 1 : 0; // others have bars of error
      made.series.push({ width, stroke, dash: [...lineStyle(s).dash], points: { show: false }, pxAlign: 0 });
    }
    if (order.length >= kLeastBand) made.bands.push({ series: [columns.length - 1, columns.length], fill: () => `${colour(s)()}30` });
  });
  chart.series.forEach((series, s) => {
    const order = inOrder(chart, series);
    columns.push(column(chart, series, series.y, order));
    made.seriesOf.push(columns.length);
    const isMarked = order.length <= kMostMarked;
    made.series.push({ stroke: colour(s), width: 1.6, dash: [...lineStyle(s).dash], pxAlign: 0, points: { show: isMarked, size: 6, width: 0, fill: colour(s), space: 0 } });
  });
  made.data = alignColumns(columns);
  return made;
}

/** Rows that can be drawn, x increasing. */
function inOrder(chart: Chart, series: Series): number[] {
  return series.x
    .map((_, k) => k)
    .filter((k) => Number.isFinite(series.x[k]) && (!chart.x.log || series.x[k]! > 0))
    .sort((a, b) => series.x[a]! - series.x[b]!);
}

function column(chart: Chart, series: Series, y: readonly number[], order: readonly number[]): Column {
  const drawable = (value: number | undefined) => (value !== undefined && (!chart.y.log || value > 0) ? value : NaN);
  return { x: order.map((k) => series.x[k]!), y: order.map((k) => drawable(y[k])) };
}

/** Bars between edges: each stands at its left edge, and knows its right one. */
export function makeBars(chart: Chart, session: Session): ChartSeries {
  const made: ChartSeries = { data: [[]], series: [{}], bands: [], seriesOf: [] };
  const columns = chart.series.map((series): Column => ({ x: series.x, y: series.x.map((_, k) => barHeight(chart, series.y[k])) }));
  chart.series.forEach((series, s) => {
    made.seriesOf.push(s + 1);
    const colour = () => session.theme.seriesColour(s);
    made.series.push({
      stroke: colour,
      fill: () => `${colour()}${chart.series.length > 1 ? "80" : "b0"}`,
      width: 0,
      points: { show: false },
      paths: (plot) => ({ fill: barsPath(plot, chart, series) }),
    });
  });
  made.data = alignColumns(columns);
  return made;
}

function barHeight(chart: Chart, y: number | undefined): number {
  if (y === undefined) return NaN;
  return chart.y.log && y <= 0 ? NaN : y;
}

function barsPath(plot: uPlot, chart: Chart, series: Series): Path2D {
  const path = new Path2D();
  const base = plot.valToPos(chart.y.log ? (plot.scales.y?.min ?? 1) : 0, "y", true);
  series.y.forEach((y, k) => {
    const [from, to] = [series.x[k], series.x[k + 1]];
    if (from === undefined || to === undefined || (chart.x.log && from <= 0) || !Number.isFinite(barHeight(chart, y))) return;
    const left = plot.valToPos(from, "x", true);
    const width = plot.valToPos(to, "x", true) - left;
    const gap = width > 4 * devicePixelRatio ? devicePixelRatio : 0;
    const top = plot.valToPos(y, "y", true);
    path.rect(left + gap / 2, Math.min(top, base), Math.max(0.5, width - gap), Math.abs(base - top));
  });
  return path;
}

/** Bars of error of series that have too few points for a band. */
export function drawErrorBars(plot: uPlot, chart: Chart, session: Session): void {
  const { ctx } = plot;
  const px = devicePixelRatio;
  chart.series.forEach(({ x, low, high }, s) => {
    if (chart.kind === "bars" || !low || !high || x.length >= kLeastBand) return;
    ctx.save();
    ctx.strokeStyle = session.theme.seriesColour(s);
    ctx.lineWidth = 1.4 * px;
    ctx.beginPath();
    x.forEach((at, k) => {
      const left = plot.valToPos(at, "x", true);
      const ends = [low[k], high[k]].map((value) => plot.valToPos(value ?? NaN, "y", true));
      if (!ends.every(Number.isFinite)) return;
      for (const end of ends) {
        ctx.moveTo(left - 4 * px, end);
        ctx.lineTo(left + 4 * px, end);
      }
      ctx.moveTo(left, ends[0]!);
      ctx.lineTo(left, ends[1]!);
    });
    ctx.stroke();
    ctx.restore();
  });
}
