import "uplot/dist/uPlot.min.css";
import "./plots.css";
import { button, element } from "../dom.js";
import type { Mark, Report } from "../report_data.js";
import type { Session } from "../session.js";
import { curvesOf } from "./curves.js";
import { groupCurves } from "./grouping.js";
import { TimePlot } from "./time_plot.js";
import type { PlotFamily } from "./time_plot.js";

const kOpenAtFirst = 8;
const kLeastHeight = 120; // [px] of a plot without its head
const kMostHeight = 280;
const kUsualHeight = 150; // where there are more than fit
const kLegendPeriod = 1000 / 15; // [ms] numbers that change faster cannot be read
const kZoomStep = 2;

const kMarkTexts: Record<Mark["kind"], string> = {
  rejected: "refused reading",
  resampled: "resampled",
  event: "event",
  restart: "restart",
};

/** What the marks in the plots are; nothing where there are none. */
function makeMarksKey(report: Report): HTMLElement[] {
  const kinds = new Set(report.recordings.flatMap((recording) => recording.marks.map((mark) => mark.kind)));
  if (kinds.size === 0) return [];
  const key = element("div", "marks-key");
  const count = (kind: Mark["kind"]) => report.recordings.reduce((sum, { marks }) => sum + marks.filter((mark) => mark.kind === kind).length, 0);
  for (const kind of kinds) key.append(element("span", "", element("span", `mark-sign ${kind}`), `${kMarkTexts[kind]} (${count(kind)})`));
  return [key];
}

const kPanels = new WeakMap<Session, PlotPanel>();

/** What is plotted, for tests. */
export function describePlots(session: Session) {
  return kPanels.get(session)?.describe() ?? [];
}

/** The plots of all channels over time. They share the clock's cursor; what one is zoomed to is played. */
export class PlotPanel implements PlotFamily {
  readonly #plots: TimePlot[];
  readonly #more: HTMLButtonElement;
  #showsAll = false;
  #filter = "";
  #hovered: number | undefined;
  #axisWidth = 40;
  #lastValues = 0;
  #waiting = false;

  constructor(
    private readonly container: HTMLElement,
    readonly session: Session,
  ) {
    kPanels.set(session, this);
    this.#plots = groupCurves(curvesOf(session.report)).map((group) => new TimePlot(group, this));
    this.#more = button("", "Show the other plots", () => {
      this.#showsAll = true;
      this.#choose();
    });
    this.#more.classList.add("more-plots");
    container.append(...makeMarksKey(session.report));
    if (this.#plots.length > kOpenAtFirst) container.append(this.#makeFilter());
    container.append(...this.#plots.map((plot) => plot.root), this.#more);
    this.#choose();
    this.#watchView();
    session.clock.watch(() => this.#onClock());
    session.theme.watch(() => this.#plots.forEach((plot) => plot.recolour()));
    session.angles.watch(() => this.#plots.forEach((plot) => plot.changeUnit()));
    session.hidden.watch(() => this.#plots.forEach((plot) => plot.showCurves()));
    document.addEventListener("keydown", (event) => this.#onKey(event));
  }

  describe() {
    return this.#plots.filter((plot) => !plot.root.hidden).map((plot) => plot.describe());
  }
  get shownTime(): number {
    return this.#hovered ?? this.session.clock.time;
  }
  hover(t: number | undefined): void {
    this.#hovered = t;
    for (const plot of this.#plots) plot.showHover(t);
    this.#showValues();
  }
  /** As wide for all as the widest needs, so that equal times stand below each other. */
  axisWidth(needed: number): number {
    if (needed > this.#axisWidth) {
      this.#axisWidth = Math.ceil(needed);
      queueMicrotask(() => this.#plots.forEach((plot) => plot.relayout()));
    }
    return this.#axisWidth;
  }

  #makeFilter(): HTMLElement {
    const input = element("input", "find-plot");
    input.type = "search";
    input.placeholder = `Find among ${this.#plots.length} plots`;
    input.setAttribute("aria-label", "Find a plot by the name of a channel");
    input.addEventListener("input", () => {
      this.#filter = input.value.trim().toLowerCase();
      this.#choose();
    });
    return input;
  }
  /** Which plots are open: those that were asked for, or the first. */
  #choose(): void {
    const matches = ({ group }: TimePlot) => [group.title, ...group.curves.map(({ name }) => name)].some((text) => text.toLowerCase().includes(this.#filter));
    let hidden = 0;
    this.#plots.forEach((plot, p) => {
      const isOpen = this.#filter ? matches(plot) : this.#showsAll || p < kOpenAtFirst;
      plot.root.hidden = !isOpen;
      if (!isOpen) ++hidden;
    });
    this.#more.hidden = hidden === 0 || this.#filter !== "";
    this.#more.textContent = `${hidden} more`;
    this.#fit();
  }
  #watchView(): void {
    const plotOf = new Map<Element, TimePlot>(this.#plots.map((plot) => [plot.root, plot]));
    const inView = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) plotOf.get(entry.target)?.setInView(entry.isIntersecting);
        this.#showValues();
      },
      { root: this.container, rootMargin: "100px" },
    );
    for (const plot of this.#plots) inView.observe(plot.root);
    new ResizeObserver(() => this.#fit()).observe(this.container);
  }
  /** Plots fill the panel where they are few. */
  #fit(): void {
    const style = getComputedStyle(this.container);
    const width = this.container.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (!(width > 0)) return;
    const open = this.#plots.filter((plot) => !plot.root.hidden);
    const heads = open.reduce((sum, plot) => sum + plot.headHeight + 8, 0);
    const each = (this.container.clientHeight - 16 - heads) / Math.max(1, open.length);
    const height = each >= kLeastHeight ? Math.min(kMostHeight, Math.floor(each)) : kUsualHeight;
    for (const plot of open) plot.setSize(Math.floor(width), height);
  }
  #onClock(): void {
    for (const plot of this.#plots) if (plot.inView) plot.update();
    const wait = kLegendPeriod - (performance.now() - this.#lastValues);
    if (!this.session.clock.playing || wait <= 0) this.#showValues();
    else if (!this.#waiting) {
      this.#waiting = true;
      setTimeout(() => this.#showValues(), wait);
    }
  }
  #showValues(): void {
    this.#waiting = false;
    this.#lastValues = performance.now();
    this.container.classList.toggle("hovered", this.#hovered !== undefined);
    for (const plot of this.#plots) plot.showValues(this.shownTime);
  }
  /** + and − zoom about the cursor, for those who have no mouse. */
  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.container.offsetParent === null) return;
    if (event.target instanceof HTMLElement && event.target.matches("select, input:not(.scrub), textarea")) return;
    const factor = { "+": 1 / kZoomStep, "-": kZoomStep }[event.key];
    if (factor === undefined) return;
    const { clock } = this.session;
    const [begin, end] = clock.range;
    const t = clock.time;
    if ((end - begin) * factor > 1e-6 * (clock.whole[1] - clock.whole[0])) clock.setRange(t - (t - begin) * factor, t + (end - t) * factor);
  }
}
