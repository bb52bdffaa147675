import type { AngleUnit } from "../angle_unit.js";
import type { BodyPose, MotionTrack } from "../motion.js";
import { unpack } from "../numbers.js";
import { toldPosition } from "../own_origin.js";
import { curvesOf } from "../plots/curves.js";
import type { Curve } from "../plots/curves.js";
import { deviationText, valueText } from "../plots/number_text.js";
import { kSigmas } from "../plots/plot_style.js";
import type { Arrow, Spring } from "../report_data.js";
import type { Selected } from "../selection.js";
import type { Session } from "../session.js";
import type { Subject } from "./inspector_facts.js";
import { distance, jointCoordinates, placeOf, wrapped } from "./joint_coordinates.js";

/** A row of values that change: one cell for each recording that has it. */
export interface LiveRow {
  label: string;
  unit: string;
  texts: Map<number, (t: number) => string>; // by recording
}

const kMostRows = 16;
const kLeastTurn = 1e-4; // of a quaternion's vector: below is what poses are rounded to
const kLeastLength = 5e-6; // [m] likewise
const kLeastAngle = 2e-4; // [rad]
const kRoundoff = 1e-9;
const kNoPlace = 1e-12; // [rad], [m]

/** Current values of what is selected: from poses, arrows, and its channels. What a channel tells stands before what poses tell. */
export function liveRows(subject: Subject, selected: Selected, session: Session): LiveRow[] {
  const rows = [...rowsOfPoses(selected, session), ...rowsOfArrows(selected, session)].filter(({ texts }) => texts.size > 0);
  const own = curvesOf(session.report).filter((curve) => subject.channels.includes(curve.name) || isNamedAfter(curve, subject.prefix));
  for (const curve of own) {
    const label = subject.prefix && curve.name !== subject.prefix ? curve.name.slice(subject.prefix.length + 1) : curve.name;
    let row = rows.find((candidate) => candidate.label === label && candidate.unit === curve.unit);
    if (!row) {
      if (rows.length >= kMostRows) continue;
      rows.push((row = { label, unit: curve.unit, texts: new Map() }));
    }
    const nothing = roundoffOf(curve, session);
    row.texts.set(curve.recording, (t) => sampleText(curve, t, nothing, session.angles));
  }
  return rows;
}

function isNamedAfter(curve: Curve, prefix: string): boolean {
  return prefix !== "" && (curve.name === prefix || curve.name.startsWith(`${prefix}.`));
}

function rowsOfPoses(selected: Selected, session: Session): LiveRow[] {
  const { mechanism } = session.report;
  if (!mechanism || !selected) return [];
  if (selected.kind === "body") return selected.index > 0 ? bodyRows(selected.index, mechanism.planar, session) : [];
  if (selected.kind === "joint") return jointRows(selected.index, "", session);
  const spring = selected.kind === "spring" ? mechanism.springs[selected.index] : undefined;
  const { ends, joint } = spring ?? {};
  if (ends) return [trackRow(session, "length", "m", (track, t) => lengthText(distance(ends, track, t)))];
  return joint === undefined ? [] : jointRows(joint, `${mechanism.joints[joint]?.name ?? ""}.`, session);
}

function jointRows(index: number, prefix: string, session: Session): LiveRow[] {
  const joint = session.report.mechanism?.joints[index];
  if (!joint) return [];
  return jointCoordinates(joint).map(({ label, unit, of }) =>
    trackRow(session, prefix + label, unit, (track, t) => (unit === "rad" ? angleText(of(track, t), session.angles) : lengthText(of(track, t)))),
  );
}

/** Position of the body's origin, and its angle, or how far it is turned about which axis. */
function bodyRows(body: number, planar: boolean, session: Session): LiveRow[] {
  const row = (label: string, unit: string, text: (pose: BodyPose) => string) =>
    trackRow(session, label, unit, (track, t) => text(track.pose(body, t)));
  const axes = planar ? ["x", "y"] : ["x", "y", "z"];
  const told = (pose: BodyPose) => (session.report.mechanism ? toldPosition(session.report.mechanism, body, pose) : pose.position);
  const rows = axes.map((axis, k) => row(axis, "m", (pose) => lengthText(told(pose)[k] ?? NaN)));
  if (planar) rows.push(row("angle", "rad", ({ rotation }) => angleText(wrapped(2 * Math.atan2(rotation[3], rotation[0])), session.angles)));
  else rows.push(row("turned", "rad", (pose) => turnOf(pose, session.angles).angle), row("about", "", (pose) => turnOf(pose, session.angles).axis));
  return rows;
}

function trackRow(session: Session, label: string, unit: string, text: (track: MotionTrack, t: number) => string): LiveRow {
  const texts: LiveRow["texts"] = new Map();
  session.tracks.forEach((track, r) => {
    if (track && track.times.length > 0) texts.set(r, (t) => text(track, t));
  });
  return { label, unit, texts };
}

