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
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
interface Drawn extends Label {
  tag: HTMLElement;
  width: number;
  side: number; // of kSides, where it stood last
}

const kHeight = 17; // [px]
const kLongest = 200;
/** Where a label may stand about its place: right above, right below, left above, left below, above, below, right, left, on it. */
const kSides: readonly (readonly [number, number])[] = [[1, -1], [1, 1], [-1, -1], [-1, 1], [0, -1], [0, 1], [1, 0], [-1, 0], [0, 0]];
const kOrder: readonly LabelKind[] = ["joint", "body", "point", "sensor", "spring"];

/** Names beside what they name, none over another: one that finds no room is left out, the selected one never. */
export class Labels {
  shown = false;
  readonly #layer = element("div", "scene-labels");
  readonly #drawn: Drawn[];
  readonly #at = new Vector3();
  readonly #to = new Vector3();
  readonly #taken: Box[] = [];

  constructor(
    container: HTMLElement,
    labels: readonly Label[],
    private readonly session: Session,
    private readonly frames: BodyFrames,
    private readonly stage: Stage,
    private readonly unit: number,
  ) {
    const pen = document.createElement("canvas").getContext("2d");
    const font = getComputedStyle(container).fontFamily;
    if (pen) pen.font = `600 12px ${font}`;
    const ordered = [...labels].sort((a, b) => kOrder.indexOf(a.kind) - kOrder.indexOf(b.kind));
    this.#drawn = ordered.map((label) => {
      const tag = element("span", `scene-label ${label.kind}`, label.text);
      tag.hidden = true;
      this.#layer.append(tag);
      const width = Math.min(kLongest, (pen?.measureText(label.text).width ?? 8 * label.text.length) + 6);
      return { ...label, tag, width, side: label.kind === "body" ? 8 : 0 };
    });
    container.append(this.#layer);
    this.recolour();
  }

  recolour(): void {
    for (const { kind, index, tag } of this.#drawn) if (kind === "body") tag.style.color = this.session.bodyColour(index);
  }

  /** Places all labels anew; after the frames have moved. */
  place(hidden: ReadonlySet<string>): void {
    this.#taken.length = 0;
    const { selection } = this.session;
    if (this.shown) this.#keepJointsFree();
    const isSelected = (label: Drawn) => label.index >= 0 && selection.is(label.kind, label.index);
    for (const label of this.#drawn) if (isSelected(label)) this.#show(label, true);
    for (const label of this.#drawn) {
      if (isSelected(label)) continue;
      if (this.shown && !hidden.has(label.kind)) this.#show(label, false);
      else if (!label.tag.hidden) label.tag.hidden = true;
    }
  }

  /** No label over a joint's symbol. */
  #keepJointsFree(): void {
    for (const { kind, place } of this.#drawn) {
      if (kind !== "joint") continue;
      const { x, y, reach } = this.#anchor(place);
      const r = 0.9 * reach;
      this.#taken.push({ left: x - r, right: x + r, top: y - r, bottom: y + r });
    }
  }
  /** Where a place is seen, and how far its symbol reaches [px]. */
  #anchor(place: Attachment, second?: Attachment): { x: number; y: number; reach: number; inView: boolean } {
    const world = this.frames.world(place, this.#at);
    if (second) world.lerp(this.frames.world(second, this.#to), 0.5);
    const reach = Math.min(16, Math.max(3, (1.2 * this.unit) / this.stage.metresPerPixel(world)));
    const { x, y, z } = this.stage.project(world, this.#to);
    return { x, y, reach, inView: Math.abs(z) <= 1 && x > 0 && y > 0 && x < this.stage.width && y < this.stage.height };
  }
  #show(label: Drawn, must: boolean): void {
    const { x, y, reach, inView } = this.#anchor(label.place, label.second);
    const side = inView ? this.#freeSide(label, x, y, reach) : undefined;
    const hide = !inView || (side === undefined && !must);
    if (label.tag.hidden !== hide) label.tag.hidden = hide;
    label.tag.classList.toggle("selected", must);
    if (hide) return;
    label.side = side ?? label.side;
    const box = this.#box(label, label.side, x, y, reach);
    this.#taken.push(box);
    label.tag.style.transform = `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`;
  }
  /** The side where it stood is tried first: labels do not jump about. */
  #freeSide(label: Drawn, x: number, y: number, reach: number): number | undefined {
    const free = (side: number) => {
      const box = this.#box(label, side, x, y, reach);
      if (box.left < 0 || box.top < 0 || box.right > this.stage.width || box.bottom > this.stage.height) return false;
      return this.#taken.every((other) => box.left >= other.right || box.right <= other.left || box.top >= other.bottom || box.bottom <= other.top);
    };
    if (free(label.side)) return label.side;
    const sides = label.kind === "body" ? kSides.length : kSides.length - 1; // a joint's name does not stand on the joint
    for (let side = 0; side < sides; ++side) if (free(side)) return side;
    return undefined;
  }
  #box({ width }: Drawn, side: number, x: number, y: number, reach: number): Box {
    const [h, v] = kSides[side] ?? [1, -1];
    const diagonal = h !== 0 && v !== 0 ? 0.7 : 1;
    const gap = reach * diagonal + 2;
    const left = h === 0 ? x - width / 2 : h > 0 ? x + gap : x - gap - width;
    const top = v === 0 ? y - kHeight / 2 : v > 0 ? y + gap - 2 : y - gap - kHeight + 2;
    return { left, top, right: left + width, bottom: top + kHeight };
  }
}
