import type { Mechanism, Structure } from "../../report_data.js";
import { columnsOf, kBase } from "./diagram_model.js";
import type { DiagramLink, DiagramModel } from "./diagram_model.js";
import { classicName, groupName } from "./group_name.js";
import { wrapped } from "./labels.js";

const kNodeWidth = 62; // [px]
const kMostNames = 3;

/** A circle for each group with its numbers of links and inputs; an arrow from each group, or the ground, that it needs, with the names
 * of the joints between [seed 001, 2.1.3]. */
export function structuralDiagram(mechanism: Mechanism, structure: Structure): DiagramModel {
  const columns = columnsOf(structure.groups);
  const nodes = structure.groups.map((group, g) => ({
    lines: [...wrapped(classicName(structure, g, mechanism) || group.type, kNodeWidth, 2), `(${group.bodies.length}, ${group.inputs.length})`],
    title: `${groupName(structure, g, mechanism)}: ${group.bodies.length} links, ${group.inputs.length} inputs`,
    box: g,
  }));
  const boxes = structure.groups.map((_, g) => ({ nodes: [g], column: columns[g] ?? 0, label: "" }));
  const links: DiagramLink[] = structure.groups.flatMap((_, g) =>
    needsOf(structure, g).map((need) => ({
      from: need < 0 ? kBase : need,
      to: g,
      lines: 1,
      thick: 0,
      label: jointsBetween(mechanism, structure, need, g),
      box: g,
      hasArrow: true,
    })),
  );
  return { nodes, boxes, links, baseText: "0 · ground" };
}

/** Groups that it takes joints to; −1: the ground. */
function needsOf(structure: Structure, group: number): number[] {
  const needs = new Set(structure.groups[group]?.needs ?? []);
  for (const edge of structure.edges) {
    const groups = edge.bodies.map((body) => structure.group_of_body[body] ?? -1);
    if (groups.includes(group) && groups.includes(-1)) needs.add(-1);
  }
  return [...needs].filter((need) => need < group).sort((a, b) => a - b);
}

function jointsBetween(mechanism: Mechanism, structure: Structure, a: number, b: number): string {
  const names = structure.edges
    .filter(({ bodies }) => {
      const groups = bodies.map((body) => structure.group_of_body[body] ?? -1);
      return groups.includes(a) && groups.includes(b);
    })
    .map((edge) => mechanism.joints[edge.joint]?.name ?? "");
  return names.length > kMostNames ? `${names.slice(0, kMostNames).join(", ")}, …` : names.join(", ");
}
