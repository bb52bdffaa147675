import type { Mechanism, Structure } from "../../report_data.js";
import { columnsOf, kBase } from "./diagram_model.js";
import type { DiagramLink, DiagramModel, DiagramNode } from "./diagram_model.js";
import { groupName } from "./group_name.js";
import { wrapped } from "./labels.js";

const kNodeWidth = 58; // [px] of a name in its circle
const kNameLines = 2;

/** A circle for each body, as many lines as a joint leaves freedoms, thick those that are inputs; an arrow to who takes the joint with
 * it. Dashed around the groups [seed 001, 2.1.2]. */
export function structuralGraph(mechanism: Mechanism, structure: Structure): DiagramModel {
  const columns = columnsOf(structure.groups);
  const nodes: DiagramNode[] = [];
  const nodeOf = new Map<number, number>();
  const boxes = structure.groups.map((group, g) => {
    const own = group.bodies.map((body) => {
      const name = mechanism.bodies[body]?.name ?? String(body);
      nodeOf.set(body, nodes.length);
      return nodes.push({ lines: wrapped(name, kNodeWidth, kNameLines), title: name, box: g, body }) - 1;
    });
    return { nodes: own, column: columns[g] ?? 0, label: own.length > 0 ? groupName(structure, g, mechanism) : "" };
  });
  const links: DiagramLink[] = [];
  for (const edge of structure.edges) {
    const [a, b] = edge.bodies;
    const taker = edge.to ?? laterOf(structure, a, b);
    const [from, to] = taker === a ? [b, a] : [a, b];
    const ends = [nodeOf.get(from) ?? kBase, nodeOf.get(to) ?? kBase] as const;
    if (ends[0] === ends[1]) continue;
    const label = mechanism.joints[edge.joint]?.name ?? "";
    const box = nodes[ends[1]]?.box ?? nodes[ends[0]]?.box ?? 0;
    links.push({ from: ends[0], to: ends[1], lines: edge.freedoms, thick: edge.inputs, label, box, hasArrow: edge.to !== undefined });
  }
  links.push(...freeInputs(mechanism, structure, nodeOf));
  return { nodes, boxes, links, baseText: baseText(mechanism, structure) };
}

/** The ground, and what is welded to it. */
function baseText(mechanism: Mechanism, structure: Structure): string {
  const ground = mechanism.bodies[0]?.name ?? "ground";
  const welded = mechanism.bodies.filter((_, body) => body > 0 && (structure.group_of_body[body] ?? -1) < 0).map((body) => body.name);
  return welded.length > 0 ? `${ground}; welded to it: ${welded.join(", ")}` : ground;
}

function laterOf(structure: Structure, a: number, b: number): number {
  return (structure.group_of_body[a] ?? -1) > (structure.group_of_body[b] ?? -1) ? a : b;
}

/** Inputs that are no coordinate of a joint move their body from the ground: one thick line. */
function freeInputs(mechanism: Mechanism, structure: Structure, nodeOf: ReadonlyMap<number, number>): DiagramLink[] {
  const jointNames = new Set(mechanism.joints.map((joint) => joint.name));
  const ownerOf = (input: string) => input.slice(0, Math.max(0, input.indexOf(".")));
  return structure.groups.flatMap((group, box) =>
    group.inputs
      .filter((input) => !jointNames.has(ownerOf(input)))
      .flatMap((input) => {
        const body = group.bodies.find((candidate) => input.startsWith(`${mechanism.bodies[candidate]?.name ?? ""}.`));
        const node = body === undefined ? undefined : nodeOf.get(body);
        return node === undefined ? [] : [{ from: kBase, to: node, lines: 1, thick: 1, label: input, box, hasArrow: true }];
      }),
  );
}
