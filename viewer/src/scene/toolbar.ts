import { button, element, svgElement } from "../dom.js";

export type IconName = "fit" | "turn" | "iso" | "labels" | "traces" | "sensors" | "forces" | "road" | "contacts" | "follow" | "ghosts" | "particles";

/** Strokes in a square of 20 by 20; those of `faces` are filled. */
const kCube = ["M10 2 17 6 17 14 10 18 3 14 3 6Z", "M3 6 10 10 17 6", "M10 10V18"];
const kIcons: Record<IconName, { strokes: string[]; faces?: string[] }> = {
  fit: { strokes: ["M3 7V3H7", "M13 3H17V7", "M17 13V17H13", "M7 17H3V13", "M7.5 10H12.5M10 7.5V12.5"] },
  turn: { strokes: ["M3 10C3 6 17 6 17 10C17 13 10 13.6 6.5 12.6", "M8.6 10.4 6.2 12.5 8.4 14.8", "M10 3V17"] },
  iso: { strokes: kCube },
  labels: { strokes: ["M3 5H11L17 10 11 15H3Z", "M6.2 10H9.8"] },
  traces: { strokes: ["M3 14C5 4 9 4 10 10S15 16 17 6"], faces: ["M15.5 6a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0 -3.4 0Z"] },
  sensors: { strokes: ["M4 10H10V16H4Z", "M7 10V3M5 5 7 3 9 5", "M10 13H17M15 11 17 13 15 15"] },
  forces: { strokes: ["M4 16 16 4", "M9.5 4H16V10.5"] },
  road: { strokes: ["M7 3 3 17M13 3 17 17", "M10 4V6.5M10 9V11.5M10 14V16.5"] },
  contacts: { strokes: ["M14 9a5 5 0 1 1 -10 0a5 5 0 1 1 10 0Z", "M2 17H18", "M9 14V8M6.8 10.2 9 8 11.2 10.2"] },
  follow: { strokes: ["M2 10C5 5 11 5 14 10C11 15 5 15 2 10Z", "M8 8.4a1.6 1.6 0 1 0 0.01 0Z", "M14 5.5 18 5.5M16.4 3.7 18.2 5.5 16.4 7.3"] },
  ghosts: { strokes: ["M4 17V9A6 6 0 0 1 16 9V17L13 15 10 17 7 15Z", "M8 9V10M12 9V10"] },
  particles: { strokes: [], faces: [dot(5, 6), dot(10, 4), dot(15, 7), dot(6, 12), dot(11, 10), dot(15, 14), dot(9, 16)] },
};

function dot(x: number, y: number): string {
  return `M${x - 1.4} ${y}a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0 -2.8 0Z`;
}

function icon(name: IconName): SVGSVGElement {
  const { strokes, faces = [] } = kIcons[name];
  return svgElement(
    "svg",
    { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" },
    ...faces.map((d) => svgElement("path", { d, class: "face" })),
    ...strokes.map((d) => svgElement("path", { d })),
  );
}

/** Buttons in the upper right corner of the scene. */
export class Toolbar {
  readonly #bar = element("div", "scene-toolbar");
  #group = element("div", "scene-tools");

  constructor(container: HTMLElement) {
    this.#bar.setAttribute("role", "toolbar");
    this.#bar.setAttribute("aria-label", "Scene");
    container.append(this.#bar);
    this.separate();
  }

  /** What comes next stands apart. */
  separate(): void {
    this.#group = element("div", "scene-tools");
    this.#bar.append(this.#group);
  }
  action(name: IconName, title: string, act: () => void): void {
    this.#group.append(this.#made(name, title, act));
  }
  /** An action that is named by a short word. */
  word(word: string, title: string, act: () => void): void {
    const made = button(word, title, act);
    made.classList.add("word");
    this.#group.append(made);
  }
  toggle(name: IconName, title: string, on: boolean, change: (on: boolean) => void): void {
    const made = this.#made(name, title, () => {
      const now = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(now));
      change(now);
    });
    made.setAttribute("aria-pressed", String(on));
    this.#group.append(made);
  }

  /** A slider over powers of ten, below the buttons; 1 in its middle. Returned so that it can be hidden. */
  slider(title: string, decades: number, change: (factor: number) => void): HTMLElement {
    const input = element("input");
    input.type = "range";
    input.min = String(-decades);
    input.max = String(decades);
    input.step = "0.02";
    input.value = "0";
    input.title = title;
    input.setAttribute("aria-label", title);
    const told = element("output", "", "× 1");
    input.addEventListener("input", () => {
      const factor = 10 ** Number(input.value);
      told.textContent = `× ${Number(factor.toPrecision(2))}`;
      change(factor);
    });
    const made = element("label", "scene-slider", input, told);
    this.#bar.append(made);
    return made;
  }

  #made(name: IconName, title: string, act: () => void): HTMLButtonElement {
    const made = button("", title, act);
    made.append(icon(name));
    return made;
  }
}
