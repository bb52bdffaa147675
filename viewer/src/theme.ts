export type ThemeName = "light" | "dark";

/** Colours that canvases need as numbers; the page itself takes them from page.css, which has the same. */
export interface Palette {
  background: string;
  ink: string;
  faint: string; // grids, axes
  ground: string;
  accent: string; // what is selected
  warning: string; // refused readings
}

const kPalettes: Record<ThemeName, Palette> = {
  light: { background: "#fbfbf9", ink: "#22262b", faint: "#d9dbd6", ground: "#8b8f94", accent: "#d6006c", warning: "#c92a2a" },
  dark: { background: "#16191d", ink: "#e6e8ea", faint: "#343a41", ground: "#7d848c", accent: "#ff4d9d", warning: "#ff6b6b" },
};

/** Colours of things that stand beside each other: groups, bodies, curves. Distinct also for those who see few colours [Okabe, Ito]. */
const kSeries: Record<ThemeName, readonly string[]> = {
  light: ["#0072b2", "#d55e00", "#009e73", "#a8559a", "#b58900", "#3a9bd0", "#5f6b76", "#8c564b"],
  dark: ["#56b4e9", "#ff8f40", "#2fc79a", "#df8fc6", "#e6c34a", "#9ad0f5", "#aab4be", "#d39b8f"],
};

/** Light or dark: as the system says, until the user chooses. */
export class Theme {
  #name: ThemeName;
  readonly #watchers: (() => void)[] = [];

  constructor() {
    this.#name = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    this.#show();
  }

  get name(): ThemeName {
    return this.#name;
  }
  get palette(): Palette {
    return kPalettes[this.#name];
  }
  seriesColour(index: number): string {
    const colours = kSeries[this.#name];
    return colours[index % colours.length]!;
  }
  watch(watcher: () => void): void {
    this.#watchers.push(watcher);
  }
  set(name: ThemeName): void {
    this.#name = name;
    this.#show();
    for (const watcher of this.#watchers) watcher();
  }
  toggle(): void {
    this.set(this.#name === "dark" ? "light" : "dark");
  }

  #show(): void {
    document.documentElement.dataset.theme = this.#name;
  }
}
