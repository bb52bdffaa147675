import type { AngleUnit } from "../angle_unit.js";
import { isOfAngles } from "../angle_unit.js";
import { element } from "../dom.js";
import { withMinusSigns } from "../plots/number_text.js";
import type { Table } from "../report_data.js";

const kNumber = /^[-+−]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const kNothing = /^[-–—]?$/;
const kDigits = 6;

/** A table of the report: numbers stand below each other at the right, and angles in the unit that is chosen. */
export function makeTable(table: Table, angles: AngleUnit): HTMLElement {
  const isOfNumbers = table.columns.map((_, c) => holdsNumbers(table.rows.map((row) => row[c] ?? "")));
  const classOf = (c: number) => (isOfNumbers[c] ? "number" : "");
  const head = element("tr");
  table.columns.forEach(({ label, unit }, c) => {
    const shown = angles.shown(unit).unit;
    head.append(element("th", classOf(c), shown ? `${label} [${shown}]` : label));
  });
  const unitColumn = table.columns.findIndex(({ label }) => label === "unit");
  const body = element("tbody");
  for (const row of table.rows) {
    const cells = row.map((cell, c) => {
      const ofRow = isOfNumbers[c] ? (row[unitColumn] ?? "") : "";
      const unit = table.columns[c]?.unit || ofRow;
      const text = c === unitColumn ? angles.shown(cell).unit : inUnit(cell, unit, angles);
      return element("td", classOf(c), withMinusSigns(text));
    });
    body.append(element("tr", "", ...cells));
  }
  const made = element("table", "", element("caption", "", table.title), element("thead", "", head), body);
  return element("div", "table-frame", made);
}

/** A number, or a share such as "98 %" or "3 of 4"; at least one of them, and nothing else but gaps. */
function holdsNumbers(cells: readonly string[]): boolean {
  const isOne = (cell: string) => /^[-+−]?[\d.]/.test(cell) && cell.split(/\s+/).every((part) => kNumber.test(part) || /^(%|of|…|±|\/)$/.test(part));
  return cells.some(isOne) && cells.every((cell) => isOne(cell) || kNothing.test(cell));
}

function inUnit(cell: string, unit: string, angles: AngleUnit): string {
  const { factor } = angles.shown(unit);
  if (factor === 1 || !isOfAngles(unit) || !kNumber.test(cell)) return cell;
  return String(Number((factor * Number(cell.replace("−", "-"))).toPrecision(kDigits)));
}
