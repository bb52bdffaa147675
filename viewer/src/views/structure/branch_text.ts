import type { Structure } from "../../report_data.js";

const kMostNamed = 4; // groups that are told one by one

/** "sign −": how a group is assembled, in words that are seen. */
export function branchText(branch: string): string {
  return isSigns(branch) ? `sign ${shownSigns(branch)}` : branch;
}

/** Which sign each group has that can be assembled in two ways: "2 · dyad RRR −, 3 · dyad RRR +"; long ones shortened: "signs 45 × −". */
export function branchOfAll(branch: string, structure: Structure, nameOf: (group: number) => string): string {
  if (!isSigns(branch)) return branch;
  const choosing = structure.groups.flatMap((group, g) => (isSigns(group.branch) ? [g] : []));
  if (choosing.length === branch.length && branch.length <= kMostNamed)
    return choosing.map((group, k) => `${nameOf(group)} ${shownSigns(branch[k] ?? "")}`).join(", ");
  const runs = branch.match(/\++|-+/g) ?? [];
  return `signs ${runs.map((run) => (run.length > 3 ? `${run.length} × ${shownSigns(run[0] ?? "")}` : shownSigns([...run].join(" ")))).join(", ")}`;
}

function isSigns(branch: string): boolean {
  return /^[+-]+$/.test(branch);
}

function shownSigns(signs: string): string {
  return signs.replaceAll("-", "−");
}
