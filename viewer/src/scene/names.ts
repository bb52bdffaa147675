import { Vector3 } from "three";
import type { Attachment } from "../report_data.js";
import { middleOf, vector } from "./anatomy.js";
import type { Content } from "./content.js";
import type { Label } from "./labels.js";
import type { Target } from "./picking.js";

/** Names of everything that has one, where it is drawn. */
export function labelsOf({ drawing, sensors }: Content): Label[] {
  const { mechanism, unit } = drawing;
  const labels: Label[] = [];
  mechanism.joints.forEach((joint, index) => {
    if (joint.kind === "free") return;
    const [place, second] = joint.ends;
    labels.push({ kind: "joint", index, text: joint.name, place, ...(joint.kind === "rod" ? { second } : {}) });
  });
  mechanism.bodies.forEach((body, index) => {
    if (index > 0) labels.push({ kind: "body", index, text: body.name, place: { body: index, at: labelPlace(drawing, index) } });
    for (const point of body.points) {
      const at = vector(point.at);
      const joints = drawing.bodies[index]?.joints ?? [];
      if (joints.some((joint) => joint.distanceTo(at) < unit)) continue; // the joint's name says it
      labels.push({ kind: "point", index: -1, text: point.name, place: { body: index, at: point.at } });
    }
  });
  mechanism.sensors.forEach((sensor, index) => {
    const [place, second] = sensorEnds(sensors.places[index], sensor, mechanism.joints);
    if (place) labels.push({ kind: "sensor", index, text: sensor.name, place, ...(second ? { second } : {}) });
  });
  mechanism.springs.forEach((spring, index) => {
    const place = spring.ends?.[0] ?? (spring.joint === undefined ? undefined : mechanism.joints[spring.joint]?.ends[0]);
    if (place) labels.push({ kind: "spring", index, text: spring.name, place, ...(spring.ends ? { second: spring.ends[1] } : {}) });
  });
  return labels;
}

/** Small things that can be clicked on. */
export function targetsOf({ drawing, sensors }: Content): Target[] {
  const { mechanism } = drawing;
  const targets: Target[] = [];
  mechanism.joints.forEach((joint, index) => {
    if (joint.kind !== "free") targets.push({ kind: "joint", index, ends: joint.kind === "rod" ? joint.ends : [joint.ends[0]] });
  });
  mechanism.sensors.forEach((sensor, index) => {
    const [place, second] = sensorEnds(sensors.places[index], sensor, mechanism.joints);
    if (place) targets.push({ kind: "sensor", index, ends: second ? [place, second] : [place] });
  });
  mechanism.springs.forEach((spring, index) => {
    const place = spring.joint === undefined ? undefined : mechanism.joints[spring.joint]?.ends[0];
    if (spring.ends) targets.push({ kind: "spring", index, ends: spring.ends });
    else if (place) targets.push({ kind: "spring", index, ends: [place] });
  });
  return targets;
}

function sensorEnds(
  drawn: Attachment | undefined,
  sensor: { place?: Attachment; second?: Attachment; joint?: number },
  joints: readonly { ends: [Attachment, Attachment] }[],
): [Attachment | undefined, Attachment | undefined] {
  if (sensor.joint !== undefined) return [joints[sensor.joint]?.ends[0], undefined];
  return [drawn ?? sensor.place, sensor.second];
}

/** The middle of what is drawn of a body, away from its joints where it can. */
function labelPlace({ bodies, unit, mechanism }: Content["drawing"], body: number): [number, number, number] {
  const anatomy = bodies[body];
  const shape = mechanism.bodies[body]?.shape;
  if (!anatomy) return [0, 0, 0];
  const middle =
    shape?.kind === "bar"
      ? vector(shape.from).lerp(vector(shape.to), 0.5)
      : shape
        ? vector(shape.centre)
        : anatomy.places.length === 1
          ? (anatomy.places[0] ?? new Vector3()).clone()
          : middleOf(anatomy.places);
  if (shape?.kind === "disc" && anatomy.joints.some((joint) => joint.distanceTo(middle) < 2 * unit)) {
    middle.y -= Math.max(0.45 * shape.radius, Math.min(4.5 * unit, 0.8 * shape.radius));
  }
  return [middle.x, middle.y, middle.z];
}
