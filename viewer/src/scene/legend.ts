import { element } from "../dom.js";

export interface LegendRow {
  text: string;
  colour: () => string;
  kind: "solid" | "ghost" | "dots" | "arrow";
  visible: () => boolean;
  /** Where a click hides it and shows it again. */
  hiding?: { hidden: () => boolean; toggle: () => void };
}

/** Which recording is which, and what arrows mean; in the upper left corner. Hidden while it has nothing to say. */
export class Legend {
  readonly #frame = element("div", "scene-legend");
  readonly #rows: { row: LegendRow; line: HTMLElement; swatch: HTMLElement }[];

  constructor(container: HTMLElement, rows: readonly LegendRow[]) {
    this.#rows = rows.map((row) => {
      const swatch = element("i", `swatch ${row.kind}`);
      const line = lineOf(row, swatch);
      this.#frame.append(line);
      return { row, line, swatch };
    });
    container.append(this.#frame);
    this.refresh();
  }

  refresh(): void {
    let shown = 0;
    for (const { row, line, swatch } of this.#rows) {
      line.hidden = !row.visible();
      swatch.style.color = row.colour();
      if (row.hiding) line.setAttribute("aria-pressed", String(!row.hiding.hidden()));
      if (!line.hidden) ++shown;
    }
    this.#frame.hidden = shown === 0;
  }
}

function lineOf({ text, hiding }: LegendRow, swatch: HTMLElement): HTMLElement {
  const words = element("span", "", text);
  if (!hiding) return element("div", "", swatch, words);
  const line = element("button", "", swatch, words);
  line.type = "button";
  line.title = `Show or hide ${text}`;
  line.addEventListener("click", hiding.toggle);
  return line;
}
