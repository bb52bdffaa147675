import type { Session } from "../session.js";

/** Charts that are not over the recorded time: convergence and cost of studies, histograms of step times. */
export function makeChartsView(_container: HTMLElement, _session: Session): void {}
