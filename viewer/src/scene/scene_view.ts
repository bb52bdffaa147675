import "./scene.css";
import { Vector3 } from "three";
import { element } from "../dom.js";
import type { BodyPose } from "../motion.js";
import type { Mechanism } from "../report_data.js";
import type { Session } from "../session.js";
import type { DrawnArrow } from "./arrows.js";
import { drawnColour } from "./bodies.js";
import type { DrawnContact } from "./contacts.js";
import { type Content, makeContent } from "./content.js";
import { clickablePlaces } from "./clickable.js";
import { Corner } from "./corner.js";
import { solidColour } from "./drawing.js";
import { drawFloor } from "./floor.js";
import { Labels } from "./labels.js";
import { type LayerName, Layers } from "./layers.js";
import { Legend } from "./legend.js";
import { legendRows } from "./legend_rows.js";
import { labelsOf, targetsOf } from "./names.js";
import { onTap, Picker } from "./picking.js";
import { type Direction, kFlatDirections, Stage, webGlContext } from "./stage.js";
import { Toolbar } from "./toolbar.js";

const kMostNames = 12; // more are shown on demand only
const kArrowDecades = 1.5; // by which arrows can be made longer or shorter

const kLayerTitles: Record<LayerName, string> = {
  road: "Road",
  contacts: "Tyre forces and contact points",
  traces: "Paths of points",
  sensors: "Sensors",
  forces: "Forces and torques",
  ghosts: "Other recordings",
  particles: "Particles",
};

interface Parts {
  content: Content;
  layers: Layers;
  stage: Stage;
  picker: Picker;
  labels: Labels;
  legend: Legend;
  corner: Corner;
  cell: number; // [m] of the grid of the road or the floor
  isFollowing: boolean; // whether the eye goes along with a vehicle
  arrowLength?: HTMLElement; // the slider, where there are arrows
}

/** The mechanism in three dimensions, at the time of the clock. */
export class SceneView {
  readonly #session: Session;
  readonly #parts: Parts | undefined;
  /** Called when there is something to draw. */
  wake: () => void = () => undefined;
  #isMoved = true; // bodies are not where the clock says
  #isStale = true; // the picture is old

