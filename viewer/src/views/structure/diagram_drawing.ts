import { svgElement } from "../../dom.js";
import type { Session } from "../../session.js";
import { drawnLabel } from "./box_layout.js";
import type { DiagramLink, DiagramModel, Point } from "./diagram_model.js";
import { placeLabels, shortText, textWidth } from "./labels.js";
import { kBaseHeight, layLayers } from "./layered_layout.js";
import type { Layout } from "./diagram_layout.js";
import { arrowText, kLineGap, linkPaths, pathText } from "./link_paths.js";

const kLineHeight = 13; // [px]
const kArrow = { length: 9, halfWidth: 4.5 };
const kLeastRadius = 20;
const kHatch = 9;

/** A drawing with its own size in pixels, at which its smallest text has 11. */
export interface Drawing {
  svg: SVGSVGElement;
  width: number;
  height: number;
}

/** Circles, boxes, lines and names. Groups are clickable by data-group, bodies by data-body. */
export function drawDiagram(model: DiagramModel, session: Session, title: string): Drawing {
  const layout = layLayers(model, radiusFor(model));
  const paths = linkPaths(model, layout);
  const texts = model.links.map((link) => drawnLabel(link.label));
  const places = placeLabels(texts, paths, layout);
  const ends = places.flatMap((at, l) => (at ? [-1, 1].map((side) => at.x + side * (textWidth(texts[l]!) / 2 + 4)) : []));
  const left = Math.min(0, ...ends);
  const width = Math.max(layout.width, ...ends) - left;
  const { height } = layout;
  const svg = svgElement("svg", { viewBox: `${left} 0 ${width} ${height}`, role: "group", "aria-label": title });
  svg.append(...drawBoxes(model, layout, session), drawBase(model, layout));
  model.links.forEach((link, l) => svg.append(drawLink(link, paths[l]!, session)));
  svg.append(...drawNodes(model, layout, session));
  model.links.forEach((link, l) => {
    const at = places[l];
    if (!at) return;
    const label = svgElement("text", { class: "joint-name", x: at.x, y: at.y + 4 }, svgElement("title", {}, link.label), texts[l]!);
    label.style.setProperty("--link", session.groupColour(link.box));
    svg.append(label);
  });
  return { svg, width, height };
}

/** One radius for all, so that every name has room in its circle. */
function radiusFor(model: DiagramModel): number {
  const needed = model.nodes.map(({ lines }) => {
    const middle = ((lines.length - 1) * kLineHeight) / 2;
    const reach = (k: number) => Math.abs(k * kLineHeight - middle) + kLineHeight / 3;
    return Math.max(...lines.map((line, k) => Math.hypot(textWidth(line) / 2, reach(k))));
  });
  return Math.ceil(Math.max(kLeastRadius, ...needed.map((radius) => radius + 3)));
}

function drawBoxes(model: DiagramModel, layout: Layout, session: Session): SVGElement[] {
  return model.boxes.flatMap((box, b) => {
    if (!box.label) return [];
    const { x, y, width, height } = layout.boxes[b]!;
    const outline = svgElement("rect", { class: "group-box", x, y, width, height, rx: 10 });
    outline.style.stroke = session.groupColour(b);
    outline.style.fill = session.groupColour(b);
    const label = svgElement("text", { class: "group-name", x: x + 9, y: y + 14 }, shortText(box.label, width - 14));
    return [pickable(svgElement("g", { "data-group": b }, svgElement("title", {}, box.label), outline, label), box.label)];
  });
}

function pickable<E extends SVGElement>(made: E, label: string): E {
  made.classList.add("pickable");
  made.setAttribute("role", "button");
  made.setAttribute("tabindex", "0");
  made.setAttribute("aria-label", label);
  return made;
}

/** The ground: a line with hatching below it. */
function drawBase(model: DiagramModel, layout: Layout): SVGElement {
  const { width, baseTop } = layout;
  let hatching = "";
  for (let x = kHatch; x < width; x += kHatch) hatching += `M${x} ${baseTop}l-${kHatch} ${kHatch}`;
  return svgElement(
    "g",
    { class: "base" },
    svgElement("path", { class: "hatching", d: hatching }),
    svgElement("path", { class: "base-line", d: `M0 ${baseTop}H${width}` }),
    svgElement("text", { x: width / 2, y: baseTop + kBaseHeight + 8 }, shortText(model.baseText, width - 10)),
  );
}

function drawLink(link: DiagramLink, path: readonly Point[], session: Session): SVGElement {
  const group = svgElement("g", { class: "link" }, svgElement("title", {}, link.label));
  const colour = session.groupColour(link.box);
  const count = Math.max(1, link.lines);
  const short = link.hasArrow ? kArrow.length - 1 : 0;
  for (let k = 0; k < count; ++k) {
    const line = svgElement("path", { d: pathText(path, kLineGap * (k - (count - 1) / 2), short) });
    line.classList.add(link.lines === 0 ? "rigid" : k < link.thick ? "input" : "freedom");
    line.style.stroke = colour;
    group.append(line);
  }
  if (link.hasArrow) {
    const wider = Math.max(0, count - 1) * (kLineGap / 2);
    const arrow = svgElement("path", { class: "arrow", d: arrowText(path, kArrow.length, kArrow.halfWidth + wider) });
    arrow.style.fill = colour;
    group.append(arrow);
  }
  return group;
}

function drawNodes(model: DiagramModel, layout: Layout, session: Session): SVGElement[] {
  return model.nodes.map((node, n) => {
    const at = layout.nodes[n]!;
    const colour = session.groupColour(node.box);
    const under = svgElement("circle", { class: "node-under", cx: at.x, cy: at.y, r: layout.radius });
    const circle = svgElement("circle", { class: "node", cx: at.x, cy: at.y, r: layout.radius });
    circle.style.stroke = colour;
    circle.style.fill = colour;
    const first = at.y - ((node.lines.length - 1) * kLineHeight) / 2 + 4;
    const lines = node.lines.map((line, k) => svgElement("text", { class: "node-name", x: at.x, y: first + k * kLineHeight }, line));
    const what: Record<string, number> = node.body === undefined ? { "data-group": node.box } : { "data-body": node.body };
    return pickable(svgElement("g", what, svgElement("title", {}, node.title), under, circle, ...lines), node.title);
  });
}
