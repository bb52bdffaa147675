import type { Mechanism, Structure } from "../../report_data.js";

/** "2 · dyad RRR": as in the list of groups. */
export function groupName(structure: Structure, group: number, mechanism: Mechanism | undefined): string {
  const shown = structure.groups[group];
  return shown ? `${group + 1} · ${classicName(structure, group, mechanism) || shown.type}` : "";
}

/** "" when it has none. The classic "driven link" that nothing drives, as in a fall, is told as what it is. */
export function classicName(structure: Structure, group: number, mechanism: Mechanism | undefined): string {
  const shown = structure.groups[group];
  if (!shown) return "";
  const isDriven = !mechanism || mechanism.drivers.some((driver) => shown.inputs.includes(driver.target));
  return shown.assur === "driven link" && !isDriven ? "input link" : shown.assur;
}
