import "./friction_circles.css";
import { element, svgElement } from "../dom.js";
import { indexBefore, unpack } from "../numbers.js";
import { valueText } from "../plots/number_text.js";
import type { Recording, Tyre } from "../report_data.js";
import type { Session } from "../session.js";
import { makeTransport } from "../transport.js";

const kReach = 1.25; // of the circle, in each direction, where forces do not go farther
const kMostReach = 1.6; // what goes beyond is cut off: tyres without friction of their own, on wheels that carry next to nothing
const kLetters = 0.055; // of the reach
const kMostPoints = 2000; // of a trace
const kLeastLoad = 1e-3; // of the largest: a wheel that carries less is in the air

interface Forces {
  times: Float64Array;
  along: Float64Array; // F_x/(μ F_z)
  across: Float64Array; // F_y/(μ F_z)
  carries: boolean[];
}

/** Whether some motion tells the forces of all tyres: columns TYRE.fx, fy and fz. */
export function hasFrictionCircles(session: Session): boolean {
  return forcesOfTyres(session) !== undefined;
}

/** For each tyre the force along the road by what friction the load allows, F_x/(μ F_z) over F_y/(μ F_z): the tyre that adheres stays in the circle.
 * Ahead is up, the left is on the left. μ is that of the road, as a factor of the tyre's own. */
export function makeFrictionCircles(container: HTMLElement, session: Session): void {
  const forces = forcesOfTyres(session);
  const { tyres = [] } = session.report.mechanism ?? {};
  if (!forces) return;
  const reach = Math.min(kMostReach, Math.max(kReach, 1.05 * Math.max(...forces.map(largest))));
  const grid = element("div", "tyre-grid");
  const cards = forces.map((of, k) => new TyreCard(tyres[k]!, of, reach, session));
  grid.append(...cards.map((card) => card.root));
  container.append(grid);
  const { clock } = session;
  if (clock.whole[1] > clock.whole[0]) {
    const transport = element("div", "transport");
    container.append(transport);
    makeTransport(transport, session);
  }
  const show = () => cards.forEach((card) => card.show(clock.time));
  clock.watch(show);
  session.theme.watch(() => cards.forEach((card) => card.colour()));
  show();
}

class TyreCard {
  readonly root: HTMLElement;
  readonly #told = element("p");
  readonly #circle: SVGElement;
  readonly #axes: SVGElement;
  readonly #trace: SVGElement;
  readonly #arrow: SVGElement;
  readonly #dot: SVGElement;

  constructor(
    tyre: Tyre,
    private readonly forces: Forces,
    reach: number,
    private readonly session: Session,
  ) {
    const thin = { fill: "none", "vector-effect": "non-scaling-stroke" };
    this.#circle = svgElement("circle", { r: 1, ...thin, "stroke-width": 1.5 });
    this.#axes = svgElement("path", { d: `M${-reach} 0H${reach}M0 ${-reach}V${reach}`, ...thin, "stroke-width": 1 });
    this.#trace = svgElement("path", { d: pathOf(forces), ...thin, "stroke-width": 1.3, "stroke-linejoin": "round" });
    this.#arrow = svgElement("line", { x1: 0, y1: 0, ...thin, "stroke-width": 2 });
    this.#dot = svgElement("circle", { r: 0.03 * reach });
    const label = (x: number, y: number, text: string, anchor: string) => svgElement("text", { x, y, "text-anchor": anchor, "font-size": kLetters * reach }, text);
    const drawing = svgElement(
      "svg",
      { viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}`, role: "img", "aria-label": `Friction circle of ${tyre.name}` },
      this.#axes,
      this.#circle,
      label(0.03, -reach + 0.08, "Fx/(μ Fz)", "start"),
      label(-reach + 0.02, -0.03, "Fy/(μ Fz)", "start"),
      label(0.72, 0.82, "1", "start"),
      this.#trace,
      this.#arrow,
      this.#dot,
    );
    this.root = element("article", "tyre-card", element("h2", "", tyre.name), this.#told, drawing);
    this.colour();
  }

  colour(): void {
    const { palette, name } = this.session.theme;
    const strong = name === "dark" ? "#ffa94d" : "#e8590c"; // as the arrow along the road in the scene
    this.#circle.setAttribute("stroke", palette.ground);
    this.#axes.setAttribute("stroke", palette.faint);
    this.#trace.setAttribute("stroke", this.session.theme.seriesColour(0));
    this.#arrow.setAttribute("stroke", strong);
    this.#dot.setAttribute("fill", strong);
  }
  show(t: number): void {
    const { times, along, across, carries } = this.forces;
    const k = indexBefore(times, t);
    const [x, y] = [-(across[k] ?? 0), -(along[k] ?? 0)]; // to the left and ahead on the page
    const isShown = carries[k] ?? false;
    for (const part of [this.#arrow, this.#dot]) part.setAttribute("visibility", isShown ? "visible" : "hidden");
    this.#arrow.setAttribute("x2", String(x));
    this.#arrow.setAttribute("y2", String(y));
    this.#dot.setAttribute("cx", String(x));
    this.#dot.setAttribute("cy", String(y));
    this.#told.textContent = isShown ? `uses ${valueText(Math.round(1000 * Math.hypot(x, y)) / 10)} % of the friction` : "in the air";
  }
}

function forcesOfTyres({ report }: Session): Forces[] | undefined {
  const { tyres = [], planar = true } = report.mechanism ?? {};
  if (tyres.length === 0 || planar) return undefined;
  for (const recording of report.recordings) {
    const all = tyres.map((tyre) => forcesOf(tyre, recording, report.road));
    if (all.every((one) => one !== undefined)) return all;
  }
  return undefined;
}

function forcesOf({ name }: Tyre, recording: Recording, road: { friction: number; right?: { friction: number; below: number } } | undefined): Forces | undefined {
  const column = (what: string) => {
    const found = recording.channels.find((channel) => channel.name === `${name}.${what}`);
    return found && unpack(found.values);
  };
  const [fx, fy, fz] = [column("fx"), column("fy"), column("fz")];
  if (!fx || !fy || !fz) return undefined;
  const y = column("y");
  const friction = (k: number) => (road?.right && y && y[k]! < road.right.below ? road.right.friction : (road?.friction ?? 1));
  const least = kLeastLoad * Math.max(0, ...fz);
  const carries = Array.from(fz, (load) => load > least);
  const part = (force: Float64Array) => Float64Array.from(force, (f, k) => (carries[k] ? f / (friction(k) * fz[k]!) : 0));
  return { times: unpack(recording.times), along: part(fx), across: part(fy), carries };
}

function largest({ along, across }: Forces): number {
  let most = 0;
  along.forEach((x, k) => (most = Math.max(most, Math.abs(x), Math.abs(across[k] ?? 0))));
  return most;
}

/** The way of the force, interrupted where the wheel is in the air. */
function pathOf({ along, across, carries }: Forces): string {
  const stride = Math.max(1, Math.ceil(along.length / kMostPoints));
  let isDown = false;
  let path = "";
  for (let k = 0; k < along.length; k += stride) {
    if (!carries[k]) {
      isDown = false;
      continue;
    }
    path += `${isDown ? "L" : "M"}${(-across[k]!).toFixed(4)} ${(-along[k]!).toFixed(4)}`;
    isDown = true;
  }
  return path;
}
