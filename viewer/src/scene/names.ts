import { Vector3 } from "three";
import type { Attachment, Joint, JointEnd, Mechanism, Sensor } from "../report_data.js";
import { isAnywhere, middleOf, vector } from "./anatomy.js";
import type { Content } from "./content.js";
import { type Drawing, endTurn, isBetweenTwoPlaces, railAndBlock } from "./drawing.js";
import type { Label } from "./labels.js";
import type { Target } from "./picking.js";
import { middleOfWay } from "./travel.js";

/** Names of everything that has one, where it is drawn. */
export function labelsOf({ drawing, sensors, stops }: Content): Label[] {
  const { mechanism, unit } = drawing;
  const labels: Label[] = [];
  mechanism.joints.forEach((joint, index) => {
    if (isAnywhere(joint)) return;
    const [place, second] = joint.ends;
    if (isBetweenTwoPlaces(joint)) labels.push({ kind: "joint", index, text: joint.name, place, second, beside: true });
    else labels.push({ kind: "joint", index, text: joint.name, place: jointPlace(drawing, joint), reach: jointReach(mechanism, index) });
  });
  mechanism.bodies.forEach((body, index) => {
    if (index > 0) labels.push({ kind: "body", index, text: body.name, ...bodyPlace(drawing, index) });
    for (const point of body.points) {
      const at = vector(point.at);
      const joints = drawing.bodies[index]?.joints ?? [];
      if (joints.some((joint) => joint.distanceTo(at) < unit)) continue; // the joint's name says it
      const text = isAmbiguous(mechanism, point.name) ? `${body.name}.${point.name}` : point.name;
      labels.push({ kind: "point", index: -1, text, place: { body: index, at: point.at } });
    }
  });
  for (const { name, place } of stops) labels.push({ kind: "point", index: -1, text: name, place });
  mechanism.sensors.forEach((sensor, index) => {
    const [place, second] = sensorEnds(drawing, sensors.places[index], sensor);
    if (place) labels.push({ kind: "sensor", index, text: sensor.name, place, ...(second ? { second, beside: true } : { reach: 1.7 }) });
  });
  mechanism.springs.forEach((spring, index) => {
    const place = spring.ends?.[0] ?? (spring.joint === undefined ? undefined : mechanism.joints[spring.joint]?.ends[0]);
    const beside = spring.ends ? { second: spring.ends[1], beside: true, reach: 2.2 } : {};
    if (place) labels.push({ kind: "spring", index, text: spring.name, place, ...beside });
  });
  return labels;
}

/** Whether a point's name does not say which it is: other points, joints or springs have the same. */
function isAmbiguous({ bodies, joints, springs, sensors }: Mechanism, name: string): boolean {
  const others = [...joints, ...springs, ...sensors].some((one) => one.name === name);
  return others || bodies.filter((body) => body.points.some((point) => point.name === name)).length > 1;
}

/** Small things that can be clicked on. */
export function targetsOf({ drawing, sensors }: Content): Target[] {
  const { mechanism } = drawing;
  const targets: Target[] = [];
  mechanism.joints.forEach((joint, index) => {
    if (!isAnywhere(joint)) targets.push({ kind: "joint", index, ends: isBetweenTwoPlaces(joint) ? joint.ends : [jointPlace(drawing, joint)] });
  });
  mechanism.sensors.forEach((sensor, index) => {
    const [place, second] = sensorEnds(drawing, sensors.places[index], sensor);
    if (place) targets.push({ kind: "sensor", index, ends: second ? [place, second] : [place] });
  });
  mechanism.springs.forEach((spring, index) => {
    const place = spring.joint === undefined ? undefined : mechanism.joints[spring.joint]?.ends[0];
    if (spring.ends) targets.push({ kind: "spring", index, ends: spring.ends });
    else if (place) targets.push({ kind: "spring", index, ends: [place] });
  });
  return targets;
}

/** Where a sensor is drawn, or between which places; one in a joint stands beside it. */
function sensorEnds(drawing: Drawing, drawn: Attachment | undefined, sensor: Sensor): [Attachment | undefined, Attachment | undefined] {
  if (sensor.joint === undefined) return [drawn ?? sensor.place, sensor.second];
  const joint = drawing.mechanism.joints[sensor.joint];
  if (!joint) return [undefined, undefined];
  const u = drawing.unit;
  const [rail] = railAndBlock(joint);
  return [onEnd(rail, joint.kind === "prismatic" ? [middleOfWay(drawing, joint), -3.2 * u, 0] : [-1.5 * u, -1.5 * u, 0]), undefined];
}

/** The pin of a joint; of a slider a place on its block that is free of a pin in the middle. */
function jointPlace({ unit }: Drawing, joint: Joint): Attachment {
  if (joint.kind === "prismatic") return onEnd(railAndBlock(joint)[1], [2.2 * unit, 0, 0]);
  const isOnAWay = ["slot", "circular_slot", "rolling", "rolling_disc", "point_on_line", "point_on_plane", "point_on_curve"].includes(joint.kind); // named where the pin is
  return joint.ends[isOnAWay ? 1 : 0];
}

/** A place seen from an end of a joint, in its axes. */
function onEnd(end: JointEnd, offset: [number, number, number]): Attachment {
  const { x, y, z } = new Vector3(...offset).applyQuaternion(endTurn(end)).add(vector(end.at));
  return { body: end.body, at: [x, y, z] };
}

/** How far what is drawn about a joint reaches, in radii of a pin. */
function jointReach({ drivers, springs, sensors, joints, planar }: Mechanism, index: number): number {
  if (drivers.some(({ joint }) => joint === index)) return 3.3;
  if (springs.some(({ joint }) => joint === index)) return 3.3;
  if (sensors.some(({ joint }) => joint === index)) return 2.4;
  const kind = joints[index]?.kind;
  return kind === "prismatic" && planar ? 2.6 : planar ? 1.2 : 1.9;
}

/** Where a body's name stands: beside a bar, else in the middle of what is drawn, away from its joints where it can. */
function bodyPlace({ bodies, mechanism, unit }: Drawing, body: number): Pick<Label, "place" | "second" | "beside" | "reach"> {
  const places = bodies[body]?.places ?? [];
  const joints = bodies[body]?.joints ?? [];
  const shape = mechanism.bodies[body]?.shape;
  const ring = bodies[body]?.toothed.find(({ rim }) => rim > 0);
  if (ring) return { place: onEnd(ring.end, [0, -ring.rim, 0]), reach: 1 };
  const on = ({ x, y, z }: Vector3): Attachment => ({ body, at: [x, y, z] });
  const [first, second] = shape?.kind === "bar" ? [vector(shape.from), vector(shape.to)] : places;
  if (first && second && (shape?.kind === "bar" || (!shape && places.length === 2))) {
    return { place: on(first), second: on(second), beside: true, reach: 1.2 };
  }
  if (!shape) return { place: on(places.length > 0 ? middleOf(places) : new Vector3()), reach: places.length > 1 ? 1 : 3 };
  const middle = vector(shape.kind === "bar" ? shape.from : shape.centre);
  // Aside from a pin in the middle of a disc, away from those at its rim.
  if (shape.kind === "disc" && joints.some((joint) => joint.distanceTo(middle) < 2 * unit)) {
    const rim = middleOf(joints).sub(middle);
    const away = rim.lengthSq() > 0 ? rim.normalize().negate() : new Vector3(0, -1, 0);
    middle.addScaledVector(away, Math.max(0.6 * shape.radius, Math.min(6 * unit, 0.8 * shape.radius)));
  }
  return { place: on(middle), reach: 1 };
}
