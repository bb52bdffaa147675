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

let before = performance.now();
const frame = (now: number) => {
  session.clock.advance(Math.min(0.25, (now - before) / 1000)); // a tab that slept does not jump
  before = now;
  scene?.draw();
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
