import { button, element } from "../../dom.js";
import type { Mechanism, Structure } from "../../report_data.js";
import type { Session } from "../../session.js";
import { branchOfAll, branchText } from "./branch_text.js";
import { factValue, foldedLines, makeFactsList } from "./facts_list.js";
import { classicName, groupName } from "./group_name.js";

/** Beside the drawings: the groups, the one that is selected in full, facts, what is redundant, idle freedoms, branches. */
export function makeStructurePanel(session: Session, mechanism: Mechanism | undefined, structure: Structure): HTMLElement {
  const details = element("div", "group-details");
  const groups = structure.groups.map((_, g) => groupButton(session, mechanism, structure, g));
  const panel = element("aside", "structure-panel");
  if (structure.facts.length > 0) panel.append(makeFactsList(structure.facts));
  panel.append(element("h2", "", "Groups, in solving order"), element("div", "group-list", ...groups.map(({ root }) => root)), details);
  addList(panel, "Redundant rows", structure.redundant, "none");
  addList(panel, "Idle DOFs", structure.idle, "");
  addBranches(panel, structure, mechanism);

  const show = () => {
    const chosen = chosenGroup(session, structure);
    groups.forEach(({ root, swatch }, g) => {
      root.setAttribute("aria-pressed", String(g === chosen));
      swatch.style.background = session.groupColour(g);
    });
    if (chosen === undefined) details.replaceChildren(element("p", "quiet", "Click a group to see its inputs, unknowns and branch."));
    else details.replaceChildren(...groupDetails(session, mechanism, structure, chosen));
  };
  session.selection.watch(show);
  session.theme.watch(show);
  show();
  return panel;
}

/** The group that is selected, or that of the body that is. */
export function chosenGroup(session: Session, structure: Structure): number | undefined {
  const selected = session.selection.selected;
  if (selected?.kind === "group") return structure.groups[selected.index] ? selected.index : undefined;
  if (selected?.kind === "body") {
    const group = structure.group_of_body[selected.index] ?? -1;
    return group >= 0 ? group : undefined;
  }
  if (selected?.kind === "joint") {
    const group = structure.groups.findIndex(({ joints }) => joints.includes(selected.index));
    return group >= 0 ? group : undefined;
  }
  return undefined;
}

type GroupButton = { root: HTMLButtonElement; swatch: HTMLElement };

function groupButton(session: Session, mechanism: Mechanism | undefined, structure: Structure, group: number): GroupButton {
  const swatch = element("span", "group-swatch");
  const root = element("button", "group-entry", swatch, element("span", "", groupName(structure, group, mechanism)));
  root.type = "button";
  root.dataset.listGroup = String(group);
  root.addEventListener("click", () => session.selection.select({ kind: "group", index: group }));
  return { root, swatch };
}

function groupDetails(session: Session, mechanism: Mechanism | undefined, structure: Structure, index: number): HTMLElement[] {
  const group = structure.groups[index];
  if (!group) return [];
  const names = (what: "body" | "joint", indices: readonly number[]) => {
    const all = what === "body" ? mechanism?.bodies : mechanism?.joints;
    return element("dd", "name-list", ...indices.map((k) => nameButton(session, what, k, all?.[k]?.name ?? String(k))));
  };
  const needs = group.needs.map((need) => (need < 0 ? "the ground" : groupName(structure, need, mechanism))).join(", ");
  const list = element("dl", "facts");
  const add = (label: string, value: string | HTMLElement) => {
    if (value !== "") list.append(element("dt", "", label), typeof value === "string" ? factValue(value) : value);
  };
  const classic = classicName(structure, index, mechanism);
  add("type", classic ? `${group.type}, ${classic}` : group.type);
  add("inputs", group.inputs.length > 0 ? group.inputs.join(", ") : "none");
  add("unknowns", group.unknowns);
  add("branch", branchText(group.branch) || "nothing to choose");
  add("needs", needs);
  add("bodies", names("body", group.bodies));
  add("joints", names("joint", group.joints));
  return [element("h2", "", `Group ${groupName(structure, index, mechanism)}`), list];
}

function nameButton(session: Session, kind: "body" | "joint", index: number, name: string): HTMLElement {
  const made = button(name, `Select ${kind} ${name}`, () => session.selection.select({ kind, index }));
  if (session.selection.is(kind, index)) made.classList.add("chosen");
  return made;
}

function addList(panel: HTMLElement, title: string, entries: readonly string[], whenEmpty: string): void {
  if (entries.length === 0 && !whenEmpty) return;
  panel.append(element("h2", "", title));
  if (entries.length === 0) panel.append(element("p", "quiet", whenEmpty));
  else panel.append(element("ul", "", ...foldedLines(entries.map((entry) => element("li", "", entry)))));
}

/** Those that were found, the one shown first; where none was looked for that one alone. */
function addBranches(panel: HTMLElement, structure: Structure, mechanism: Mechanism | undefined): void {
  const nameOf = (group: number) => groupName(structure, group, mechanism);
  const texts = structure.branches.map((branch) => branchOfAll(branch, structure, nameOf));
  if (texts.length > 1 && texts[0]) texts[0] += " (shown)";
  addList(panel, texts.length > 1 ? "Branches found" : "Branch shown", texts, "");
}