function turnOf({ rotation }: BodyPose, angles: AngleUnit): { angle: string; axis: string } {
  const sign = rotation[0] < 0 ? -1 : 1;
  const vector = [rotation[1], rotation[2], rotation[3]].map((part) => sign * part);
  const length = Math.hypot(...vector);
  if (length < kLeastTurn) return { angle: "0", axis: "–" };
  const axis = vector.map((part) => (part / length).toFixed(2).replace(/^-(?!0\.00$)/, "−").replace("-", ""));
  return { angle: angleText(2 * Math.atan2(length, Math.abs(rotation[0])), angles), axis: `(${axis.join(", ")})` };
}

/** Reaction and torque of a joint, force of a spring. */
function rowsOfArrows(selected: Selected, session: Session): LiveRow[] {
  const { mechanism, recordings } = session.report;
  if (!mechanism || (selected?.kind !== "joint" && selected?.kind !== "spring")) return [];
  const isJoint = selected.kind === "joint";
  const spring = isJoint ? undefined : mechanism.springs[selected.index];
  const name = isJoint ? mechanism.joints[selected.index]?.name : spring?.name;
  return (isJoint ? (["reaction", "torque"] as const) : (["force", "torque"] as const)).map((kind) => {
    const texts: LiveRow["texts"] = new Map();
    recordings.forEach(({ arrows }, r) => {
      const track = session.tracks[r];
      const arrow = arrows.find((candidate) => candidate.name === name && candidate.kind === kind);
      if (arrow && track) texts.set(r, arrowText(arrow, track, mechanism.planar, spring));
    });
    return { label: kind, unit: kind === "torque" ? "N m" : "N", texts };
  });
}

/** Its size; torques on paper with their sign, springs with what they do to their ends. */
function arrowText(arrow: Arrow, track: MotionTrack, planar: boolean, spring: Spring | undefined): (t: number) => string {
  const [x, y, z] = arrow.vector.map(unpack);
  return (t) => {
    const { before, after, part } = track.place(t);
    const [fx, fy, fz] = [x, y, z].map((column) => (column?.[before] ?? NaN) * (1 - part) + (column?.[after] ?? NaN) * part);
    if (fx === undefined || fy === undefined || fz === undefined) return "–";
    if (planar && arrow.kind === "torque") return valueText(fz);
    const size = valueText(Math.hypot(fx, fy, fz));
    if (!spring?.ends) return size;
    const [here, there] = spring.ends[0].body === arrow.place.body ? spring.ends : [spring.ends[1], spring.ends[0]];
    const [p, q] = [placeOf(here, track, t), placeOf(there, track, t)];
    const pull = fx * (q[0] - p[0]) + fy * (q[1] - p[1]) + fz * (q[2] - p[2]);
    return pull === 0 || !Number.isFinite(pull) ? size : `${size} ${pull > 0 ? "pull" : "push"}`;
  };
}

/** What is nothing beside the largest value of its unit in the recording. */
function roundoffOf({ recording, unit }: Curve, session: Session): number {
  const alike = curvesOf(session.report).filter((other) => other.recording === recording && other.unit === unit);
  const largest = Math.max(0, ...alike.flatMap((other) => (other.extent ?? []).map(Math.abs)));
  return Math.max(kRoundoff * largest, unit === "rad" || unit === "m" ? kNoPlace : 0);
}

/** With ± as wide as the bands of plots; up to `nothing` it is 0. */
function sampleText(curve: Curve, t: number, nothing: number, angles: AngleUnit): string {
  const sample = curve.at(t);
  if (!sample) return "–";
  const { factor } = angles.shown(curve.unit);
  const value = Math.abs(sample.value) <= nothing ? 0 : factor * sample.value;
  if (sample.sigma !== undefined) return `${valueText(value)} ${deviationText(kSigmas * factor * sample.sigma)}`;
  return valueText(value) + (curve.unit === "rad" && !angles.isDegrees ? degreesText(value) : "");
}

function lengthText(value: number): string {
  return valueText(Math.abs(value) < kLeastLength ? 0 : value);
}

/** Of a pose: it is known to some 10⁻⁵ rad. */
function angleText(value: number, angles: AngleUnit): string {
  if (!Number.isFinite(value)) return "–";
  const shown = Math.abs(value) < kLeastAngle ? 0 : value;
  if (angles.isDegrees) return (angles.shown("rad").factor * shown).toFixed(2).replace("-", "−");
  if (shown === 0) return `0${degreesText(0)}`;
  return value.toFixed(4).replace("-", "−") + degreesText(value);
}

function degreesText(angle: number): string {
  if (!Number.isFinite(angle)) return "";
  const text = ((angle * 180) / Math.PI).toFixed(1).replace("-", "−");
  return ` (${text === "−0.0" ? "0.0" : text}°)`;
}
