import { kBase } from "./diagram_model.js";
import type { DiagramLink, DiagramModel, Point } from "./diagram_model.js";
import type { Layout } from "./diagram_layout.js";

const kSamples = 14; // of one bend
export const kLineGap = 4.5; // [px] between lines of one joint
const kLinkGap = 15; // between links that join the same two nodes
const kBend = 1.6; // of a link within a box: its middle comes half as far aside
const kArrowGap = 2;

/** The middle line of each link, from its beginning to where its arrow points, as short straight pieces. */
export function linkPaths(model: DiagramModel, layout: Layout): Point[][] {
  const bundles = new Map<string, number[]>();
  model.links.forEach((link, l) => {
    const key = [link.from, link.to].sort((a, b) => a - b).join(" ");
    bundles.set(key, [...(bundles.get(key) ?? []), l]);
  });
  return model.links.map((link, l) => {
    const bundle = bundles.get([link.from, link.to].sort((a, b) => a - b).join(" ")) ?? [l];
    const aside = placeInBundle(model, bundle, l) * (link.from > link.to ? -1 : 1);
    if (link.from === kBase || link.to === kBase) return basePath(link, layout, layout.via[l] ?? [], aside);
    const isInside = model.nodes[link.from]!.box === model.nodes[link.to]!.box;
    return isInside ? chord(layout, link, kBend * aside) : sidewaysPath(layout, link, layout.via[l] ?? [], aside);
  });
}

/** How far aside a link runs of the middle of all that join the same two nodes. */
function placeInBundle(model: DiagramModel, bundle: readonly number[], link: number): number {
  const widths = bundle.map((l) => kLinkGap + kLineGap * Math.max(0, model.links[l]!.lines - 1));
  const sum = (values: readonly number[]) => values.reduce((total, width) => total + width, 0);
  const index = bundle.indexOf(link);
  return sum(widths.slice(0, index)) + widths[index]! / 2 - sum(widths) / 2;
}

/** Up from the base to its node, around what stands between. */
function basePath(link: DiagramLink, layout: Layout, via: readonly Point[], aside: number): Point[] {
  const node = layout.nodes[link.from === kBase ? link.to : link.from]!;
  const lane = via[0];
  const x = (lane?.x ?? node.x) + aside;
  const base = { x, y: layout.baseTop };
  const path: Point[] = [base];
  if (lane) {
    const turn = { x, y: lane.y };
    const end = rim(node, { x, y: node.y + 0.6 * layout.radius }, layout.radius + kArrowGap);
    const reach = 0.5 * Math.hypot(end.x - turn.x, end.y - turn.y);
    const outward = unit(end, { x, y: node.y + 0.35 * layout.radius });
    path.push(...bend(turn, { x, y: turn.y - reach }, { x: end.x + outward.x * reach, y: end.y + outward.y * reach }, end));
  } else {
    path.push({ x, y: node.y + Math.sqrt(Math.max(0, layout.radius ** 2 - aside ** 2)) + kArrowGap });
  }
  return link.from === kBase ? path : path.reverse();
}

/** Between nodes of one box: straight, or bent where several join them. */
function chord(layout: Layout, link: DiagramLink, aside: number): Point[] {
  const [a, b] = [layout.nodes[link.from]!, layout.nodes[link.to]!];
  const along = unit(a, b);
  const middle = { x: (a.x + b.x) / 2 - along.y * aside, y: (a.y + b.y) / 2 + along.x * aside };
  const start = rim(a, middle, layout.radius + kArrowGap);
  const end = rim(b, middle, layout.radius + kArrowGap);
  return [start, ...bend(start, middle, middle, end)];
}

