import { svgElement } from "./dom.js";

/** Drawn, not written: not every font has such characters. On a field of 16 × 16. */
const kShapes = {
  play: "M4 2 L14 8 L4 14 Z",
  pause: "M3 2 H6.5 V14 H3 Z M9.5 2 H13 V14 H9.5 Z",
  begin: "M2 2 H4.5 V14 H2 Z M14 2 L5.5 8 L14 14 Z",
  theme: "M8 1 A7 7 0 1 0 8 15 Z M8 1 A7 7 0 0 1 8 15 L8 13.4 A5.4 5.4 0 0 0 8 2.6 Z",
};

export function icon(name: keyof typeof kShapes): SVGSVGElement {
  return svgElement("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, svgElement("path", { d: kShapes[name] }));
}
