import { element } from "../dom.js";
import type { Session } from "../session.js";
import type { PlotGroup } from "./plot_group.js";
import { deviationText, unitText, valueBesideTicks } from "./number_text.js";
import { makeLineSwatch } from "./line_style.js";
import { curveColour, curveStyle, kSigmas } from "./plot_style.js";

/** Head of a plot: what its y axis shows, in which unit, and each curve with its value at the cursor. */
export class PlotLegend {
  readonly root = element("div", "plot-head");
  readonly #axis = element("span", "axis-name");
  readonly #entries: { swatch: HTMLElement | SVGElement; value: HTMLElement; entry: HTMLElement }[] = [];
  #exponent = 0;
  #step = 0; // of the ticks; 0: not yet known

  constructor(
    private readonly group: PlotGroup,
    private readonly session: Session,
    toggle: (curve: number) => void,
  ) {
    this.#axis.title = [...new Set(group.curves.map((curve) => curve.name))].join(", ");
    this.root.append(this.#axis);
    group.curves.forEach((curve, c) => {
      const swatch = curve.isReadings ? element("span", "swatch dots") : makeLineSwatch(curveStyle(group, c));
      const value = element("span", "value");
      const entry = element("button", "entry", swatch, element("span", "name", this.#nameOf(c)), value);
      entry.type = "button";
      entry.title = group.compares ? `Show or hide ${curve.source.name} everywhere` : "Show or hide";
      entry.setAttribute("aria-pressed", "true");
      entry.addEventListener("click", () => toggle(c));
      this.#entries.push({ swatch, value, entry });
      this.root.append(entry);
    });
    if (group.curves.some((curve) => curve.hasSigma))
      this.root.append(element("span", "band-key", element("span", "swatch band"), `± ${kSigmas}σ${group.isError ? " about 0" : ""}`));
    this.recolour();
    this.showUnit(0, 0);
    this.showValues(session.clock.time);
  }

  recolour(): void {
    this.#entries.forEach(({ swatch }, c) => (swatch.style.color = curveColour(this.group, c, this.session)));
  }
  showHidden(isShown: (curve: number) => boolean): void {
    this.#entries.forEach(({ entry }, c) => entry.setAttribute("aria-pressed", String(isShown(c))));
  }
  /** False when nothing changes. */
  showUnit(exponent: number, step: number): boolean {
    if (this.#axis.textContent && exponent === this.#exponent && step === this.#step) return false;
    this.#exponent = exponent;
    this.#step = step;
    this.#axis.textContent = `${this.group.title} ${unitText(this.session.angles.shown(this.group.unit).unit, exponent)}`;
    return true;
  }
  /** After angles are told in another unit: ticks are not yet known. */
  forgetTicks(): void {
    this.#axis.textContent = "";
    this.showUnit(0, 0);
  }
  get axisText(): string {
    return this.#axis.textContent ?? "";
  }
  showValues(t: number): void {
    this.group.curves.forEach((curve, c) => {
      const entry = this.#entries[c];
      if (!entry) return;
      const sample = curve.at(t);
      const scale = 10 ** this.#exponent / this.session.angles.shown(this.group.unit).factor;
      const room = sample?.sigma === undefined ? "" : deviationText((kSigmas * sample.sigma) / scale);
      const deviation = room && (this.group.isError ? ` (${room})` : ` ${room}`);
      const text = valueBesideTicks(sample && sample.value / scale, this.#step) + deviation;
      if (entry.value.textContent !== text) entry.value.textContent = text;
    });
  }

  /** The recording where one channel of several is compared, else the channel. */
  #nameOf(c: number): string {
    const curve = this.group.curves[c];
    if (!curve) return "";
    if (this.group.compares) return curve.source.name;
    const several = this.session.report.recordings.filter((recording) => recording.channels.length > 0).length > 1;
    if (this.group.curves.length === 1 && curve.isReadings) return curve.source.name;
    return several ? `${curve.name} (${curve.source.name})` : curve.name;
  }
}
