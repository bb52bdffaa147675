import { button, element } from "../../dom.js";
import type { Drawing } from "./diagram_drawing.js";

const kLeastFit = 0.62; // a drawing is fitted into its frame, but not so small that its names cannot be read
const kMostFit = 1.3;
const kStep = 1.3;
const kLimits = [0.3, 4] as const;

/** A drawing in a frame: fitted at first, then zoomed by buttons or ctrl and wheel, moved by scrolling or dragging. */
export class ZoomFrame {
  readonly root: HTMLElement;
  readonly #scroller = element("div", "drawing-scroller");
  #drawing: Drawing | undefined;
  #zoom: number | undefined; // none: fitted
  #wasSeen = false;

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
    const { clientWidth, clientHeight } = this.#scroller;
    if (this.#zoom !== undefined || !this.#drawing || clientWidth === 0) return this.#zoom ?? 1;
    return Math.min(kMostFit, Math.max(kLeastFit, Math.min(clientWidth / this.#drawing.width, clientHeight / this.#drawing.height)));
  }
  #show(): void {
    if (!this.#drawing) return;
    const { svg, width, height } = this.#drawing;
    const scale = this.#scale;
    svg.style.width = `${Math.floor(width * scale)}px`;
    svg.style.height = `${Math.floor(height * scale)}px`;
    if (!this.#wasSeen && this.#scroller.clientHeight > 0) {
      this.#wasSeen = true;
      this.#scroller.scrollTop = this.#drawing.first.y * scale - this.#scroller.clientHeight / 2;
    }
  }
  /** All of it, however small that is. */
  #fit(): void {
    const { clientWidth, clientHeight } = this.#scroller;
    const whole = this.#drawing ? Math.min(clientWidth / this.#drawing.width, clientHeight / this.#drawing.height) : 1;
    this.#zoom = whole < kLeastFit ? Math.max(kLimits[0] / 2, 0.98 * whole) : undefined;
    this.#show();
  }
  /** About the middle of what is seen. */
  #zoomBy(factor: number): void {
    const before = this.#scale;
    this.#zoom = Math.min(kLimits[1], Math.max(kLimits[0], before * factor));
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