  constructor(container: HTMLElement, session: Session) {
    this.#session = session;
    const { mechanism } = session.report;
    this.#parts = mechanism && this.#make(container, mechanism);
    if (!this.#parts) return;
    session.clock.watch(() => (this.#moved = true));
    session.selection.watch(() => this.#recolour());
    session.theme.watch(() => this.#recolour());
    session.hidden.watch(() => this.#applyLayers());
  }

  set #moved(moved: boolean) {
    this.#isMoved = moved;
    if (moved) this.wake();
  }
  set #stale(stale: boolean) {
    this.#isStale = stale;
    if (stale) this.wake();
  }

  /** Draws what has changed. True when something was drawn. */
  draw(): boolean {
    const parts = this.#parts;
    if (!parts || (!this.#isMoved && !this.#isStale) || parts.stage.width < 1 || parts.stage.height < 1) return false;
    const { content, stage, labels, corner, cell } = parts;
    const { time } = this.#session.clock;
    if (this.#isMoved) {
      stage.follow(this.#gone(parts, time));
      content.drawing.frames.show(time);
      for (const frames of content.ghosts.values()) if (frames.root.visible) frames.show(time);
      for (const follower of content.followers) follower.follow(time);
    }
    stage.render();
    labels.place();
    corner.turn(stage.camera);
    if (stage.isFlat) corner.showScale(stage.metresPerPixel(new Vector3()));
    else corner.showCell(cell);
    this.#moved = false;
    this.#stale = false;
    return true;
  }
  /** Everything into view, as at the beginning. */
  fit(): void {
    this.#look("iso");
  }
  /** Where a body of a recording is drawn, read back from the drawn object. */
  drawnPose(recording: number, body: number): BodyPose | undefined {
    const content = this.#parts?.content;
    if (!content) return undefined;
    return (recording === content.drawing.solid ? content.drawing.frames : content.ghosts.get(recording))?.drawnPose(body);
  }
  /** Where on the page an element is drawn, in pixels from the upper left corner of the canvas; for tests that click. */
  screenPosition(kind: "body" | "joint" | "sensor", index: number): { x: number; y: number } | undefined {
    if (!this.#parts) return undefined;
    const { picker, content } = this.#parts;
    if (kind === "body") return picker.bodyPosition(index, clickablePlaces(content, index));
    return picker.position(kind, index);
  }
  /** Contacts that are drawn now, read back from the drawn objects. */
  drawnContacts(): DrawnContact[] {
    return this.#parts?.content.contacts.drawnContacts() ?? [];
  }
  /** Bodies of particles that are drawn now. */
  get drawnParticles(): number {
    return this.#parts?.content.particles.reduce((sum, { cloud }) => sum + cloud.drawn, 0) ?? 0;
  }
  /** Arrows that are drawn now, read back from the drawn objects. */
  drawnArrows(): DrawnArrow[] {
    return this.#parts?.content.arrows.drawnArrows() ?? [];
  }
  /** Colour that the faces of a body of the solid recording have now: "#rrggbb"; undefined for what has none. */
  bodyColour(body: number): string | undefined {
    const mesh = this.#parts?.content.bodies[body];
    return mesh && drawnColour(mesh);
  }

  #make(container: HTMLElement, mechanism: Mechanism): Parts | undefined {
    const content = makeContent(this.#session, mechanism);
    if (!content) return void sayInstead(container, "No result gives the positions of the bodies.");
    const canvas = element("canvas");
    const context = webGlContext(canvas);
    if (!context) return void sayInstead(container, "This browser does not draw in three dimensions (no WebGL). Everything else works.");
    container.append(canvas);
    const { drawing } = content;
    const stage = new Stage(context, mechanism.planar, drawing.up, drawing.extent, drawing.unit, () => (this.#stale = true));
    stage.scene.add(content.root);
    const corner = new Corner(container);
    const cell = mechanism.planar ? 0 : (content.road?.cell ?? drawFloor(drawing, stage.scene));
    const names = labelsOf(content);
    const colourOf = (body: number) => solidColour(drawing, body);
    const tips = content.sensors.tips;
    const labels = new Labels(container, names, this.#session, drawing.frames, stage, drawing.unit, colourOf, tips, !mechanism.planar);
    labels.shown = names.filter(({ kind }) => kind === "body" || kind === "joint" || kind === "point").length <= kMostNames;
    const layers = new Layers(content);
    const legend = new Legend(container, legendRows(content, layers));
    const picker = new Picker(stage, drawing.frames, targetsOf(content), content.bodies, content.tyres, drawing.unit);
    const parts: Parts = { content, layers, stage, picker, labels, legend, corner, cell, isFollowing: drawing.way !== undefined };
    this.#fillToolbar(new Toolbar(container), parts);
    onTap(canvas, (x, y) => this.#session.selection.select(picker.pick(x, y, this.#session.selection.selected)));
    container.addEventListener("keydown", (event) => this.#zoomByKey(event, stage));
    stage.setBackground(this.#session.theme.palette.background);
    new ResizeObserver(() => {
      stage.resize(container.clientWidth, container.clientHeight);
      this.#stale = true;
    }).observe(container);
    return parts;
  }

  #fillToolbar(toolbar: Toolbar, parts: Parts): void {
    const { content, layers, stage, labels } = parts;
    const { planar } = content.drawing.mechanism;
    toolbar.action("fit", "Fit (f)", () => this.fit());
    if (planar) toolbar.toggle("turn", "Turn the drawing in space", false, (on) => (stage.turnable = on));
    else {
      for (const view of kFlatDirections) toolbar.word(stage.planeOf(view), `View of the ${stage.planeOf(view)} plane`, () => this.#look(view));
      toolbar.action("iso", "View in perspective", () => this.#look("iso"));
    }
    const { way, extent, whole } = content.drawing;
    if (way)
      toolbar.toggle("follow", "Stay with the vehicle", true, (on) => {
        parts.isFollowing = on;
        stage.show(on ? extent : whole);
        if (content.road) content.road.size = (on ? extent : whole).size;
        this.#moved = true;
      });
    toolbar.separate();
    toolbar.toggle("labels", "Names", labels.shown, (on) => {
      labels.shown = on;
      this.#stale = true;
    });
    for (const name of layers.names) {
      toolbar.toggle(name, kLayerTitles[name], layers.isOn(name), (on) => {
        layers.set(name, on);
        this.#applyLayers();
      });
    }
    if (content.arrows.count + content.contacts.count > 0)
      parts.arrowLength = toolbar.slider("Length of force arrows", kArrowDecades, (factor) => {
        content.arrows.stretch = factor;
        content.contacts.stretch = factor;
        this.#moved = true;
      });
    this.#showArrowLength(parts);
  }
  /** While forces are shown. */
  #showArrowLength({ arrowLength, layers }: Parts): void {
    if (arrowLength) arrowLength.hidden = !layers.names.some((name) => (name === "forces" || name === "contacts") && layers.isOn(name));
  }
  #look(direction: Direction): void {
    if (!this.#parts) return;
    this.#parts.stage.look(direction);
    if (this.#parts.content.road) this.#parts.content.road.direction = direction;
    this.#stale = true;
  }
  /** The way of the vehicle that is followed. */
  #gone({ content: { drawing }, isFollowing }: Parts, time: number): Vector3 {
    const gone = new Vector3();
    return isFollowing && drawing.way ? drawing.way.at(time, gone) : gone;
  }
  #applyLayers(): void {
    if (!this.#parts) return;
    const { layers, labels, legend, picker } = this.#parts;
    layers.apply();
    picker.asleep = !layers.solidShown;
    labels.asleep = !layers.solidShown;
    const sensors = layers.isOn("sensors");
    for (const { hidden } of [picker, labels]) sensors ? hidden.delete("sensor") : hidden.add("sensor");
    legend.refresh();
    this.#showArrowLength(this.#parts);
    this.#moved = true;
  }

  #zoomByKey(event: KeyboardEvent, stage: Stage): void {
    const factor = event.key === "+" || event.key === "=" ? 1.2 : event.key === "-" ? 1 / 1.2 : 0;
    if (factor === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    stage.zoomBy(factor);
    this.#stale = true;
  }
  #recolour(): void {
    if (!this.#parts) return;
    const { content, stage, labels, legend } = this.#parts;
    content.drawing.paints.refresh();
    stage.setBackground(this.#session.theme.palette.background);
    labels.recolour();
    legend.refresh();
    this.#stale = true;
  }
}

function sayInstead(container: HTMLElement, sentence: string): void {
  container.append(element("p", "scene-without", sentence));
}
