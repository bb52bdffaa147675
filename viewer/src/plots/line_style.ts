import { svgElement } from "../dom.js";

/** How curves of one plot differ beside their colour: where several lie upon each other, the solid one below is seen in the gaps of the
 * others. Lengths of strokes and gaps [px]. */
const kDashes: readonly (readonly number[])[] = [[], [8, 6], [2, 5], [12, 4, 2, 4], [5, 3]];

export interface LineStyle {
  dash: readonly number[]; // none: solid
  width: number; // [px]
  opacity: number;
}

/** The truth: a broad pale line below all others, seen beside those that lie upon it. */
export const kTruthStyle: LineStyle = { dash: [], width: 5, opacity: 0.35 };

export function lineStyle(index: number): LineStyle {
  return { dash: kDashes[index % kDashes.length]!, width: 1.5, opacity: 1 };
}

/** A piece of the line, in the colour of its text. */
export function makeLineSwatch({ dash, width, opacity }: LineStyle): SVGSVGElement {
  const line = svgElement("path", { d: "M0 4H26", "stroke-width": Math.min(width, 4) + 0.4, "stroke-dasharray": dash.join(" "), "stroke-opacity": opacity });
  return svgElement("svg", { class: "swatch line", viewBox: "0 0 26 8", width: 26, height: 8, "aria-hidden": "true" }, line);
}

/** A colour "#rrggbb" that is seen through. */
export function translucent(colour: string, opacity: number): string {
  if (opacity >= 1) return colour;
  return `${colour}${Math.round(255 * opacity).toString(16).padStart(2, "0")}`;
}
