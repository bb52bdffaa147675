import { Vector3, type Camera } from "three";
import { element, svgElement } from "../dom.js";

const kLetters = ["x", "y", "z"] as const;
const kHalf = 30; // [px] of the triad's square
const kArm = 19;
const kWidest = 110; // [px] of the scale

/** In the corner: how the axes of the world lie, and how long a metre is. */
export class Corner {
  readonly #arms: { line: SVGLineElement; letter: SVGTextElement }[];
  readonly #bar = element("div", "scene-scale-bar");
  readonly #text = element("span", "");
  readonly #axis = new Vector3();

  constructor(container: HTMLElement) {
    const side = 2 * kHalf;
    const viewBox = `${-kHalf} ${-kHalf} ${side} ${side}`;
    const triad = svgElement("svg", { viewBox, width: side, height: side, "aria-hidden": "true" });
    this.#arms = kLetters.map((name) => {
      const line = svgElement("line", { x1: 0, y1: 0, class: `axis-${name}` });
      const letter = svgElement("text", { class: `axis-${name}` }, name);
      triad.append(line, letter);
      return { line, letter };
    });
    const scale = element("div", "scene-scale", this.#text, this.#bar);
    container.append(element("div", "scene-corner", scale, triad));
  }

  turn(camera: Camera): void {
    this.#arms.forEach(({ line, letter }, k) => {
      const { x, y } = this.#axis.set(0, 0, 0).setComponent(k, 1).applyQuaternion(this.#inverse(camera));
      const hidden = Math.hypot(x, y) < 0.08; // along the view
      line.setAttribute("x2", (kArm * x).toFixed(1));
      line.setAttribute("y2", (-kArm * y).toFixed(1));
      letter.setAttribute("x", ((kArm + 7) * x).toFixed(1));
      letter.setAttribute("y", (-(kArm + 7) * y).toFixed(1));
      for (const part of [line, letter]) part.setAttribute("visibility", hidden ? "hidden" : "visible");
    });
  }
  /** A round length and its bar. */
  showScale(metresPerPixel: number): void {
    if (!(metresPerPixel > 0)) return;
    const length = roundLength(kWidest * metresPerPixel);
    this.#bar.hidden = false;
    this.#bar.style.width = `${(length / metresPerPixel).toFixed(1)}px`;
    this.#text.textContent = lengthText(length);
  }
  /** In perspective there is no one scale: what a cell of the floor measures. */
  showCell(cell: number): void {
    this.#bar.hidden = true;
    this.#text.textContent = `grid ${lengthText(cell)}`;
  }

  #inverse(camera: Camera) {
    return camera.quaternion.clone().invert();
  }
}

/** The largest of 1, 2, 5 · 10ⁿ that is not more. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const digit = most / power;
  return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

function lengthText(metres: number): string {
  const show = (value: number) => String(Number(value.toPrecision(3)));
  if (metres >= 1) return `${show(metres)} m`;
  if (metres >= 1e-3) return `${show(1e3 * metres)} mm`;
  return `${show(1e6 * metres)} µm`;
}
