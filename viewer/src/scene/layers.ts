import type { Content } from "./content.js";

const kNames = ["road", "contacts", "traces", "sensors", "forces", "ghosts", "particles"] as const;
export type LayerName = (typeof kNames)[number];

/** What of a scene is to be seen: what the toolbar says, less the recordings that are hidden. */
export class Layers {
  readonly #on: Record<LayerName, boolean> = { road: true, contacts: true, traces: true, sensors: true, forces: false, ghosts: true, particles: true };

  constructor(private readonly content: Content) {
    this.apply();
  }

  /** Those that there is something in. */
  get names(): LayerName[] {
    const { road, contacts, traces, sensors, arrows, ghosts, particles } = this.content;
    const counts: Record<LayerName, number> = {
      road: road ? 1 : 0,
      contacts: contacts.count,
      traces: traces.count,
      sensors: sensors.groups.length,
      forces: arrows.count,
      ghosts: ghosts.size,
      particles: particles.length,
    };
    return kNames.filter((name) => counts[name] > 0);
  }
  isOn(name: LayerName): boolean {
    return this.#on[name];
  }
  set(name: LayerName, on: boolean): void {
    this.#on[name] = on;
    this.apply();
  }
  get solidShown(): boolean {
    const { session, solid } = this.content.drawing;
    return !session.hidden.has(solid);
  }

  apply(): void {
    const { drawing, road, contacts, traces, sensors, arrows, ghosts, particles } = this.content;
    const { hidden } = drawing.session;
    const solid = this.solidShown;
    const { root } = drawing.frames;
    for (const part of root.children) part.visible = solid || part === drawing.frames.frame(0); // the ground stays
    if (road) road.root.visible = this.#on.road;
    contacts.root.visible = this.#on.contacts && solid;
    traces.root.visible = this.#on.traces && solid;
    arrows.root.visible = this.#on.forces && solid;
    for (const group of sensors.groups) group.visible = this.#on.sensors && solid;
    for (const [recording, frames] of ghosts) frames.root.visible = this.#on.ghosts && !hidden.has(recording);
    for (const { recording, cloud } of particles) cloud.root.visible = this.#on.particles && !hidden.has(recording);
  }
}
