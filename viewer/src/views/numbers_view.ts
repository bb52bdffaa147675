import { element } from "../dom.js";
import { withMinusSigns } from "../plots/number_text.js";
import type { Session } from "../session.js";
import { makeTable } from "./table.js";

/** What is said in words and numbers: facts, notes, tables. */
export function makeNumbersView(container: HTMLElement, { report, angles }: Session): void {
  if (report.facts.length > 0) {
    const list = element("dl", "facts");
    for (const fact of report.facts) list.append(element("dt", "", fact.label), element("dd", "", withMinusSigns(fact.value)));
    container.append(list);
  }
  const tables = element("div");
  const showTables = () => tables.replaceChildren(...report.tables.map((table) => makeTable(table, angles)));
  angles.watch(showTables);
  showTables();
  container.append(tables);
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
