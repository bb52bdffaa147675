import type uPlot from "uplot";

/** Values over increasing abscissae of their own. */
export interface Column {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

type Cell = number | null | undefined;

/** Columns over one common axis, as plots need them: undefined where a column has no row, null where its value is no number. */
export function alignColumns(columns: readonly Column[]): uPlot.AlignedData {
  const axes = [...new Set(columns.map((column) => column.x))];
  const first = axes[0];
  if (first && axes.every((axis) => isSame(axis, first))) {
    return [Array.from(first), ...columns.map((column) => Array.from(column.y, numberOrNull))];
  }
  const { merged, rows } = mergeAxes(axes);
  const cells = columns.map((column) => {
    const row = rows[axes.indexOf(column.x)];
    const made = new Array<Cell>(merged.length).fill(undefined);
    if (row) for (let k = 0; k < column.x.length; ++k) made[row[k]!] = numberOrNull(column.y[k] ?? NaN);
    return made;
  });
  return [merged, ...cells];
}

function numberOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; ++k) if (a[k] !== b[k]) return false;
  return true;
}

/** All abscissae in order, and the row of each in the whole. Two equal ones of one axis, as at a jump, stay two. */
function mergeAxes(axes: readonly ArrayLike<number>[]): { merged: number[]; rows: Int32Array[] } {
  const rows = axes.map((axis) => new Int32Array(axis.length));
  const next = axes.map(() => 0);
  const merged: number[] = [];
  for (;;) {
    let least = Infinity;
    axes.forEach((axis, a) => {
      const x = axis[next[a]!];
      if (x !== undefined && x < least) least = x;
    });
    if (least === Infinity) return { merged, rows };
    axes.forEach((axis, a) => {
      if (axis[next[a]!] !== least) return;
      rows[a]![next[a]!] = merged.length;
      next[a]! += 1;
    });
    merged.push(least);
  }
}
