import { type BufferGeometry, Group, TorusGeometry, Vector3 } from "three";
import type { Attachment, Sensor } from "../report_data.js";
import type { Anatomy } from "./anatomy.js";
import { type Drawing, endTurn, type Follower, inkOf, jointFrame, railAndBlock } from "./drawing.js";
import { arc, arrowHead, circle, FlatSketch, type Point, rectangle } from "./flat_sketch.js";
import { hang } from "./forms.js";
import { box, cone, cylinder, solidForm } from "./solid_parts.js";
import { Span } from "./span.js";
import { middleOfWay } from "./travel.js";

/** Red, green, blue for x, y, z, as everywhere. */
const kAxisColours = ["#e03131", "#2f9e44", "#3b82f6"] as const;
type Axis = 0 | 1 | 2;

export interface DrawnSensors {
  groups: Group[]; // to hide them
  places: (Attachment | undefined)[]; // (sensors) where each is drawn, where that is a place on a body
  tips: Attachment[]; // places along the axes that are drawn
  followers: Follower[];
}

/** Instruments: boxes with the axes they feel, arcs in joints, dashed lines for distances. */
export function drawSensors(drawing: Drawing): DrawnSensors {
  const made: DrawnSensors = { groups: [], places: [], tips: [], followers: [] };
  const taken: Attachment[] = [];
  drawing.mechanism.sensors.forEach((sensor, index) => {
    let place: Attachment | undefined;
    if (sensor.joint !== undefined) made.groups.push(...drawInJoint(drawing, sensor.joint, index));
    else if (sensor.place && sensor.second) {
      const span = drawDistance(drawing, sensor.place, sensor.second, index);
      made.groups.push(span.near, span.far);
      made.followers.push(span);
    } else if (sensor.place) {
      place = freePlace(drawing, sensor.place, taken);
      taken.push(place);
      made.groups.push(drawBox(drawing, sensor, place, index));
      made.tips.push(...tipsOf(drawing, sensor, place));
    }
    made.places.push(place);
  });
  return made;
}

/** Where a sensor does not cover a joint or another sensor. One that may sit anywhere on its body moves along it; the others aside. */
function freePlace({ bodies, unit }: Drawing, place: Attachment, taken: readonly Attachment[]): Attachment {
  const anatomy = bodies[place.body];
  const covered = (at: Vector3) =>
    (anatomy?.joints ?? []).some((joint) => joint.distanceTo(at) < 3.2 * unit) ||
    taken.some((other) => other.body === place.body && new Vector3(...other.at).distanceTo(at) < 4 * unit);
  const at = new Vector3(...place.at);
  const candidates = [at, ...(place.name ? [] : alongBody(anatomy)), ...aside(at, unit)];
  const free = candidates.find((candidate) => !covered(candidate)) ?? at;
  return { ...place, at: [free.x, free.y, free.z] };
}

function alongBody(anatomy: Anatomy | undefined): Vector3[] {
  const [first, second] = anatomy?.joints.length === 1 ? anatomy.places : (anatomy?.joints ?? []);
  if (!first || !second) return [];
  return [0.5, 0.35, 0.65, 0.25, 0.75].map((part) => first.clone().lerp(second, part));
}

function aside(at: Vector3, unit: number): Vector3[] {
  return [1, 2, 3, 4].flatMap((k) => [
    new Vector3(at.x, at.y + 4.4 * k * unit, at.z),
    new Vector3(at.x + 4.4 * k * unit, at.y, at.z),
    new Vector3(at.x, at.y - 4.4 * k * unit, at.z),
  ]);
}

/** The axes along or about which a sensor feels something. */
function axesOf(sensor: Sensor, planar: boolean): Axis[] {
  if (sensor.kind === "tracker" || sensor.kind === "reads") return [];
  if (!planar) return sensor.kind === "inclinometer" ? [0, 1] : [0, 1, 2];
  if (sensor.kind === "gyroscope") return [2];
  if (sensor.kind === "inclinometer" || sensor.kind === "magnetometer") return [0];
  return sensor.kind === "imu" ? [0, 1, 2] : [0, 1];
}

/** Places along the arrows of the axes, so near to each other that no name fits between them. */
function tipsOf({ mechanism, unit }: Drawing, sensor: Sensor, place: Attachment): Attachment[] {
  const turn = endTurn({ ...place, axes: sensor.axes ?? [1, 0, 0, 0] });
  const axes = axesOf(sensor, mechanism.planar).filter((axis) => axis < 2 || !mechanism.planar);
  return axes.flatMap((axis) =>
    [1.5, 2.8, 4].map((along): Attachment => {
      const { x, y, z } = new Vector3().setComponent(axis, along * unit).applyQuaternion(turn).add(new Vector3(...place.at));
      return { body: place.body, at: [x, y, z] };
    }),
  );
}

