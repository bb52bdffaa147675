import type { Session } from "../session.js";

/** The structural graph and diagram [seed 001, ch. 2], groups coloured as in the scene, what is redundant beside it. */
export function makeStructureView(_container: HTMLElement, _session: Session): void {}
