import type { Point } from "./diagram_model.js";
import type { Layout } from "./diagram_layout.js";

const kFontSize = 11;
const kHeight = 13;
const kPlaces = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
const kAside = [9, -9, 14, -14, 22, -22, 34, -34];

let measuring: CanvasRenderingContext2D | null | undefined;

/** Width of a text in the drawings [px]. */
export function textWidth(text: string, size = kFontSize): number {
  measuring ??= document.createElement("canvas").getContext("2d");
  if (!measuring) return 0.6 * size * text.length;
  measuring.font = `${size}px system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif`;
  return measuring.measureText(text).width;
}

/** As much of a text as has room, with an ellipsis. */
export function shortText(text: string, width: number, size = kFontSize): string {
  if (textWidth(text, size) <= width) return text;
  let kept = text.length;
  while (kept > 1 && textWidth(`${text.slice(0, kept)}…`, size) > width) --kept;
  return `${text.slice(0, kept)}…`;
}

/** A name in up to `most` lines: broken at blanks, points, underscores, else anywhere. */
export function wrapped(text: string, width: number, most: number, size = kFontSize): string[] {
  const parts = text.match(/[^\s._-]+[\s._-]*|[\s._-]+/g) ?? [text];
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines[lines.length - 1];
    if (last !== undefined && textWidth((last + part).trim(), size) <= width) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  const kept = lines.length > most ? [...lines.slice(0, most - 1), lines.slice(most - 1).join("")] : lines;
  return kept.map((line) => shortText(line.trim(), width, size));
}

interface Rectangle {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Middles of the labels of paths: beside their line, where they cover no circle, no other label and few lines. */
export function placeLabels(texts: readonly string[], paths: readonly Point[][], layout: Layout): (Point | undefined)[] {
  const taken: Rectangle[] = layout.boxes.map((box) => ({ left: box.x + 6, right: box.x + box.width - 6, top: box.y, bottom: box.y + 17 }));
  return texts.map((text, l) => {
    const path = paths[l];
    if (!text || !path) return undefined;
    const half = textWidth(text) / 2 + 2;
    let best: { at: Point; cost: number } | undefined;
    for (const part of kPlaces)
      for (const aside of kAside) {
        const at = beside(path, part, aside, half);
        const cost = costOf(rectangleAbout(at, half), taken, paths, layout) + 3 * Math.abs(part - 0.5) + 0.1 * Math.abs(aside);
        if (!best || cost < best.cost) best = { at, cost };
      }
    if (best) taken.push(rectangleAbout(best.at, half));
    return best?.at;
  });
}

function rectangleAbout(at: Point, half: number): Rectangle {
  return { left: at.x - half, right: at.x + half, top: at.y - kHeight / 2, bottom: at.y + kHeight / 2 };
}

/** Beside the path, by its width where the path is steep and by its height where it is level. */
function beside(path: readonly Point[], part: number, aside: number, half: number): Point {
  const { at, along } = pointOn(path, part);
  const reach = Math.abs(aside) - 9 + 4 + Math.abs(along.y) * half + Math.abs(along.x) * (kHeight / 2);
  const side = Math.sign(aside);
  return { x: at.x - side * along.y * reach, y: at.y + side * along.x * reach };
}

function pointOn(path: readonly Point[], part: number): { at: Point; along: Point } {
  const lengths = path.slice(1).map((point, k) => Math.hypot(point.x - path[k]!.x, point.y - path[k]!.y));
  let left = part * lengths.reduce((sum, length) => sum + length, 0);
  for (let k = 0; k < lengths.length; ++k) {
    const [a, b, length] = [path[k]!, path[k + 1]!, lengths[k]!];
    if (left <= length && length > 0) {
      const along = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
      return { at: { x: a.x + left * along.x, y: a.y + left * along.y }, along };
    }
    left -= length;
  }
  return { at: path[path.length - 1]!, along: { x: 1, y: 0 } };
}

function costOf(label: Rectangle, taken: readonly Rectangle[], paths: readonly Point[][], layout: Layout): number {
  let cost = 0;
  for (const node of layout.nodes) {
    const dx = Math.max(label.left - node.x, 0, node.x - label.right);
    const dy = Math.max(label.top - node.y, 0, node.y - label.bottom);
    if (Math.hypot(dx, dy) < layout.radius + 2) cost += 100;
  }
  for (const other of taken)
    if (label.left < other.right && label.right > other.left && label.top < other.bottom && label.bottom > other.top) cost += 60;
  if (label.left < 2 || label.right > layout.width - 2) cost += 4;
  if (label.bottom > layout.baseTop - 2) cost += 80;
  for (const box of layout.boxes) {
    const meets = (edge: number) => label.left < edge && label.right > edge;
    if (label.top < box.y + box.height && label.bottom > box.y && (meets(box.x) || meets(box.x + box.width))) cost += 3;
  }
  for (const path of paths)
    for (let k = 0; k + 1 < path.length; ++k) if (crosses(path[k]!, path[k + 1]!, label)) cost += 6;
  return cost;
}

/** Whether a short piece of a line meets a rectangle: tried at a few points of it. */
function crosses(a: Point, b: Point, { left, right, top, bottom }: Rectangle): boolean {
  if (Math.max(a.x, b.x) < left || Math.min(a.x, b.x) > right || Math.max(a.y, b.y) < top || Math.min(a.y, b.y) > bottom) return false;
  const steps = Math.max(1, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / 6));
  for (let k = 0; k <= steps; ++k) {
    const x = a.x + ((b.x - a.x) * k) / steps;
    const y = a.y + ((b.y - a.y) * k) / steps;
    if (x >= left && x <= right && y >= top && y <= bottom) return true;
  }
  return false;
}
