/** The one time that scene and plots share: where the cursor is, whether it moves, and between which instants. */
export class Clock {
  #time: number;
  #range: [number, number];
  #playing = false;
  #speed = 1;
  readonly #whole: [number, number];
  readonly #watchers: (() => void)[] = [];

  constructor(begin: number, end: number) {
    this.#whole = [begin, end];
    this.#range = [begin, end];
    this.#time = begin;
  }

  get time(): number {
    return this.#time;
  }
  /** What is played: all, or what a plot is zoomed to. */
  get range(): readonly [number, number] {
    return this.#range;
  }
  get whole(): readonly [number, number] {
    return this.#whole;
  }
  get playing(): boolean {
    return this.#playing;
  }
  /** Seconds of the motion in a second of the wall. */
  get speed(): number {
    return this.#speed;
  }

  /** Called after every change. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  seek(t: number): void {
    this.#time = Math.min(this.#whole[1], Math.max(this.#whole[0], t));
    this.#tell();
  }
  setRange(begin: number, end: number): void {
    this.#range = [Math.max(this.#whole[0], begin), Math.min(this.#whole[1], end)];
    if (this.#time < this.#range[0] || this.#time > this.#range[1]) this.#time = this.#range[0];
    this.#tell();
  }
  playAll(): void {
    this.setRange(...this.#whole);
  }
  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#tell();
  }
  play(): void {
    if (this.#time >= this.#range[1]) this.#time = this.#range[0];
    this.#playing = this.#range[1] > this.#range[0];
    this.#tell();
  }
  pause(): void {
    this.#playing = false;
    this.#tell();
  }
  toggle(): void {
    if (this.#playing) this.pause();
    else this.play();
  }
  /** On by `seconds` of the wall. At the end of the range it begins again. */
  advance(seconds: number): void {
    if (!this.#playing) return;
    this.#time += seconds * this.#speed;
    if (this.#time > this.#range[1]) this.#time = this.#range[0];
    this.#tell();
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
