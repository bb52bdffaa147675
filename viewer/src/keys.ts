import type { Session } from "./session.js";
import { kSpeeds } from "./transport.js";

/** Keys of the page. Those of the clock work where the motion is seen: elsewhere they scroll, as everywhere. */
export function listenToKeys(session: Session, isMotionShown: () => boolean, fit: () => void): void {
  const { clock, selection, theme, angles } = session;
  const anywhere: Record<string, () => void> = {
    a: () => angles.toggle(),
    d: () => theme.toggle(),
    Escape: () => {
      clock.playAll();
      selection.select(undefined);
    },
  };
  const onMotion = (event: KeyboardEvent): Record<string, () => void> => {
    const [begin, end] = clock.range;
    const step = ((end - begin) / 100) * (event.shiftKey ? 10 : 1);
    return {
      " ": () => clock.toggle(),
      ArrowRight: () => clock.seek(Math.min(end, clock.time + step)),
      ArrowLeft: () => clock.seek(Math.max(begin, clock.time - step)),
      ArrowUp: () => clock.setSpeed(nextSpeed(clock.speed, 1)),
      ArrowDown: () => clock.setSpeed(nextSpeed(clock.speed, -1)),
      Home: () => clock.seek(begin),
      End: () => clock.seek(end),
      f: fit,
    };
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : undefined;
    if (target?.matches("select, input:not(.scrub), textarea")) return;
    // A button that has the focus is pressed by space; the one that plays does the same by it.
    if (event.key === " " && target?.matches("button, [role=button], summary")) return;
    const action = anywhere[event.key] ?? (isMotionShown() ? onMotion(event)[event.key] : undefined);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function nextSpeed(speed: number, by: number): number {
  const index = kSpeeds.indexOf(speed) + by;
  return kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, index))]!;
}
