import { type Mesh, Raycaster, Vector2, Vector3 } from "three";
import type { Attachment } from "../report_data.js";
import type { Selected } from "../selection.js";
import type { BodyFrames } from "./body_frames.js";
import type { Stage } from "./stage.js";

type Picked = Exclude<Selected, undefined>;
export type PickKind = "joint" | "sensor" | "spring";

/** Something small: a place, or all between two places. */
export interface Target {
  kind: PickKind;
  index: number;
  ends: readonly [Attachment] | readonly [Attachment, Attachment];
}

const kTolerance = 8; // [px]
const kRing = Array.from({ length: 8 }, (_, k): [number, number] => [6 * Math.cos((k * Math.PI) / 4), 6 * Math.sin((k * Math.PI) / 4)]);

/** What is at a place of the picture. Small things win over bodies; of those under each other the next at every further click. */
export class Picker {
  /** Nothing is found: what could be is not shown. */
  asleep = false;
  /** Kinds that are not shown are not found. */
  readonly hidden = new Set<PickKind>();
  readonly #ray = new Raycaster();
  readonly #from = new Vector3();
  readonly #to = new Vector3();

  constructor(
    private readonly stage: Stage,
    private readonly frames: BodyFrames,
    private readonly targets: readonly Target[],
    private readonly bodies: readonly (Mesh | undefined)[],
    private readonly tyres: readonly { body: number; mesh: Mesh }[],
    private readonly unit: number,
  ) {}

  pick(x: number, y: number, before: Selected): Picked | undefined {
    if (this.asleep) return undefined;
    const found = this.#small(x, y);
    const last = found.findIndex(({ kind, index }) => before?.kind === kind && before.index === index);
    const next = found[(last + 1) % Math.max(1, found.length)];
    if (next) return { kind: next.kind, index: next.index };
    const body = [[0, 0] as const, ...kRing].map(([dx, dy]) => this.#body(x + dx, y + dy)).find((index) => index !== undefined);
    return body === undefined ? undefined : { kind: "body", index: body };
  }

  /** Where a small thing is drawn [px]. */
  position(kind: PickKind, index: number): { x: number; y: number } | undefined {
    const target = this.targets.find((one) => one.kind === kind && one.index === index);
    if (!target) return undefined;
    const [from, to] = target.ends;
    const middle = this.frames.world(from, new Vector3());
    if (to) middle.lerp(this.frames.world(to, this.#to), 0.5);
    const { x, y } = this.stage.project(middle, this.#from);
    return { x, y };
  }
  /** The first of some places, world, where a click finds the body. */
  bodyPosition(body: number, places: Iterable<Vector3>): { x: number; y: number } | undefined {
    for (const place of places) {
      const { x, y } = this.stage.project(place, this.#from);
      if (x < 0 || y < 0 || x > this.stage.width || y > this.stage.height) continue;
      if (this.#small(x, y).length === 0 && this.#body(x, y) === body) return { x, y };
    }
    return undefined;
  }

  /** Small things near a place, nearest first. */
  #small(x: number, y: number): Target[] {
    const near: { target: Target; distance: number }[] = [];
    for (const target of this.targets) {
      if (this.hidden.has(target.kind)) continue;
      const distance = this.#distance(target, x, y);
      if (distance !== undefined) near.push({ target, distance });
    }
    return near.sort((a, b) => a.distance - b.distance).map(({ target }) => target);
  }
  /** From a place to a target [px], when that is near enough; 0 at equal places, so that their order stays. */
  #distance({ ends: [from, to] }: Target, x: number, y: number): number | undefined {
    const world = this.frames.world(from, this.#from);
    const reach = Math.max(kTolerance, to ? 0 : (1.3 * this.unit) / this.stage.metresPerPixel(world));
    const a = this.stage.project(world, this.#from);
    if (Math.abs(a.z) > 1) return undefined;
    let [dx, dy] = [x - a.x, y - a.y];
    if (to) {
      const b = this.stage.project(this.frames.world(to, this.#to), this.#to);
      const [ux, uy] = [b.x - a.x, b.y - a.y];
      const length = ux * ux + uy * uy;
      const part = length > 0 ? Math.min(1, Math.max(0, (dx * ux + dy * uy) / length)) : 0;
      [dx, dy] = [dx - part * ux, dy - part * uy];
    }
    const distance = Math.hypot(dx, dy);
    // A line passes by many places: a place wins over it.
    return distance <= reach ? Math.round(distance) + (to ? kTolerance : 0) : undefined;
  }
  #body(x: number, y: number): number | undefined {
    const at = new Vector2((2 * x) / this.stage.width - 1, 1 - (2 * y) / this.stage.height);
    this.#ray.setFromCamera(at, this.stage.camera);
    const meshes = [...this.bodies.filter((mesh) => mesh !== undefined), ...this.tyres.map(({ mesh }) => mesh)];
    const [hit] = this.#ray.intersectObjects(meshes, false);
    const index = hit ? this.bodies.indexOf(hit.object as Mesh) : -1;
    return index >= 0 ? index : this.tyres.find(({ mesh }) => mesh === hit?.object)?.body;
  }
}

/** Calls back for clicks and taps, not for drags. */
export function onTap(canvas: HTMLCanvasElement, tap: (x: number, y: number) => void): void {
  let down: { x: number; y: number; id: number } | undefined;
  canvas.addEventListener("pointerdown", (event) => {
    down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, id: event.pointerId } : undefined;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!down || down.id !== event.pointerId) return;
    const still = Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5;
    down = undefined;
    const frame = canvas.getBoundingClientRect();
    if (still) tap(event.clientX - frame.left, event.clientY - frame.top);
  });
}
