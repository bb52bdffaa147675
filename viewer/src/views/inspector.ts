import type { Session } from "../session.js";

/** Name, facts and current values of what is selected. */
export function makeInspector(_container: HTMLElement, _session: Session): void {}
