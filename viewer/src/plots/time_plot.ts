import uPlot from "uplot";
import { isOfAngles } from "../angle_unit.js";
import { element } from "../dom.js";
import { indexBefore } from "../numbers.js";
import type { Session } from "../session.js";
import { listenToGestures } from "./gestures.js";
import type { PlotGroup } from "./plot_group.js";
import { drawMarks, marksOf, notesAt, resamplingCounts } from "./marks.js";
import type { PlacedMark } from "./marks.js";
import { PlotLegend } from "./plot_legend.js";
import { curveStyle, kFont, makeAxes, makeSeries, roomyLimits } from "./plot_style.js";
import type { PlotSeries, YAxis } from "./plot_style.js";

/** What the plots of a panel have in common. */
export interface PlotFamily {
  readonly session: Session;
  hover(t: number | undefined): void;
  /** Of which the heads tell values: under the pointer, else the clock's. */
  readonly shownTime: number;
  axisWidth(needed: number): number;
}

/** Bands widen the axis by so many times what the curves take; beyond they are cut. */
const kMostBand = 0.75;
const kMostErrorBand = 3;
/** What varies by less than this part of itself is drawn as constant. */
const kRoundoff = 1e-9;
const kNoPlace = 1e-12; // [rad], [m]

/** One plot over time. Drawn when it is first in view; only its cursor moves with the clock. */
export class TimePlot {
  readonly root: HTMLElement;
  readonly #legend: PlotLegend;
  readonly #frame = element("div", "plot-frame");
  readonly #note = element("div", "mark-note");
  readonly #line = element("div", "clock-line");
  readonly #hoverTime = element("span", "hover-time");
  readonly #hoverLine = element("div", "hover-line", this.#hoverTime);
  readonly #marks: PlacedMark[];
  readonly #hidden = new Set<number>();
  #shown: PlotSeries | undefined;
  #plot: uPlot | undefined;
  #inView = false;
  #width = 0;
  #height = 0;
  #range: readonly [number, number] = [NaN, NaN];
  #pointer: number | undefined; // where the pointer is [px]

