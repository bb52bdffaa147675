import { button, element } from "../../dom.js";
import type { Drawing } from "./diagram_drawing.js";

const kMostFit = 1.3;
const kStep = 1.3;
const kLimits = [0.3, 4] as const;

/** A drawing in a frame: whole at first, however small that is, then zoomed by buttons or ctrl and wheel, moved by scrolling or dragging. */
export class ZoomFrame {
  readonly root: HTMLElement;
  readonly #scroller = element("div", "drawing-scroller");
  #drawing: Drawing | undefined;
  #zoom: number | undefined; // none: fitted

  constructor(title: string) {
    const tools = element(
      "div",
      "drawing-tools",
      button("−", "Smaller", () => this.#zoomBy(1 / kStep)),
      button("⤢", "Fit", () => this.#fit()),
      button("+", "Larger", () => this.#zoomBy(kStep)),
    );
    this.root = element("figure", "drawing", element("figcaption", "", element("h2", "", title), tools), this.#scroller);
    new ResizeObserver(() => this.#show()).observe(this.#scroller);
    this.#scroller.addEventListener("wheel", (event) => this.#onWheel(event), { passive: false });
    this.#listenToDrag();
  }

  show(drawing: Drawing): void {
    this.#drawing = drawing;
    this.#scroller.replaceChildren(drawing.svg);
    this.#show();
  }

  get #scale(): number {
    return this.#zoom ?? this.#fitted;
  }
  /** At which all of it is seen. */
  get #fitted(): number {
    const { clientWidth, clientHeight } = this.#scroller;
    if (!this.#drawing || clientWidth === 0 || clientHeight === 0) return 1;
    return Math.min(kMostFit, clientWidth / this.#drawing.width, clientHeight / this.#drawing.height);
  }
  #show(): void {
    if (!this.#drawing) return;
    const { svg, width, height } = this.#drawing;
    const scale = this.#scale;
    svg.style.width = `${Math.floor(width * scale)}px`;
    svg.style.height = `${Math.floor(height * scale)}px`;
  }
  #fit(): void {
    this.#zoom = undefined;
    this.#show();
  }
  /** About the middle of what is seen. */
  #zoomBy(factor: number): void {
    const before = this.#scale;
    this.#zoom = Math.min(kLimits[1], Math.max(Math.min(kLimits[0], this.#fitted), before * factor));
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#scroller;
    this.#show();
    const grown = this.#zoom / before;
    this.#scroller.scrollLeft = (scrollLeft + clientWidth / 2) * grown - clientWidth / 2;
    this.#scroller.scrollTop = (scrollTop + clientHeight / 2) * grown - clientHeight / 2;
  }
  #onWheel(event: WheelEvent): void {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.#zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  }
  /** With the mouse; fingers scroll by themselves. */
  #listenToDrag(): void {
    let from: { x: number; y: number } | undefined;
    this.#scroller.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      from = { x: event.clientX + this.#scroller.scrollLeft, y: event.clientY + this.#scroller.scrollTop };
    });
    this.#scroller.addEventListener("pointermove", (event) => {
      if (!from || event.buttons === 0) return;
      this.#scroller.scrollLeft = from.x - event.clientX;
      this.#scroller.scrollTop = from.y - event.clientY;
    });
    for (const end of ["pointerup", "pointerleave"]) this.#scroller.addEventListener(end, () => (from = undefined));
  }
}
