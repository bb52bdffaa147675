import { kBase } from "./diagram_model.js";
import type { DiagramModel, Point } from "./diagram_model.js";
import { shortText, textWidth } from "./labels.js";

/** Where the nodes of a box stand about its middle, and its half size. */
export interface BoxLayout {
  places: Map<number, Point>;
  halfWidth: number;
  halfHeight: number;
}

const kLeastGap = 40; // [px] between circles
const kLongestLabel = 110; // more of a name is not drawn
const kPadding = 12;
const kLabelHeight = 16;
const kMostPasses = 8;
const kPull = 0.8; // of links to the outside, compared with those within

/** One below the other, or on a circle; who is where so that links are short and lead outwards on the right side. */
export function layBox(model: DiagramModel, box: number, radius: number): BoxLayout {
  const { nodes, label } = model.boxes[box]!;
  if (nodes.length === 0) return { places: new Map(), halfWidth: 0, halfHeight: 0 };
  const longest = Math.max(0, ...model.links.filter((link) => isInside(model, link, box)).map((link) => labelWidth(link.label)));
  const spots = spotsOf(nodes.length, 2 * radius + (nodes.length > 2 ? Math.max(kLeastGap, longest + 16) : kLeastGap));
  const order = arrange(model, box, spots);
  const places = new Map(order.map((node, k) => [node, spots[k]!]));
  const margin = radius + (label ? kPadding : 2);
  const half = (pick: (spot: Point) => number) => Math.max(...spots.map((spot) => Math.abs(pick(spot)))) + margin;
  const forText = Math.max(label ? 0.56 * textWidth(shortText(label, kLongestLabel)) + 10 : 0, longest > 0 ? longest + 12 : 0);
  const halfHeight = half((spot) => spot.y) + (label ? kLabelHeight / 2 : 0);
  return { places, halfWidth: Math.max(half((spot) => spot.x), forText), halfHeight };
}

function isInside(model: DiagramModel, link: { from: number; to: number }, box: number): boolean {
  return model.nodes[link.from]?.box === box && model.nodes[link.to]?.box === box;
}

/** A joint's name as it is drawn. */
export function drawnLabel(label: string): string {
  return shortText(label, kLongestLabel);
}

export function labelWidth(label: string): number {
  return label ? textWidth(drawnLabel(label)) : 0;
}

function spotsOf(count: number, pitch: number): Point[] {
  if (count === 1) return [{ x: 0, y: 0 }];
  if (count === 2) return [-1, 1].map((side) => ({ x: 0, y: (side * pitch) / 2 }));
  const ring = pitch / (2 * Math.sin(Math.PI / count));
  const turn = count % 2 === 0 ? Math.PI / count : 0;
  return Array.from({ length: count }, (_, k) => {
    const angle = Math.PI / 2 + turn + (2 * Math.PI * k) / count;
    return { x: ring * Math.cos(angle), y: ring * Math.sin(angle) };
  });
}

/** Nodes in the order of the spots: swaps as long as one makes the whole better. */
function arrange(model: DiagramModel, box: number, spots: readonly Point[]): number[] {
  const order = [...model.boxes[box]!.nodes];
  const cost = costOf(model, box, spots);
  let best = cost(order);
  for (let pass = 0; pass < kMostPasses; ++pass) {
    const before = best;
    for (let a = 0; a < order.length; ++a)
      for (let b = a + 1; b < order.length; ++b) {
        [order[a], order[b]] = [order[b]!, order[a]!];
        const now = cost(order);
        if (now < best - 1e-9) best = now;
        else [order[a], order[b]] = [order[b]!, order[a]!];
      }
    if (best >= before) break;
  }
  return order;
}

/** Length of the links within; and how far those to the outside begin from the side that they leave by. */
function costOf(model: DiagramModel, box: number, spots: readonly Point[]): (order: readonly number[]) => number {
  const inside: [number, number][] = [];
  const pulls: { node: number; x: number; y: number }[] = [];
  for (const link of model.links) {
    for (const [node, other] of [[link.from, link.to], [link.to, link.from]] as const) {
      if (node === kBase || model.nodes[node]!.box !== box) continue;
      if (other === kBase) pulls.push({ node, x: 0, y: 1 });
      else if (model.nodes[other]!.box === box) inside.push([node, other]);
      else pulls.push({ node, x: model.boxes[model.nodes[other]!.box]!.column > model.boxes[box]!.column ? 1 : -1, y: 0 });
    }
  }
  return (order) => {
    const spot = new Map(order.map((node, k) => [node, spots[k]!]));
    let sum = 0;
    for (const [a, b] of inside) sum += 0.5 * Math.hypot(spot.get(a)!.x - spot.get(b)!.x, spot.get(a)!.y - spot.get(b)!.y);
    for (const { node, x, y } of pulls) sum -= kPull * (x * spot.get(node)!.x + y * spot.get(node)!.y);
    return sum;
  };
}
