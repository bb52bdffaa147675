/** A drawing of circles in boxes over a base: both the structural graph and the structural diagram are such. */
export interface DiagramModel {
  nodes: DiagramNode[];
  boxes: DiagramBox[];
  links: DiagramLink[];
  baseText: string;
}

export interface DiagramNode {
  lines: string[]; // text in the circle
  title: string; // when hovered
  box: number;
  body?: number; // what it stands for, beside its group
}

/** A structural group. */
export interface DiagramBox {
  nodes: number[];
  column: number; // from the left, 0 …: what it needs stands before it
  label: string; // "" for a box that is not drawn
}

export const kBase = -1;

/** Lines side by side between two nodes, or the base and a node. */
export interface DiagramLink {
  from: number; // a node, or kBase
  to: number; // where its arrow points
  lines: number;
  thick: number; // of them
  label: string;
  box: number; // of whose colour it is
  hasArrow: boolean;
}

export interface Point {
  x: number;
  y: number;
}

/** Columns of groups: one more than the last that they need; those on the ground alone first. */
export function columnsOf(groups: readonly { needs: readonly number[] }[]): number[] {
  const columns: number[] = [];
  groups.forEach((group, g) => {
    const before = group.needs.filter((need) => need >= 0 && need < g).map((need) => columns[need] ?? 0);
    columns.push(before.length > 0 ? 1 + Math.max(...before) : 0);
  });
  return columns;
}
