import { button, element } from "./dom.js";
import { icon } from "./icons.js";
import type { Session } from "./session.js";

export const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const kScrubSteps = 10000;

/** The speed at which the whole motion takes about ten seconds, if it is far from that by itself. */
function comfortableSpeed(length: number): number {
  if (length <= 0 || (length >= 2 && length <= 120)) return 1;
  const wanted = length / 10;
  return kSpeeds.reduce((best, speed) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best));
}

/** Play, pause, speed, scrub; the same by keys (keys.ts). */
export function makeTransport(container: HTMLElement, session: Session): void {
  const { clock } = session;
  const play = button(icon("play"), "Play or pause (space)", () => clock.toggle());
  play.classList.add("play");
  const start = button(icon("begin"), "To the beginning (home)", () => clock.seek(clock.range[0]));
  const scrub = element("input", "scrub");
  scrub.type = "range";
  scrub.min = "0";
  scrub.max = String(kScrubSteps);
  scrub.step = "1";
  scrub.setAttribute("aria-label", "Time");
  scrub.addEventListener("input", () => {
    const [begin, end] = clock.range;
    clock.seek(begin + ((end - begin) * Number(scrub.value)) / kScrubSteps);
  });
  const time = element("output", "time");
  const all = button("whole", "Play all again, not only what a plot is zoomed to (esc)", () => clock.playAll());
  const speed = element("select", "speed");
  speed.title = "Speed (up, down)";
  speed.setAttribute("aria-label", "Speed");
  for (const factor of kSpeeds) {
    const option = element("option", "", `× ${factor}`);
    option.value = String(factor);
    speed.append(option);
  }
  speed.addEventListener("change", () => clock.setSpeed(Number(speed.value)));
  container.append(start, play, scrub, time, speed, all);

  let shown = false;
  const show = () => {
    const [begin, end] = clock.range;
    if (shown !== clock.playing) play.replaceChildren(icon(clock.playing ? "pause" : "play"));
    shown = clock.playing;
    scrub.value = end > begin ? String(Math.round((kScrubSteps * (clock.time - begin)) / (end - begin))) : "0";
    time.textContent = timeText(clock.time, clock.whole[1] - clock.whole[0]);
    speed.value = String(clock.speed);
    all.hidden = begin === clock.whole[0] && end === clock.whole[1];
  };
  clock.watch(show);
  clock.setSpeed(comfortableSpeed(clock.whole[1] - clock.whole[0]));
}

/** Enough digits to tell a thousandth of the whole. */
function timeText(t: number, length: number): string {
  const digits = length > 0 ? Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(length)))) : 3;
  return `${t.toFixed(digits)} s`;
}
