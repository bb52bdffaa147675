import { toldPlace } from "../own_origin.js";
import { valueText } from "../plots/number_text.js";
import type { Attachment, Fact, Mechanism, Vec3 } from "../report_data.js";
import type { Selected } from "../selection.js";
import type { Session } from "../session.js";
import { branchText } from "./structure/branch_text.js";
import { groupName } from "./structure/group_name.js";

/** What is said of a selected thing whatever the time is. */
export interface Subject {
  name: string;
  kind: string;
  facts: Fact[];
  /** Channels that are its own: "NAME." begins their names, or they are named here in full. */
  prefix: string;
  channels: string[];
  withoutValues?: string; // what is said when it has no current value
}

/** None when the selection names nothing in this report. */
export function subjectOf(selected: Selected, session: Session): Subject | undefined {
  const { mechanism, structure } = session.report;
  if (!selected || !mechanism) return undefined;
  const makers = { body: bodySubject, joint: jointSubject, sensor: sensorSubject, spring: springSubject };
  if (selected.kind !== "group") return makers[selected.kind](mechanism, selected.index, session);
  const group = structure?.groups[selected.index];
  if (!structure || !group) return undefined;
  const facts = [
    fact("type", group.type),
    fact("inputs", group.inputs.join(", ") || "none"),
    fact("unknowns", group.unknowns),
    fact("branch", branchText(group.branch)),
    fact("bodies", group.bodies.map((body) => mechanism.bodies[body]?.name ?? "").join(", ")),
    fact("joints", group.joints.map((joint) => mechanism.joints[joint]?.name ?? "").join(", ")),
  ];
  return { name: groupName(structure, selected.index, mechanism), kind: "group", facts: told(facts), prefix: "", channels: group.inputs };
}

function fact(label: string, value: string): Fact {
  return { label, value };
}

function told(facts: readonly Fact[]): Fact[] {
  return facts.filter(({ value }) => value !== "");
}

function vectorText(vector: Vec3, planar: boolean): string {
  return `(${vector.slice(0, planar ? 2 : 3).map(valueText).join(", ")}) m`;
}

/** "coupler.P3", or "coupler at (0.27, 0) m". */
function placeText(mechanism: Mechanism, place: Attachment): string {
  const body = mechanism.bodies[place.body]?.name ?? "";
  return place.name ? `${body}.${place.name}` : `${body} at ${vectorText(toldPlace(mechanism, place.body, place.at), mechanism.planar)}`;
}

/** "2 · dyad RRR" of a body or joint; "" where structure is not known. */
function groupText(session: Session, holds: (group: { bodies: number[]; joints: number[] }) => boolean): string {
  const { structure } = session.report;
  const group = structure?.groups.findIndex(holds) ?? -1;
  return structure && group >= 0 ? groupName(structure, group, session.report.mechanism) : "";
}

function bodySubject(mechanism: Mechanism, index: number, session: Session): Subject | undefined {
  const body = mechanism.bodies[index];
  if (!body) return undefined;
  const { name, mass, centre, points } = body;
  const pointNames = fact("points", points.map((point) => point.name).join(", "));
  if (index === 0) return { name, kind: "ground", facts: told([pointNames]), prefix: name, channels: [] };
  const facts = [
    fact("mass", `${valueText(mass)} kg`),
    fact("centre of mass", mass > 0 ? vectorText(toldPlace(mechanism, index, centre), mechanism.planar) : ""),
    pointNames,
    fact("group", groupText(session, ({ bodies }) => bodies.includes(index))),
  ];
  return { name, kind: "body", facts: told(facts), prefix: name, channels: [] };
}

function jointSubject(mechanism: Mechanism, index: number, session: Session): Subject | undefined {
  const joint = mechanism.joints[index];
  if (!joint) return undefined;
  const facts = [
    fact("between", joint.ends.map((end) => placeText(mechanism, end)).join(" – ")),
    fact(joint.kind === "rod" ? "length" : "radius", joint.length > 0 ? `${valueText(joint.length)} m` : ""),
    fact("mass", joint.mass > 0 ? `${valueText(joint.mass)} kg` : ""),
    fact("driven by", mechanism.drivers.filter((driver) => driver.joint === index).map((driver) => driver.name).join(", ")),
    fact("group", groupText(session, ({ joints }) => joints.includes(index))),
  ];
  const kind = joint.kind === "rod" || joint.kind === "linear_actuator" ? joint.kind.replaceAll("_", " ") : `${joint.kind.replaceAll("_", " ")} joint`;
  return { name: joint.name, kind, facts: told(facts), prefix: joint.name, channels: [] };
}

function sensorSubject(mechanism: Mechanism, index: number): Subject | undefined {
  const sensor = mechanism.sensors[index];
  if (!sensor) return undefined;
  const places = [sensor.place, sensor.second].flatMap((place) => (place ? [placeText(mechanism, place)] : []));
  const facts = [
    fact(places.length > 1 ? "between" : "on", places.join(" – ")),
    fact("in joint", sensor.joint === undefined ? "" : (mechanism.joints[sensor.joint]?.name ?? "")),
  ];
  return { name: sensor.name, kind: sensor.kind, facts: told(facts), prefix: sensor.name, channels: [], withoutValues: "This report has no readings of it." };
}

function springSubject(mechanism: Mechanism, index: number): Subject | undefined {
  const spring = mechanism.springs[index];
  if (!spring) return undefined;
  const kind = spring.coils ? (spring.damping ? "spring and damper" : "spring") : "damper";
  const facts = [
    fact("between", spring.ends?.map((end) => placeText(mechanism, end)).join(" – ") ?? ""),
    fact("in joint", spring.joint === undefined ? "" : (mechanism.joints[spring.joint]?.name ?? "")),
  ];
  return { name: spring.name, kind, facts: told(facts), prefix: spring.name, channels: [] };
}
