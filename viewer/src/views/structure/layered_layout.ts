import { labelWidth, layBox } from "./box_layout.js";
import type { BoxLayout } from "./box_layout.js";
import { kBase } from "./diagram_model.js";
import type { Layout } from "./diagram_layout.js";
import type { DiagramModel, Point } from "./diagram_model.js";

/** A box, or room for a link that passes by the boxes of a column. */
interface Item {
  box: number; // −1: a passing link
  link: number;
  column: number;
  halfHeight: number;
  y: number;
  neighbours: Item[];
}

const kColumnGaps = [58, 140] as const; // [px] least and most
const kLaneGap = 13;
const kRowGap = 18;
const kMargin = 16;
const kBaseGap = 56; // between the lowest box and the base
export const kBaseHeight = 18;
const kSweeps = 6;

/** Columns from left to right in the order of solving, the base below; links go by boxes, not through them. */
export function layLayers(model: DiagramModel, radius: number): Layout {
  const boxes = model.boxes.map((_, b) => layBox(model, b, radius));
  const items = makeItems(model, boxes);
  const columns = columnsOfItems(items);
  order(columns);
  placeRows(columns);
  const lanes = groundLanes(model, boxes, items, radius);
  const centres = placeColumns(model, boxes, columns.length, lanes);
  return assemble(model, boxes, items, lanes, centres, radius);
}

/** Boxes and, for each link that spans several columns, a thread of places between. */
function makeItems(model: DiagramModel, boxes: readonly BoxLayout[]): Item[] {
  const items = boxes.map(({ halfHeight }, box): Item => {
    return { box, link: -1, column: model.boxes[box]!.column, halfHeight, y: 0, neighbours: [] };
  });
  const join = (a: Item, b: Item) => {
    a.neighbours.push(b);
    b.neighbours.push(a);
  };
  model.links.forEach((link, l) => {
    if (link.from === kBase || link.to === kBase) return;
    const ends = [link.from, link.to].map((node) => items[model.nodes[node]!.box]!).sort((a, b) => a.column - b.column);
    const [first, last] = [ends[0]!, ends[1]!];
    let before = first;
    for (let column = first.column + 1; column < last.column; ++column) {
      const passing: Item = { box: -1, link: l, column, halfHeight: 5, y: 0, neighbours: [] };
      items.push(passing);
      join(before, passing);
      before = passing;
    }
    if (first !== last) join(before, last);
  });
  return items;
}

function columnsOfItems(items: readonly Item[]): Item[][] {
  const columns: Item[][] = [];
  for (const item of items) (columns[item.column] ??= []).push(item);
  return Array.from(columns, (column) => column ?? []);
}

/** Few crossings: each column in the order of the middles of what it is joined to, from left and from right in turn. */
function order(columns: readonly Item[][]): void {
  const rank = new Map<Item, number>();
  const note = (column: readonly Item[]) => column.forEach((item, k) => rank.set(item, (k + 0.5) / column.length));
  columns.forEach(note);
  for (let sweep = 0; sweep < kSweeps; ++sweep) {
    const inTurn = sweep % 2 === 0 ? columns : [...columns].reverse();
    for (const column of inTurn) {
      const wanted = new Map(column.map((item) => [item, mean(item.neighbours.map((other) => rank.get(other)!)) ?? rank.get(item)!]));
      column.sort((a, b) => wanted.get(a)! - wanted.get(b)!);
      note(column);
    }
  }
}

function mean(values: readonly number[]): number | undefined {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : undefined;
}

/** Heights: as near to what an item is joined to as its neighbours in the column allow. */
function placeRows(columns: readonly Item[][]): void {
  for (const column of columns) spread(column, column.map(() => 0));
  for (let sweep = 0; sweep < kSweeps; ++sweep)
    for (const column of columns) spread(column, column.map((item) => mean(item.neighbours.map((other) => other.y)) ?? item.y));
}

function spread(column: readonly Item[], wanted: readonly number[]): void {
  let bottom = -Infinity;
  column.forEach((item, k) => {
    item.y = Math.max(wanted[k]!, bottom + item.halfHeight);
    bottom = item.y + item.halfHeight + kRowGap;
  });
  const shift = mean(column.map((item, k) => wanted[k]! - item.y)) ?? 0;
  for (const item of column) item.y += shift;
}

/** For each link to the base that cannot go straight down: side of its column and number of its lane there, the nearest being 0. */
type Lanes = Map<number, { column: number; side: -1 | 1; lane: number }>;

