import { Vector3 } from "three";
import { element } from "../dom.js";
import type { Attachment } from "../report_data.js";
import type { Session } from "../session.js";
import type { BodyFrames } from "./body_frames.js";
import type { Stage } from "./stage.js";

export type LabelKind = "joint" | "body" | "point" | "sensor" | "spring";

export interface Label {
  kind: LabelKind;
  index: number; // of what can be selected; −1: nothing
  text: string;
  place: Attachment;
  second?: Attachment; // the label stands in the middle
  beside?: boolean; // of the line between the two: a bar is not written over
  reach?: number; // of the symbol, in radii of a pin; 1.2 unless told
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
/** Where something is seen [px]: its middle, how far it reaches, the unit vector across its line. */
interface Anchor {
  x: number;
  y: number;
  reach: number;
  across: [number, number];
  inView: boolean;
}
interface Drawn extends Label {
  tag: HTMLElement;
  width: number;
  side: number; // of kSides, where it stood last
}

const kHeight = 17; // [px]
const kLongest = 200;
/** Where a label may stand about its place: right above, right below, left above, left below, above, below, right, left; on it; on
 * either side of its line. */
const kSides: readonly (readonly [number, number])[] = [[1, -1], [1, 1], [-1, -1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0]];
const kOnIt = kSides.length;
const kLineSides = [kOnIt + 1, kOnIt + 2] as const;
const kOrder: readonly LabelKind[] = ["joint", "body", "point", "sensor", "spring"];

/** Names beside what they name, none over another: one that finds no room is left out, the selected one never. */
export class Labels {
  shown = false;
  /** None at all: what they name is not shown. */
  asleep = false;
  /** Kinds of which only the selected one is named. */
  readonly hidden = new Set<LabelKind>();
  readonly #layer = element("div", "scene-labels");
  readonly #drawn: Drawn[];
  readonly #at = new Vector3();
  readonly #to = new Vector3();
  readonly #taken: Box[] = [];
  readonly #anchors: { label: Drawn; x: number; y: number }[] = []; // of sensors [px]

  constructor(
    container: HTMLElement,
    labels: readonly Label[],
    private readonly session: Session,
    private readonly frames: BodyFrames,
    private readonly stage: Stage,
    private readonly unit: number,
    private readonly colourOf: (body: number) => string,
    private readonly obstacles: readonly Attachment[], // tips of axes of sensors: nothing is written over them
    inSpace: boolean,
  ) {
    this.#layer.classList.toggle("in-space", inSpace);
    const pen = document.createElement("canvas").getContext("2d");
    const font = getComputedStyle(container).fontFamily;
    const ordered = [...labels].sort((a, b) => kOrder.indexOf(a.kind) - kOrder.indexOf(b.kind));
    this.#drawn = ordered.map((label) => {
      const tag = element("span", `scene-label ${label.kind}`, label.text);
      tag.hidden = true;
      this.#layer.append(tag);
      if (pen) pen.font = `${label.kind === "body" ? 600 : 400} 12px ${font}`;
      const width = Math.min(kLongest, (pen?.measureText(label.text).width ?? 8 * label.text.length) + 6);
      return { ...label, tag, width, side: label.beside ? kLineSides[0] : label.kind === "body" ? kOnIt : 0 };
    });
    container.append(this.#layer);
    this.recolour();
  }

