import { isOfAngles } from "./angle_unit.js";
import { button, element } from "./dom.js";
import { icon } from "./icons.js";
import { listenToKeys } from "./keys.js";
import { openAsAsked } from "./opening.js";
import { PlotPanel } from "./plots/plot_panel.js";
import { SceneView } from "./scene/scene_view.js";
import type { Session } from "./session.js";
import { makeTransport } from "./transport.js";
import { makeChartsView } from "./views/charts_view.js";
import { hasFrictionCircles, makeFrictionCircles } from "./views/friction_circles.js";
import { makeInspector } from "./views/inspector.js";
import { makeNumbersView } from "./views/numbers_view.js";
import { makeStructureView } from "./views/structure_view.js";

/** Title, tabs and the views behind them. Returns the scene where there is a mechanism. */
export function makePage(body: HTMLElement, session: Session): SceneView | undefined {
  const { report } = session;
  const tabs = element("nav", "tabs");
  const heading = element("div", "heading", element("h1", "", report.title), element("p", "subtitle", report.subtitle));
  const theme = button(icon("theme"), "Light or dark (d)", () => session.theme.toggle());
  theme.classList.add("theme");
  const header = element("header", "", heading, tabs, ...angleSwitch(session), theme);
  const main = element("main");
  const views = new Tabs(tabs, main);
  body.append(header, ...noteLine(report.notes, () => views.show("numbers")), main);

  let scene: SceneView | undefined;
  if (report.mechanism || report.recordings.length > 0) {
    const moves = session.clock.whole[1] > session.clock.whole[0];
    const view = views.add(moves ? "Motion" : "Position", "motion");
    scene = makeMotionView(view, session);
  }
  if (report.structure) makeStructureView(views.add("Structure", "structure"), session);
  if (hasFrictionCircles(session)) makeFrictionCircles(views.add("Tyres", "tyres"), session);
  if (report.charts.length > 0) makeChartsView(views.add("Charts", "charts"), session);
  makeNumbersView(views.add("Numbers", "numbers"), session);
  views.showFirst();
  listenToKeys(session, () => views.isShown("motion"), () => scene?.fit());
  openAsAsked(location.hash, session, (name) => views.show(name));
  return scene;
}

/** Degrees or radians; nothing where a page has no angles. */
function angleSwitch({ report, angles }: Session): HTMLElement[] {
  const units = [
    ...report.recordings.flatMap(({ channels }) => channels.map(({ unit }) => unit)),
    ...report.charts.flatMap(({ x, y }) => [x.unit, y.unit]),
  ];
  if (!report.mechanism && !units.some(isOfAngles)) return [];
  const made = button("", "Angles in degrees or in radians (a)", () => angles.toggle());
  made.classList.add("angles");
  const show = () => (made.textContent = angles.isDegrees ? "deg" : "rad");
  angles.watch(show);
  show();
  return [made];
}

/** What a reader must know before he trusts the picture, on every view: the first note, and how many more there are. */
function noteLine(notes: readonly string[], showAll: () => void): HTMLElement[] {
  if (notes.length === 0) return [];
  const more = button(notes.length > 1 ? `${notes.length} notes` : "more", "All notes, under Numbers", showAll);
  return [element("p", "note-line", element("span", "", notes[0]!), more)];
}

function makeMotionView(view: HTMLElement, session: Session): SceneView | undefined {
  const { report, clock } = session;
  let scene: SceneView | undefined;
  if (report.mechanism) {
    const frame = element("div", "scene");
    view.append(frame);
    scene = new SceneView(frame, session);
    const inspector = element("aside", "inspector");
    frame.append(inspector);
    makeInspector(inspector, session);
  } else {
    view.classList.add("without-scene");
  }
  if (report.recordings.some((recording) => recording.channels.length > 0)) {
    const plots = element("div", "plots");
    view.append(plots);
    new PlotPanel(plots, session);
  } else {
    view.classList.add("without-plots");
  }
  if (clock.whole[1] > clock.whole[0]) {
    const transport = element("div", "transport");
    view.append(transport);
    makeTransport(transport, session);
  }
  return scene;
}

/** One view at a time. A view that is not shown has no size; it is told by its ResizeObserver when it gets one. */
class Tabs {
  readonly #entries: { tab: HTMLButtonElement; view: HTMLElement }[] = [];

  constructor(
    private readonly bar: HTMLElement,
    private readonly main: HTMLElement,
  ) {}

  add(label: string, name: string): HTMLElement {
    const view = element("section", `view ${name}`);
    const tab = button(label, label, () => this.#show(view));
    this.bar.append(tab);
    this.main.append(view);
    this.#entries.push({ tab, view });
    view.hidden = true;
    return view;
  }
  isShown(name: string): boolean {
    return this.#entries.some(({ view }) => view.classList.contains(name) && !view.hidden);
  }
  /** Nothing changes when there is no such view. */
  show(name: string): void {
    const entry = this.#entries.find(({ view }) => view.classList.contains(name));
    if (entry) this.#show(entry.view);
  }
  showFirst(): void {
    if (this.#entries[0]) this.#show(this.#entries[0].view);
  }

  #show(shown: HTMLElement): void {
    for (const { tab, view } of this.#entries) {
      view.hidden = view !== shown;
      tab.setAttribute("aria-current", String(view === shown));
    }
  }
}