function groundLanes(model: DiagramModel, boxes: readonly BoxLayout[], items: readonly Item[], radius: number): Lanes {
  const blocked: { link: number; column: number; side: -1 | 1; y: number }[] = [];
  model.links.forEach((link, l) => {
    if (link.from !== kBase && link.to !== kBase) return;
    const node = link.from === kBase ? link.to : link.from;
    const item = items[model.nodes[node]!.box]!;
    const places = boxes[item.box]!.places;
    const at = places.get(node)!;
    const inBox = [...places].some(([other, place]) => other !== node && place.y > at.y && Math.abs(place.x - at.x) < 1.5 * radius);
    const below = items.some((other) => other.column === item.column && other.y > item.y);
    if (inBox || below) blocked.push({ link: l, column: item.column, side: at.x > 1 ? 1 : -1, y: item.y + at.y });
  });
  const lanes: Lanes = new Map();
  const used = new Map<string, number>();
  for (const { link, column, side } of blocked.sort((a, b) => b.y - a.y)) {
    const key = `${column} ${side}`;
    const lane = used.get(key) ?? 0;
    used.set(key, lane + 1);
    lanes.set(link, { column, side, lane });
  }
  return lanes;
}

/** Middle and half width of each column. */
function placeColumns(model: DiagramModel, boxes: readonly BoxLayout[], count: number, lanes: Lanes): { x: number; half: number }[] {
  const lanesOf = (column: number, side: number) => [...lanes.values()].filter((lane) => lane.column === column && lane.side === side).length;
  const between = model.links.filter(({ from, to }) => from !== kBase && model.nodes[from]?.box !== model.nodes[to]?.box);
  const longest = Math.max(0, ...between.map((link) => labelWidth(link.label)));
  const gap = Math.min(kColumnGaps[1], Math.max(kColumnGaps[0], longest + 34));
  const columns: { x: number; half: number }[] = [];
  let right = kMargin;
  for (let column = 0; column < count; ++column) {
    const half = Math.max(10, ...boxes.filter((_, b) => model.boxes[b]!.column === column).map((box) => box.halfWidth));
    const left = right + (column > 0 ? gap : 0) + kLaneGap * lanesOf(column, -1);
    columns.push({ x: left + half, half });
    right = left + 2 * half + kLaneGap * lanesOf(column, 1);
  }
  return columns;
}

/** Level through a column. */
function across({ x, half }: { x: number; half: number }, y: number): Point[] {
  return [-half, half].map((side) => ({ x: x + side, y }));
}

function assemble(
  model: DiagramModel,
  boxes: readonly BoxLayout[],
  items: readonly Item[],
  lanes: Lanes,
  columns: readonly { x: number; half: number }[],
  radius: number,
): Layout {
  const top = Math.min(0, ...items.map((item) => item.y - item.halfHeight)) - kMargin;
  for (const item of items) item.y -= top;
  const baseTop = Math.max(0, ...items.map((item) => item.y + item.halfHeight)) + kBaseGap;
  const nodes = model.nodes.map((node, n): Point => {
    const place = boxes[node.box]!.places.get(n)!;
    const label = model.boxes[node.box]!.label ? 8 : 0; // the box's name stands above its circles
    return { x: columns[model.boxes[node.box]!.column]!.x + place.x, y: items[node.box]!.y + place.y + label };
  });
  const rectangles = boxes.map((box, b) => ({
    x: columns[model.boxes[b]!.column]!.x - box.halfWidth,
    y: items[b]!.y - box.halfHeight,
    width: 2 * box.halfWidth,
    height: 2 * box.halfHeight,
  }));
  const via = model.links.map((link, l) => {
    const lane = lanes.get(l);
    if (!lane) return items.filter((item) => item.link === l).flatMap((item) => across(columns[item.column]!, item.y));
    const column = columns[lane.column]!;
    const node = nodes[link.from === kBase ? link.to : link.from]!;
    return [{ x: column.x + lane.side * (column.half + 8 + kLaneGap * lane.lane), y: node.y + 1.6 * radius }];
  });
  const ends = [...rectangles.map((box) => box.x + box.width), ...via.flat().map((point) => point.x)];
  const width = Math.max(0, ...ends) + kMargin;
  return { width, height: baseTop + kBaseHeight + kMargin + 14, baseTop, radius, nodes, boxes: rectangles, via };
}