function drawBox(drawing: Drawing, sensor: Sensor, place: Attachment, index: number): Group {
  const { frames, mechanism, session, paints, unit, levels } = drawing;
  const axes = axesOf(sensor, mechanism.planar);
  const frame = jointFrame(frames.frame(place.body), { ...place, axes: sensor.axes ?? [1, 0, 0, 0] });
  const ink = inkOf(session, "sensor", index);
  const stroke = paints.stroke(ink, { width: () => 1.6 });
  if (mechanism.planar) {
    const casing = new FlatSketch(levels.sensors, levels.step);
    const far = 2 * unit;
    if (sensor.kind === "tracker") casing.face(diamond(1.3 * unit)).line([[-far, 0], [far, 0]]).line([[0, -far], [0, far]]);
    else casing.face(rectangle([0, 0], 1.25 * unit, 1.25 * unit));
    hang(frame, casing.form(), paints.flat(() => session.theme.palette.background), stroke);
    for (const axis of axes) {
      const colour = () => kAxisColours[axis];
      const form = flatAxis(axis, unit, levels.sensors + 2 * levels.step, levels.step);
      hang(frame, form, paints.flat(colour), paints.stroke(colour, { width: () => 2 }));
    }
    return frame;
  }
  const casing = box(new Vector3(), new Vector3().setScalar(1.9 * unit));
  hang(frame, solidForm([], [casing]), paints.lit(() => session.theme.palette.background), stroke);
  for (const axis of axes) hang(frame, solidForm(solidAxis(axis, unit)), paints.lit(() => kAxisColours[axis]), stroke);
  return frame;
}

function diamond(radius: number): Point[] {
  return [[radius, 0], [0, radius], [-radius, 0], [0, -radius]];
}

function flatAxis(axis: Axis, unit: number, z: number, step: number) {
  const sketch = new FlatSketch(z, step);
  if (axis === 2) return sketch.line(circle([0, 0], 0.75 * unit, 24), true).area(circle([0, 0], 0.28 * unit, 12)).form();
  const length = 4 * unit;
  const tip: Point = axis === 0 ? [length, 0] : [0, length];
  const start: Point = axis === 0 ? [1.25 * unit, 0] : [0, 1.25 * unit];
  return sketch.line([start, tip]).line(arrowHead(tip, axis === 0 ? 0 : Math.PI / 2, unit)).form();
}

function solidAxis(axis: Axis, unit: number): BufferGeometry[] {
  const direction = new Vector3().setComponent(axis, 1);
  return [
    cylinder(direction.clone().multiplyScalar(2.2 * unit), direction, 0.2 * unit, 2.6 * unit, 8),
    cone(direction.clone().multiplyScalar(3.9 * unit), direction, 0.55 * unit, 0, 1.2 * unit, 12),
  ];
}

/** Encoders and tachometers: a scale round the pin, along the rail. */
function drawInJoint(drawing: Drawing, jointIndex: number, index: number): Group[] {
  const { frames, mechanism, session, paints, unit, levels } = drawing;
  const joint = mechanism.joints[jointIndex];
  if (!joint) return [];
  const [end] = railAndBlock(joint);
  const frame = jointFrame(frames.frame(end.body), end);
  const ink = inkOf(session, "sensor", index, () => kAxisColours[2]);
  const sketch = new FlatSketch(mechanism.planar ? levels.sensors : 0, levels.step);
  if (joint.kind === "prismatic") {
    const y = -3 * unit;
    const x = middleOfWay(drawing, joint);
    sketch.line([[x - 4 * unit, y], [x + 4 * unit, y]]);
    for (let k = -4; k <= 4; ++k) sketch.line([[x + k * unit, y], [x + k * unit, y - 0.7 * unit]]);
  } else {
    sketch.line(arc([0, 0], 1.7 * unit, 0, 1.5 * Math.PI, 36));
    for (let k = 0; k <= 9; ++k) {
      const [c, s] = [Math.cos((k * Math.PI) / 6), Math.sin((k * Math.PI) / 6)];
      sketch.line([[1.7 * unit * c, 1.7 * unit * s], [2.2 * unit * c, 2.2 * unit * s]]);
    }
    const ring = new TorusGeometry(2.1 * unit, 0.16 * unit, 8, 36, 1.5 * Math.PI);
    if (!mechanism.planar) hang(frame, solidForm([ring]), paints.lit(ink), paints.stroke(ink));
  }
  hang(frame, sketch.form(), paints.flat(ink), paints.stroke(ink, { width: () => 1.6 }));
  return [frame];
}

function drawDistance(drawing: Drawing, from: Attachment, to: Attachment, index: number): Span {
  const { frames, mechanism, session, paints, unit, levels } = drawing;
  const span = new Span(frames, [from, to], mechanism.planar);
  const ink = inkOf(session, "sensor", index, () => kAxisColours[2]);
  const stroke = paints.stroke(ink, { width: () => 1.6 });
  const z = mechanism.planar ? levels.sensors : 0;
  const dashes = new FlatSketch(z, levels.step);
  for (let k = 0; k < 24; ++k) dashes.line([[k / 24, 0], [(k + 0.55) / 24, 0]]);
  const paint = paints.flat(ink);
  hang(span.stretch(1), dashes.form(), paint, stroke);
  for (const end of [span.near, span.far]) {
    const head = new FlatSketch(z, levels.step).line(arrowHead([0.6 * unit, 0], Math.PI, 1.4 * unit));
    hang(end, head.line([[0, -1.5 * unit], [0, 1.5 * unit]]).form(), paint, stroke);
  }
  return span;
}