  recolour(): void {
    for (const { kind, index, tag } of this.#drawn) if (kind === "body") tag.style.color = this.colourOf(index);
  }

  /** Places all labels anew; after the frames have moved. */
  place(): void {
    this.#taken.length = 0;
    this.#layer.hidden = this.asleep;
    if (this.asleep) return;
    const { selection } = this.session;
    this.#anchors.length = 0;
    if (this.shown) this.#keepFree();
    const isSelected = (label: Drawn) => label.index >= 0 && selection.is(label.kind, label.index);
    for (const label of this.#drawn) if (isSelected(label)) this.#show(label, true);
    for (const label of this.#drawn) {
      if (isSelected(label)) continue;
      if (this.shown && !this.hidden.has(label.kind)) this.#show(label, false);
      else if (!label.tag.hidden) label.tag.hidden = true;
    }
  }

  /** No label over the symbol of a joint or the axes of a sensor. */
  #keepFree(): void {
    const keep = (x: number, y: number, r: number) => this.#taken.push({ left: x - r, right: x + r, top: y - r, bottom: y + r });
    for (const label of this.#drawn) {
      if (label.second || (label.kind !== "joint" && label.kind !== "sensor")) continue;
      const { x, y, reach } = this.#anchor(label);
      if (label.kind === "joint") keep(x, y, 0.9 * reach);
      else this.#anchors.push({ label, x, y });
    }
    if (this.hidden.has("sensor")) return;
    for (const place of this.obstacles) {
      const { x, y } = this.stage.project(this.frames.world(place, this.#at), this.#to);
      keep(x, y, 4);
    }
  }
  /** Whether one would take it for the name of another sensor. */
  #misleads(label: Drawn, { left, right, top, bottom }: Box, { x, y }: Anchor): boolean {
    if (label.kind !== "sensor" || label.second) return false;
    const from = (px: number, py: number) => Math.hypot((left + right) / 2 - px, (top + bottom) / 2 - py);
    const own = from(x, y);
    return this.#anchors.some((other) => other.label !== label && Math.hypot(other.x - x, other.y - y) > 4 && from(other.x, other.y) < own);
  }
  #anchor({ place, second, reach: radii = 1.2 }: Label): Anchor {
    const world = this.frames.world(place, this.#at);
    const across: [number, number] = [0, -1];
    if (second) {
      const from = this.stage.project(world, this.#to);
      const [x0, y0] = [from.x, from.y];
      this.frames.world(second, this.#to);
      world.lerp(this.#to, 0.5);
      const to = this.stage.project(this.#to, this.#to);
      const [dx, dy] = [to.x - x0, to.y - y0];
      const length = Math.hypot(dx, dy);
      if (length > 0) [across[0], across[1]] = dx > 0 ? [dy / length, -dx / length] : [-dy / length, dx / length]; // upwards
    }
    const reach = Math.min(14 * radii, Math.max(3, (radii * this.unit) / this.stage.metresPerPixel(world)));
    const { x, y, z } = this.stage.project(world, this.#to);
    const inView = Math.abs(z) <= 1 && x > 0 && y > 0 && x < this.stage.width && y < this.stage.height;
    return { x, y, reach, across, inView };
  }
  #show(label: Drawn, must: boolean): void {
    const anchor = this.#anchor(label);
    const side = anchor.inView ? this.#freeSide(label, anchor) : undefined;
    const hide = !anchor.inView || (side === undefined && !must);
    if (label.tag.hidden !== hide) label.tag.hidden = hide;
    label.tag.classList.toggle("selected", must);
    if (hide) return;
    label.side = side ?? label.side;
    const box = labelBox(label, label.side, anchor);
    this.#taken.push(box);
    label.tag.style.transform = `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`;
  }
  /** The side where it stood is tried first: labels do not jump about. */
  #freeSide(label: Drawn, anchor: Anchor): number | undefined {
    const free = (side: number) => {
      const box = labelBox(label, side, anchor);
      if (box.left < 0 || box.top < 0 || box.right > this.stage.width || box.bottom > this.stage.height) return false;
      return !this.#misleads(label, box, anchor) && this.#taken.every((other) => apart(box, other));
    };
    if (free(label.side)) return label.side;
    if (label.beside) return kLineSides.find(free);
    const sides = label.kind === "body" ? kOnIt + 1 : kOnIt; // a joint's name does not stand on the joint
    for (let side = 0; side < sides; ++side) if (free(side)) return side;
    return undefined;
  }
}

function apart(a: Box, b: Box): boolean {
  return a.left >= b.right || a.right <= b.left || a.top >= b.bottom || a.bottom <= b.top;
}

function labelBox({ width }: Drawn, side: number, { x, y, reach, across }: Anchor): Box {
  let [cx, cy] = [x, y];
  const [h, v] = kSides[side] ?? [0, 0];
  if (side > kOnIt) {
    const sign = side === kLineSides[0] ? 1 : -1;
    const away = (Math.abs(across[0]) * width) / 2 + (Math.abs(across[1]) * kHeight) / 2 + reach + 1;
    cx += sign * across[0] * away;
    cy += sign * across[1] * away;
  } else {
    const gap = reach * (h !== 0 && v !== 0 ? 0.7 : 1) + 2;
    cx += h * (gap + width / 2);
    cy += v * (gap + kHeight / 2 - 2);
  }
  return { left: cx - width / 2, right: cx + width / 2, top: cy - kHeight / 2, bottom: cy + kHeight / 2 };
}
