/** What the user clicked on; indices as in report_data.ts. */
export type Selected =
  | { kind: "body"; index: number }
  | { kind: "joint"; index: number }
  | { kind: "sensor"; index: number }
  | { kind: "spring"; index: number }
  | { kind: "group"; index: number }
  | undefined;

/** The one thing that is selected, in scene, structure and panel alike. */
export class Selection {
  #selected: Selected;
  readonly #watchers: (() => void)[] = [];

  get selected(): Selected {
    return this.#selected;
  }
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }
  select(selected: Selected): void {
    this.#selected = selected;
    for (const watcher of this.#watchers) watcher();
  }
  is(kind: string, index: number): boolean {
    return this.#selected?.kind === kind && this.#selected.index === index;
  }
}
