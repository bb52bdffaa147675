import type { Session } from "../session.js";

/** The plots of all channels over time. They share the clock's cursor; what one is zoomed to is played. */
export class PlotPanel {
  constructor(_container: HTMLElement, _session: Session) {}
}
