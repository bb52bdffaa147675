import { element } from "../dom.js";

/** What pointers on a plot ask for. Times come from pixels of the plotting area. */
export interface GestureHandlers {
  timeAt(left: number): number;
  cursorLeft(): number; // where the line of the clock is [px]
  seek(t: number): void;
  zoom(begin: number, end: number): void;
  zoomOut(): void;
  hover(left: number | undefined): void;
}

const kClickSlack = 5; // [px] a pointer may move and still click
const kGrab = 7; // [px] beside the clock's line

type Gesture = { kind: "press" | "zoom" | "scrub"; from: number } | { kind: "pinch"; times: [number, number]; pointers: [number, number] };

/** Mouse: click seeks, a drag zooms, a drag of the clock's line scrubs, a double click shows all. Finger: tap seeks, a drag scrubs, two
 * zoom, a double tap shows all; up and down scrolls the page. */
export function listenToGestures(area: HTMLElement, handlers: GestureHandlers): void {
  const band = element("div", "zoom-band");
  band.hidden = true;
  area.append(band);
  const down = new Map<number, number>(); // pointers and where they are
  let gesture: Gesture | undefined;
  const leftOf = (event: PointerEvent) => event.clientX - area.getBoundingClientRect().left;

  area.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const left = leftOf(event);
    down.set(event.pointerId, left);
    area.setPointerCapture(event.pointerId);
    const [first, second] = [...down];
    if (first && second) {
      gesture = { kind: "pinch", times: [handlers.timeAt(first[1]), handlers.timeAt(second[1])], pointers: [first[0], second[0]] };
    } else {
      const grabbed = event.pointerType === "mouse" && Math.abs(left - handlers.cursorLeft()) <= kGrab;
      gesture = { kind: grabbed ? "scrub" : "press", from: left };
    }
  });
  area.addEventListener("pointermove", (event) => {
    const left = leftOf(event);
    if (event.pointerType === "mouse") {
      handlers.hover(left);
      area.classList.toggle("grabs", !gesture && Math.abs(left - handlers.cursorLeft()) <= kGrab);
    }
    if (!down.has(event.pointerId) || !gesture) return;
    down.set(event.pointerId, left);
    if (gesture.kind === "press" && Math.abs(left - gesture.from) > kClickSlack)
      gesture = { kind: event.pointerType === "mouse" ? "zoom" : "scrub", from: gesture.from };
    if (gesture.kind === "scrub") handlers.seek(handlers.timeAt(left));
    if (gesture.kind === "zoom") showBand(band, gesture.from, left, area.clientWidth);
    if (gesture.kind === "pinch") pinch(gesture, down, area.clientWidth, handlers);
  });
  const end = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return;
    const left = leftOf(event);
    band.hidden = true;
    if (event.type === "pointerup" && gesture?.kind === "press") {
      handlers.seek(handlers.timeAt(left));
      if (event.pointerType !== "mouse") handlers.hover(left);
    }
    if (event.type === "pointerup" && gesture?.kind === "zoom" && Math.abs(left - gesture.from) > kClickSlack) {
      const times = [handlers.timeAt(gesture.from), handlers.timeAt(left)];
      handlers.zoom(Math.min(...times), Math.max(...times));
    }
    gesture = undefined;
  };
  area.addEventListener("pointerup", end);
  area.addEventListener("pointercancel", end);
  area.addEventListener("pointerleave", () => handlers.hover(undefined));
  area.addEventListener("dblclick", () => handlers.zoomOut());
}

function showBand(band: HTMLElement, from: number, to: number, width: number): void {
  const begin = Math.max(0, Math.min(from, to));
  const end = Math.min(width, Math.max(from, to));
  band.hidden = false;
  band.style.left = `${begin}px`;
  band.style.width = `${Math.max(0, end - begin)}px`;
}

/** The instants that the fingers took hold of stay under them. */
function pinch(
  { times, pointers }: { times: [number, number]; pointers: [number, number] },
  down: ReadonlyMap<number, number>,
  width: number,
  handlers: GestureHandlers,
): void {
  const [a, b] = [down.get(pointers[0]), down.get(pointers[1])];
  if (a === undefined || b === undefined || Math.abs(b - a) < 10 || times[0] === times[1]) return;
  const secondsPerPixel = (times[1] - times[0]) / (b - a);
  if (!(secondsPerPixel > 0)) return;
  const begin = times[0] - a * secondsPerPixel;
  handlers.zoom(begin, begin + width * secondsPerPixel);
}
