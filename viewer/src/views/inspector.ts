import "./inspector.css";
import { button, element } from "../dom.js";
import { curvesOf } from "../plots/curves.js";
import { unitText } from "../plots/number_text.js";
import { kSigmas } from "../plots/plot_style.js";
import type { Session } from "../session.js";
import { subjectOf } from "./inspector_facts.js";
import type { Subject } from "./inspector_facts.js";
import { keepOffClicks } from "./inspector_place.js";
import { liveRows } from "./live_rows.js";
import type { LiveRow } from "./live_rows.js";

const kFewRecordings = 3; // whose values have a line each
const kPeriod = 1000 / 15; // [ms] numbers that change faster cannot be read

/** Name, facts and current values of what is selected. */
export function makeInspector(container: HTMLElement, session: Session): void {
  let update: ((t: number) => void) | undefined;
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    clearTimeout(timer);
    timer = undefined;
    last = performance.now();
    update?.(session.clock.time);
  };
  const show = () => {
    const subject = subjectOf(session.selection.selected, session);
    update = undefined;
    container.replaceChildren();
    if (!subject) return;
    const rows = liveRows(subject, session.selection.selected, session);
    const live = makeLiveTable(rows, session);
    container.append(makeHead(subject, session), ...makeFacts(subject), ...live.parts);
    if (rows.length === 0 && subject.withoutValues) container.append(element("p", "quiet", subject.withoutValues));
    update = live.update;
    refresh();
  };
  const place = keepOffClicks(container);
  session.selection.watch(() => {
    show();
    place();
  });
  session.theme.watch(show);
  session.angles.watch(show);
  session.clock.watch(() => {
    if (!update) return;
    const wait = kPeriod - (performance.now() - last);
    if (!session.clock.playing || wait <= 0) refresh();
    else timer ??= setTimeout(refresh, wait);
  });
  show();
}

function makeHead(subject: Subject, session: Session): HTMLElement {
  const close = button("✕", "Close", () => session.selection.select(undefined));
  close.classList.add("close");
  return element("div", "inspector-head", element("strong", "", subject.name), element("span", "kind", subject.kind), close);
}

function makeFacts(subject: Subject): HTMLElement[] {
  if (subject.facts.length === 0) return [];
  const list = element("dl", "facts");
  for (const { label, value } of subject.facts) list.append(element("dt", "", label), element("dd", "", value));
  return [list];
}

/** A row for each value; a column for each recording where there are several. */
function makeLiveTable(rows: readonly LiveRow[], session: Session): { parts: HTMLElement[]; update: (t: number) => void } {
  if (rows.length === 0) return { parts: [], update: () => undefined };
  const recordings = [...new Set(rows.flatMap(({ texts }) => [...texts.keys()]))].sort((a, b) => a - b);
  const cells: { cell: HTMLElement; text: (t: number) => string }[] = [];
  const body = element("tbody");
  for (const row of rows) {
    const line = element("tr", "", element("th", "", `${row.label} ${unitText(session.angles.shown(row.unit).unit)}`));
    for (const recording of recordings) {
      const cell = element("td");
      const text = row.texts.get(recording);
      if (text) cells.push({ cell, text });
      line.append(cell);
    }
    body.append(line);
  }
  const table = element("table", recordings.length > kFewRecordings ? "live many" : "live", body);
  if (recordings.length > 1) {
    const heads = recordings.map((recording) => recordingHead(recording, session));
    table.prepend(element("thead", "", element("tr", "", element("th"), ...heads)));
  }
  const hasSigma = curvesOf(session.report).some((curve) => curve.hasSigma);
  const update = (t: number) => {
    let deviates = false;
    for (const { cell, text } of cells) {
      const now = text(t);
      deviates ||= now.includes("±");
      if (cell.textContent !== now) cell.textContent = now;
    }
    note.hidden = !deviates;
  };
  const note = element("p", "quiet", `± ${kSigmas}σ, as the bands of the plots`);
  note.hidden = true;
  return { parts: [element("div", "table-frame", table), ...(hasSigma ? [note] : [])], update };
}

function recordingHead(recording: number, session: Session): HTMLElement {
  const shown = session.report.recordings[recording];
  const head = element("th", "", shown?.name ?? "");
  head.style.color = shown?.role === "truth" ? session.theme.palette.ink : session.recordingColour(recording);
  return head;
}
