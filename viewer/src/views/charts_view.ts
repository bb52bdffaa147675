import "uplot/dist/uPlot.min.css";
import "./charts.css";
import uPlot from "uplot";
import { type AngleUnit, isOfAngles } from "../angle_unit.js";
import { element } from "../dom.js";
import { indexBefore } from "../numbers.js";
import { lineStyle, makeLineSwatch } from "../plots/line_style.js";
import { unitText, valueText } from "../plots/number_text.js";
import type { Chart } from "../report_data.js";
import type { Session } from "../session.js";
import { makeAxis, makeScale } from "./chart_axes.js";
import { drawErrorBars, makeBars, makeLines } from "./chart_series.js";
import type { ChartSeries } from "./chart_series.js";

const kAspect = 0.62; // height to width
const kHeights = [220, 380] as const; // [px]

/** Charts that are not over the recorded time: convergence and cost of studies, histograms of step times. */
export function makeChartsView(container: HTMLElement, session: Session): void {
  const grid = element("div", "chart-grid");
  container.append(grid);
  const cards = session.report.charts.map((chart) => new ChartCard(chart, session));
  grid.append(...cards.map((card) => card.root));
  new ResizeObserver(() => cards.forEach((card) => card.fit())).observe(grid);
  session.theme.watch(() => cards.forEach((card) => card.recolour()));
  session.angles.watch(() => cards.forEach((card) => card.changeUnit()));
}

/** One chart with its title and legend; the legend tells the values under the pointer. */
class ChartCard {
  readonly root: HTMLElement;
  readonly #frame = element("div", "chart-frame");
  readonly #swatches: (HTMLElement | SVGElement)[] = [];
  readonly #values: HTMLElement[] = [];
  readonly #at = element("span", "at");
  #plot: uPlot | undefined;

  constructor(
    private readonly recorded: Chart,
    private readonly session: Session,
  ) {
    const chart = recorded;
    const legend = element("div", "chart-legend");
    for (const series of chart.series) {
      const swatch = chart.kind === "bars" ? element("span", "swatch bar") : makeLineSwatch(lineStyle(this.#swatches.length));
      const value = element("span", "value");
      this.#swatches.push(swatch);
      this.#values.push(value);
      legend.append(element("span", "entry", swatch, element("span", "name", series.name), value));
    }
    if (chart.kind === "lines" && chart.series.some((series) => series.low && series.high))
      legend.append(element("span", "band-key", element("span", "swatch band"), "95 % confidence"));
    legend.append(this.#at);
    this.root = element("article", "chart", element("h2", "", chart.title), legend, this.#frame);
    this.#colour();
  }

  fit(): void {
    const width = Math.floor(this.#frame.clientWidth);
    if (width < 60) return;
    const height = Math.round(Math.min(kHeights[1], Math.max(kHeights[0], kAspect * width)));
    if (!this.#plot) this.#plot = this.#make(width, height);
    else if (this.#plot.width !== width || this.#plot.height !== height) this.#plot.setSize({ width, height });
  }
  recolour(): void {
    this.#colour();
    this.#plot?.redraw();
  }

  /** After angles are told in another unit. */
  changeUnit(): void {
    if (!isOfAngles(this.recorded.x.unit) && !isOfAngles(this.recorded.y.unit)) return;
    this.#plot?.destroy();
    this.#plot = undefined;
    this.fit();
  }

  #colour(): void {
    this.#swatches.forEach((swatch, s) => (swatch.style.color = this.session.theme.seriesColour(s)));
  }
  #make(width: number, height: number): uPlot {
    const { session } = this;
    const chart = inShownUnits(this.recorded, session.angles);
    const isBars = chart.kind === "bars";
    const shown = isBars ? makeBars(chart, session) : makeLines(chart, session);
    const y = makeScale(chart.y, false);
    if (isBars && !chart.y.log) y.range = (_, _low, high) => [0, high > 0 ? 1.06 * high : 1];
    const options: uPlot.Options = {
      width,
      height,
      padding: [10, 16, 2, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { show: false } },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: makeScale(chart.x, isBars), y },
      series: shown.series,
      bands: shown.bands,
      axes: [makeAxis(chart.x, 2, session), makeAxis(chart.y, 3, session)],
      hooks: { draw: [(plot) => drawErrorBars(plot, chart, session)], setCursor: [(plot) => this.#showValues(plot, chart, shown)] },
    };
    return new uPlot(options, shown.data, this.#frame);
  }
  /** Values where the pointer is; of bars those of the bar that it is over. */
  #showValues(plot: uPlot, chart: Chart, shown: ChartSeries): void {
    const left = plot.cursor.left ?? -1;
    const isOver = left >= 0;
    const at = isOver ? plot.posToVal(left, "x") : NaN;
    const row = plot.cursor.idx ?? -1;
    this.#values.forEach((value, s) => {
      const series = chart.series[s];
      const found = chart.kind === "bars" ? series?.y[indexBefore(series.x, at)] : shown.data[shown.seriesOf[s]!]?.[row];
      value.textContent = isOver && typeof found === "number" ? valueText(found) : "";
    });
    const x = chart.kind === "bars" ? at : shown.data[0]?.[row];
    this.#at.textContent = isOver && typeof x === "number" ? `${chart.x.label} ${valueText(x)} ${unitText(chart.x.unit)}` : "";
  }
}

/** The chart with its angles in the unit that is chosen. */
function inShownUnits(chart: Chart, angles: AngleUnit): Chart {
  const [x, y] = [angles.shown(chart.x.unit), angles.shown(chart.y.unit)];
  if (x.factor === 1 && y.factor === 1) return chart;
  const times = (values: number[], factor: number) => values.map((value) => factor * value);
  return {
    ...chart,
    x: { ...chart.x, unit: x.unit },
    y: { ...chart.y, unit: y.unit },
    series: chart.series.map((series) => ({
      ...series,
      x: times(series.x, x.factor),
      y: times(series.y, y.factor),
      ...(series.low && { low: times(series.low, y.factor) }),
      ...(series.high && { high: times(series.high, y.factor) }),
    })),
  };
}
