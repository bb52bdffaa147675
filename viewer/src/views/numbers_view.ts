import { element } from "../dom.js";
import { withMinusSigns } from "../plots/number_text.js";
import type { Report, Table } from "../report_data.js";

/** What is said in words and numbers: facts, notes, tables. */
export function makeNumbersView(container: HTMLElement, report: Report): void {
  if (report.facts.length > 0) {
    const list = element("dl", "facts");
    for (const fact of report.facts) list.append(element("dt", "", fact.label), element("dd", "", withMinusSigns(fact.value)));
    container.append(list);
  }
  for (const table of report.tables) container.append(makeTable(table));
  if (report.notes.length > 0) {
    const list = element("ul", "notes");
    for (const note of report.notes) list.append(element("li", "", note));
    container.append(element("h2", "", "Notes"), list);
  }
  const mechanism = report.mechanism;
  if (mechanism?.description) container.append(element("h2", "", "Description"), element("p", "prose", mechanism.description));
  if (mechanism?.source) container.append(element("h2", "", "Source"), element("p", "prose", mechanism.source));
  container.append(element("p", "made-by", `Made by ${report.made_by}.`));
}

function makeTable(table: Table): HTMLElement {
  const head = element("tr");
  for (const column of table.columns) head.append(element("th", "", column.unit ? `${column.label} [${column.unit}]` : column.label));
  const body = element("tbody");
  for (const row of table.rows) body.append(element("tr", "", ...row.map((cell) => element("td", "", cell))));
  const made = element("table", "", element("caption", "", table.title), element("thead", "", head), body);
  return element("div", "table-frame", made);
}
