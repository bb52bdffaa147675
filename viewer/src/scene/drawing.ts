import { Group, Quaternion, Vector3 } from "three";
import type { Joint, JointEnd, Mechanism } from "../report_data.js";
import type { Session } from "../session.js";
import type { Anatomy } from "./anatomy.js";
import type { BodyFrames } from "./body_frames.js";
import type { Extent } from "./extent.js";
import { type Colour, mixed, type Paints } from "./paints.js";
import type { Way } from "./way.js";

/** Heights over the paper of what a flat drawing consists of, from below [m]. In space all are 0. */
export interface Levels {
  step: number; // from a face to its strokes
  ghosts: number; // added to those of the bodies
  springs: number;
  supports: number;
  joints: number;
  sensors: number;
  arrows: number;
}

/** What all parts of a scene are made with. */
export interface Drawing {
  session: Session;
  mechanism: Mechanism;
  frames: BodyFrames; // of the recording that is drawn solid
  solid: number; // that recording
  several: boolean; // whether there are ghosts or particles beside it
  paints: Paints;
  bodies: readonly Anatomy[];
  extent: Extent; // of a vehicle that goes far as seen by an eye that goes along
  whole: Extent; // of all the motion
  way: Way | undefined; // of such a vehicle
  unit: number; // [m] radius of a pin
  levels: Levels;
  up: Vector3;
}

/** Something that moves or stretches with time beyond the frames of the bodies. */
export interface Follower {
  follow(t: number): void;
}

/** Whether a body is selected, by itself or with its group. */
export function bodySelected(session: Session, body: number): boolean {
  const selected = session.selection.selected;
  if (selected?.kind === "body") return selected.index === body;
  return selected?.kind === "group" && body > 0 && session.report.structure?.group_of_body[body] === selected.index;
}

/** Where several recordings are drawn, what is solid has the colour of its recording, as in the plots; else bodies have their own. */
export function solidColour({ session, solid, several }: Drawing, body: number): string {
  return several && body > 0 ? session.recordingColour(solid) : session.bodyColour(body);
}

/** Of hypotheses: paler than the ghost of their filter, so that it is seen among them. */
export function hypothesesColour({ session }: Drawing, recording: number): string {
  return mixed(session.recordingColour(Math.max(0, recording)), session.theme.palette.background, 0.5);
}

/** The ink's colour; the accent when the element is selected. */
export function inkOf(session: Session, kind: "joint" | "sensor" | "spring", index: number, plain?: Colour): Colour {
  return () => (session.selection.is(kind, index) ? session.theme.palette.accent : (plain?.() ?? session.theme.palette.ink));
}

export function endTurn(end: JointEnd): Quaternion {
  const [w, x, y, z] = end.axes;
  return new Quaternion(x, y, z, w);
}

/** A frame at the place and with the axes of an end of a joint. */
export function jointFrame(body: Group, end: JointEnd): Group {
  const made = new Group();
  made.position.set(...end.at);
  made.quaternion.copy(endTurn(end));
  body.add(made);
  return made;
}

/** Whether a joint is drawn from one place to another: a rod, a linear actuator. */
export function isBetweenTwoPlaces({ kind }: Joint): boolean {
  return kind === "rod" || kind === "linear_actuator";
}

/** The rail of a prismatic joint belongs to the ground where there is a choice, else to the first body, as lines and slots do. */
export function railAndBlock(joint: Joint): [JointEnd, JointEnd] {
  const [first, second] = joint.ends;
  const isOfFirst = ["slot", "circular_slot", "rolling", "point_on_line"].includes(joint.kind);
  return !isOfFirst && second.body === 0 && first.body !== 0 ? [second, first] : [first, second];
}

/** Towards which side of a joint its body lies, body axes; 0 when the joint is all there is of it. */
export function towardsBody(bodies: readonly Anatomy[], end: JointEnd): Vector3 {
  const places = bodies[end.body]?.places ?? [];
  const sum = new Vector3();
  for (const place of places) sum.add(place).sub(new Vector3(...end.at));
  return sum.lengthSq() > 0 ? sum.normalize() : sum;
}
