/** Recordings that the user does not want to see, in scene and plots alike; indices as in report_data.ts. */
export class HiddenRecordings {
  readonly #hidden = new Set<number>();
  readonly #watchers: (() => void)[] = [];

  has(recording: number): boolean {
    return this.#hidden.has(recording);
  }
  toggle(recording: number): void {
    if (!this.#hidden.delete(recording)) this.#hidden.add(recording);
    for (const watcher of this.#watchers) watcher();
  }
  /** Called after every change. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }
}
