/** In which unit angles and what follows from them are told: radians, as recorded, or degrees. */
export class AngleUnit {
  #isDegrees = false;
  readonly #watchers: (() => void)[] = [];

  get isDegrees(): boolean {
    return this.#isDegrees;
  }
  set(isDegrees: boolean): void {
    if (isDegrees === this.#isDegrees) return;
    this.#isDegrees = isDegrees;
    for (const watcher of this.#watchers) watcher();
  }
  toggle(): void {
    this.set(!this.#isDegrees);
  }
  /** Called after every change. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  /** The unit in which values of a recorded unit are shown, and what they are multiplied by. */
  shown(unit: string): { unit: string; factor: number } {
    if (!this.#isDegrees || !isOfAngles(unit)) return { unit, factor: 1 };
    return { unit: unit.replace("rad", "°"), factor: 180 / Math.PI };
  }
}

/** Angles, their rates and accelerations. */
export function isOfAngles(unit: string): boolean {
  return /^rad(\/s(\^?[2²])?)?$/.test(unit);
}
