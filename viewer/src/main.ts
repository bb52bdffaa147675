import "./page.css";
import { makePage } from "./page.js";
import type { Report } from "./report_data.js";
import { openSession } from "./session.js";
import { offerTestHook } from "./test_hook.js";

const report = JSON.parse(document.getElementById("report-data")!.textContent!) as Report;
const session = openSession(report);
const scene = makePage(document.body, session);
offerTestHook(session, scene);

scene?.draw(); // what the page first shows does not wait for its second picture

// Pictures are asked for while the clock runs and when something has changed: a page that is only looked at costs nothing.
const { clock } = session;
let before: number | undefined; // when the last picture was drawn; none: the clock stood
let isAsked = false;
const ask = () => {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(frame);
};
const frame = (now: number) => {
  isAsked = false;
  if (before !== undefined) clock.advance(Math.min(0.25, (now - before) / 1000)); // a tab that slept does not jump
  before = clock.playing ? now : undefined;
  scene?.draw();
  if (clock.playing) ask();
};
clock.watch(ask);
if (scene) scene.wake = ask;
ask();
