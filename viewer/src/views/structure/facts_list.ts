import { element } from "../../dom.js";
import { withMinusSigns } from "../../plots/number_text.js";
import type { Fact } from "../../report_data.js";

const kMostInline = 48; // characters
const kOpen = 4; // entries of a long list

/** Facts below each other; a long list has a line for each entry, and all but the first folded. */
export function makeFactsList(facts: readonly Fact[]): HTMLElement {
  const list = element("dl", "facts");
  for (const { label, value } of facts) list.append(element("dt", "", label), factValue(value));
  return list;
}

export function factValue(value: string): HTMLElement {
  const entries = value.split(", ");
  if (value.length <= kMostInline || entries.length < 2) return element("dd", "", withMinusSigns(value));
  return element("dd", "lines", ...foldedLines(entries.map((entry) => element("div", "", withMinusSigns(entry)))));
}

/** The first few, and the others behind a click. */
export function foldedLines(lines: readonly HTMLElement[]): HTMLElement[] {
  if (lines.length <= kOpen + 1) return [...lines];
  const rest = element("details", "more-lines", element("summary", "", `${lines.length - kOpen} more`), ...lines.slice(kOpen));
  return [...lines.slice(0, kOpen), rest];
}
