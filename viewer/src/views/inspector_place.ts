const kPlaces = ["lower-left", "lower-right", "upper-right"] as const;
const kRoom = 100; // [px] about what was clicked

/** Keeps a panel over the scene off what was clicked. Returns what puts it where the last click is not. */
export function keepOffClicks(panel: HTMLElement): () => void {
  let click: { x: number; y: number } | undefined;
  panel.parentElement?.addEventListener(
    "pointerdown",
    (event) => {
      if (event.target instanceof Node && panel.contains(event.target)) return;
      click = { x: event.clientX, y: event.clientY };
    },
    { capture: true },
  );
  const gapAt = (place: string): number => {
    panel.dataset.place = place;
    if (!click) return Infinity;
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    return Math.max(left - click.x, click.x - right, top - click.y, click.y - bottom); // negative within
  };
  return () => {
    const gaps = kPlaces.map((place) => ({ place, gap: gapAt(place) }));
    const free = gaps.find(({ gap }) => gap >= kRoom) ?? gaps.sort((a, b) => b.gap - a.gap)[0];
    if (free) panel.dataset.place = free.place;
    click = undefined;
  };
}