  constructor(
    readonly group: PlotGroup,
    private readonly family: PlotFamily,
  ) {
    this.#marks = marksOf(group, family.session);
    this.#legend = new PlotLegend(group, family.session, (curve) => this.#toggle(curve));
    this.#note.hidden = true;
    this.#hoverLine.hidden = true;
    this.root = element("section", "plot", this.#legend.root, this.#frame);
    this.root.setAttribute("aria-label", group.title);
  }

  get headHeight(): number {
    return this.#legend.root.offsetHeight;
  }
  get inView(): boolean {
    return this.#inView;
  }
  setInView(inView: boolean): void {
    this.#inView = inView;
    this.update();
  }
  setSize(width: number, height: number): void {
    this.#width = width;
    this.#height = height;
    this.#frame.style.height = `${height}px`;
    this.update();
  }
  /** Brings size and range up to date, if anybody sees it. */
  update(): void {
    if (!this.#inView || this.#width < 40 || this.#height < 40) return;
    if (!this.#plot) this.#make();
    const plot = this.#plot;
    if (!plot) return;
    if (plot.width !== this.#width || plot.height !== this.#height) plot.setSize({ width: this.#width, height: this.#height });
    const { range } = this.family.session.clock;
    if (range[0] !== this.#range[0] || range[1] !== this.#range[1]) {
      this.#range = range;
      const [min, max] = this.#xLimits();
      plot.setScale("x", { min, max });
      if (this.#pointer !== undefined) queueMicrotask(() => this.#hover(plot)); // another instant is under it, once the plot is drawn
    }
    this.showTime();
  }
  /** After a recording or a curve was hidden or shown. */
  showCurves(): void {
    this.#legend.showHidden((curve) => this.#isShown(curve));
    const [plot, shown] = [this.#plot, this.#shown];
    if (!plot || !shown) return;
    plot.batch(() =>
      this.group.curves.forEach((_, c) => {
        const show = this.#isShown(c);
        for (const index of [shown.seriesOfCurve[c], ...(shown.edgesOfCurve[c] ?? [])])
          if (index !== undefined && plot.series[index]?.show !== show) plot.setSeries(index, { show });
      }),
    );
    plot.redraw(); // marks too
  }
  recolour(): void {
    this.#legend.recolour();
    this.#plot?.redraw();
  }
  relayout(): void {
    this.#plot?.redraw(false, true);
  }
  /** Moves the line of the clock: nothing else is drawn. */
  showTime(): void {
    if (!this.#plot || !this.#inView) return;
    place(this.#line, this.#plot, this.family.session.clock.time);
  }
  /** A line where the pointer of any plot is; the plot that it is over tells the time. */
  showHover(t: number | undefined): void {
    this.#hoverLine.hidden = t === undefined;
    if (t === undefined || !this.#plot || !this.#inView) return;
    place(this.#hoverLine, this.#plot, t);
    this.#hoverTime.hidden = this.#pointer === undefined;
    const [begin, end] = this.#xLimits();
    this.#hoverTime.textContent = timeText(t, end - begin);
    this.#hoverTime.classList.toggle("left", t > begin + 0.75 * (end - begin));
  }
  /** After angles are told in another unit. */
  changeUnit(): void {
    if (!isOfAngles(this.group.unit)) return;
    this.#legend.forgetTicks();
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#shown = undefined;
    this.#range = [NaN, NaN];
    this.update();
    this.#legend.showValues(this.family.shownTime);
  }
  showValues(t: number): void {
    if (this.#inView) this.#legend.showValues(t);
  }
  describe() {
    return {
      title: this.group.title,
      axis: this.#legend.axisText,
      unit: this.family.session.angles.shown(this.group.unit).unit,
      curves: this.group.curves.map((curve) => (this.group.compares ? curve.source.name : curve.name)),
      shown: this.group.curves.map((_, c) => this.#isShown(c)), // (curves)
      bands: this.group.curves.filter((curve) => curve.hasSigma).length,
      marks: this.#marks.length,
      resamplings: this.#plot && resamplingCounts(this.#plot, this.#marks, this.family.session), // marks of each bar
      dashes: this.group.curves.map((_, c) => curveStyle(this.group, c).dash.join(" ")), // (curves)
      limits: [this.#plot?.scales.y?.min, this.#plot?.scales.y?.max],
      points: this.#shown?.seriesOfCurve.map((series) => drawnPoints(this.#shown?.data[series])), // (curves)
      drawn: this.#plot !== undefined,
      range: [this.#plot?.scales.x?.min, this.#plot?.scales.x?.max],
      cursor: this.#plot && lineLeft(this.#line),
      hover: this.#plot && !this.#hoverLine.hidden ? lineLeft(this.#hoverLine) : undefined,
    };
  }

  #make(): void {
    const { session } = this.family;
    const shown = makeSeries(this.group, this.#marks, session);
    this.#shown = shown;
    const y: YAxis = { width: (needed) => this.family.axisWidth(needed), tellTicks: (exponent, step) => this.#showTicks(exponent, step) };
    const plot = new uPlot(
      {
        width: this.#width,
        height: this.#height,
        padding: [6, 44, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
        scales: { x: { time: false, range: () => this.#xLimits() }, y: { range: (_, low, high) => this.#yLimits(low, high) } },
        series: shown.series,
        bands: shown.bands,
        axes: makeAxes(session, y),
        hooks: { draw: [(drawn) => this.#drawOver(drawn)] },
      },
      shown.data,
      this.#frame,
    );
    this.#plot = plot;
    plot.over.append(this.#hoverLine, this.#line);
    this.#frame.append(this.#note);
    this.#listen(plot);
    this.showCurves();
  }
  #showTicks(exponent: number, step: number): void {
    if (!this.#legend.showUnit(exponent, step)) return;
    queueMicrotask(() => this.#legend.showValues(this.family.shownTime));
  }
  #drawOver(plot: uPlot): void {
    const { session } = this.family;
    drawMarks(plot, this.#marks, session, session.angles.shown(this.group.unit).factor);
    const { ctx, bbox } = plot;
    const px = devicePixelRatio;
    ctx.save();
    ctx.font = kFont.replace("11px", `${11 * px}px`);
    ctx.fillStyle = session.theme.palette.ink;
    ctx.textAlign = "right";
    ctx.textBaseline = "top";
    ctx.fillText("t [s]", ctx.canvas.width - 3 * px, bbox.top + bbox.height + 6 * px);
    ctx.restore();
    place(this.#line, plot, session.clock.time);
    if (!this.#hoverLine.hidden) place(this.#hoverLine, plot, this.family.shownTime);
  }
  #listen(plot: uPlot): void {
    const { clock } = this.family.session;
    plot.over.classList.add("plot-area");
    listenToGestures(plot.over, {
      timeAt: (left) => plot.posToVal(left, "x"),
      cursorLeft: () => plot.valToPos(clock.time, "x"),
      seek: (t) => clock.seek(Math.min(clock.range[1], Math.max(clock.range[0], t))),
      zoom: (begin, end) => {
        if (end - begin > 1e-6 * (clock.whole[1] - clock.whole[0])) clock.setRange(begin, end);
      },
      zoomOut: () => clock.playAll(),
      hover: (left) => {
        this.#pointer = left;
        this.#hover(plot);
      },
    });
  }
  #hover(plot: uPlot): void {
    this.family.hover(this.#pointer === undefined ? undefined : plot.posToVal(this.#pointer, "x"));
    this.#showNotes(plot, this.#pointer);
  }
  #showNotes(plot: uPlot, left: number | undefined): void {
    const notes = left === undefined ? [] : notesAt(plot, this.#marks, left, this.family.session);
    this.#note.hidden = notes.length === 0;
    if (left === undefined || notes.length === 0) return;
    this.#note.replaceChildren(...notes.map((note) => element("div", "", note)));
    const at = left + plot.bbox.left / devicePixelRatio;
    const room = this.#width - this.#note.offsetWidth;
    this.#note.style.left = `${Math.max(0, Math.min(room, at + 10))}px`;
  }
  #isShown(curve: number): boolean {
    return !this.#hidden.has(curve) && !this.family.session.hidden.has(this.group.curves[curve]?.recording ?? -1);
  }
  /** A recording where several are compared, in all plots; else the curve. */
  #toggle(curve: number): void {
    const { hidden } = this.family.session;
    const recording = this.group.curves[curve]?.recording ?? -1;
    if (this.group.compares || hidden.has(recording)) return hidden.toggle(recording);
    if (!this.#hidden.delete(curve)) this.#hidden.add(curve);
    this.showCurves();
  }
  #xLimits(): [number, number] {
    const [begin, end] = this.family.session.clock.range;
    return end > begin ? [begin, end] : [begin - 0.5, end + 0.5];
  }
  #yLimits(low: number | null, high: number | null): [number, number] {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
    const [least, most] = this.#bandExtent();
    if (this.#isNothing(low, high)) return roomyLimits(0, 0);
    if (high - low < kRoundoff * Math.max(Math.abs(low), Math.abs(high))) return roomyLimits((low + high) / 2, (low + high) / 2);
    if (this.group.isError) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    const more = high > low ? (this.group.isError ? kMostErrorBand : kMostBand) * (high - low) : Infinity;
    return roomyLimits(Math.max(Math.min(low, least), low - more), Math.min(Math.max(high, most), high + more));
  }
  /** Places and angles that are 0 but for roundoff; errors of constraints are to be seen. */
  #isNothing(low: number, high: number): boolean {
    const { unit, curves, isError } = this.group;
    const isPlace = (unit === "rad" || unit === "m") && !isError && curves[0]?.kind !== "constraint_error";
    return isPlace && Math.max(Math.abs(low), Math.abs(high)) < kNoPlace;
  }
  /** Lowest and highest edge of bands within the range. */
  #bandExtent(): [number, number] {
    let extent: [number, number] = [Infinity, -Infinity];
    const data = this.#shown?.data;
    const times = data?.[0];
    if (!data || !times || times.length === 0) return extent;
    const [begin, end] = this.#xLimits();
    const [from, to] = [indexBefore(times, begin), indexBefore(times, end)];
    this.#shown?.edgesOfCurve.forEach((edges, curve) => {
      if (!this.#isShown(curve)) return;
      for (const edge of edges)
        for (let k = from; k <= to; ++k) {
          const value = data[edge]?.[k];
          if (typeof value === "number") extent = [Math.min(extent[0], value), Math.max(extent[1], value)];
        }
    });
    return extent;
  }
}

function drawnPoints(column: ArrayLike<number | null | undefined> | undefined): number {
  return Array.from(column ?? []).filter((value) => typeof value === "number").length;
}

/** Enough digits to tell a thousandth of what is shown. */
function timeText(t: number, length: number): string {
  const digits = length > 0 ? Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(length) + 1e-9))) : 3;
  return `${t.toFixed(digits).replace("-", "−")} s`;
}

/** Where a line is drawn [px]; undefined where it is not seen. */
function lineLeft(line: HTMLElement): number | undefined {
  return line.style.visibility === "hidden" ? undefined : new DOMMatrix(line.style.transform).e;
}

function place(line: HTMLElement, plot: uPlot, t: number): void {
  const left = plot.valToPos(t, "x");
  const isInside = left >= -0.5 && left <= plot.bbox.width / devicePixelRatio + 0.5;
  line.style.visibility = isInside ? "visible" : "hidden";
  if (isInside) line.style.transform = `translateX(${left.toFixed(2)}px)`;
}