/** From column to column, level where it passes one. */
function sidewaysPath(layout: Layout, link: DiagramLink, via: readonly Point[], aside: number): Point[] {
  const [a, b] = [layout.nodes[link.from]!, layout.nodes[link.to]!];
  const between = a.x <= b.x ? via : [...via].reverse();
  const shifted = between.map((point) => ({ x: point.x, y: point.y + aside }));
  const start = rim(a, softened(a, shifted[0] ?? b, aside), layout.radius + kArrowGap);
  const end = rim(b, softened(b, shifted[shifted.length - 1] ?? a, aside), layout.radius + kArrowGap);
  const stops = [start, ...shifted, end];
  const way = Math.sign(b.x - a.x) || 1;
  const path = [start];
  for (let k = 0; k + 1 < stops.length; ++k) {
    const [from, to] = [stops[k]!, stops[k + 1]!];
    const reach = 0.45 * Math.abs(to.x - from.x);
    const out = k === 0 ? halfLevel(unit(a, start), way) : { x: way, y: 0 };
    const into = k + 2 === stops.length ? halfLevel(unit(end, b), way) : { x: way, y: 0 };
    const leave = { x: from.x + out.x * reach, y: from.y + out.y * reach };
    const arrive = { x: to.x - into.x * reach, y: to.y - into.y * reach };
    path.push(...bend(from, leave, arrive, to));
  }
  return path;
}

/** Half way between a direction and level. */
function halfLevel(direction: Point, way: number): Point {
  return unit({ x: 0, y: 0 }, { x: direction.x + way, y: direction.y });
}

/** Links leave a node towards where they go, but flatter. */
function softened(node: Point, to: Point, aside: number): Point {
  return { x: to.x, y: node.y + 0.6 * (to.y - node.y) + aside };
}

function rim(node: Point, towards: Point, radius: number): Point {
  const along = unit(node, towards);
  return { x: node.x + radius * along.x, y: node.y + radius * along.y };
}

function unit(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** Points of a cubic curve, its beginning left out. */
function bend(p: Point, q: Point, r: Point, s: Point): Point[] {
  return Array.from({ length: kSamples }, (_, k) => {
    const t = (k + 1) / kSamples;
    const u = 1 - t;
    const mix = (a: number, b: number, c: number, d: number) => u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
    return { x: mix(p.x, q.x, r.x, s.x), y: mix(p.y, q.y, r.y, s.y) };
  });
}

/** The path moved sideways, cut by `short` at its end, as text for SVG. */
export function pathText(path: readonly Point[], aside: number, short: number): string {
  const cut = shortened(path, short);
  return cut
    .map((point, k) => {
      const along = unit(cut[Math.max(0, k - 1)]!, cut[Math.min(cut.length - 1, k + 1)]!);
      return `${k === 0 ? "M" : "L"}${(point.x - along.y * aside).toFixed(1)} ${(point.y + along.x * aside).toFixed(1)}`;
    })
    .join("");
}

function shortened(path: readonly Point[], by: number): Point[] {
  const cut = [...path];
  let left = by;
  while (cut.length > 2) {
    const [last, before] = [cut[cut.length - 1]!, cut[cut.length - 2]!];
    const length = Math.hypot(last.x - before.x, last.y - before.y);
    if (length > left) break;
    left -= length;
    cut.pop();
  }
  const [last, before] = [cut[cut.length - 1]!, cut[cut.length - 2]!];
  const along = unit(before, last);
  cut[cut.length - 1] = { x: last.x - left * along.x, y: last.y - left * along.y };
  return cut;
}

/** Triangle at the end of a path. */
export function arrowText(path: readonly Point[], length: number, halfWidth: number): string {
  const tip = path[path.length - 1]!;
  const cut = shortened(path, length);
  const along = unit(cut[cut.length - 1]!, tip);
  const back = { x: tip.x - length * along.x, y: tip.y - length * along.y };
  const corner = (side: number) => `${(back.x - side * halfWidth * along.y).toFixed(1)} ${(back.y + side * halfWidth * along.x).toFixed(1)}`;
  return `M${tip.x.toFixed(1)} ${tip.y.toFixed(1)}L${corner(1)}L${corner(-1)}Z`;
}
