import type { Session } from "./session.js";

/** How a page is opened, from the end of its address: "#t=0.2&view=structure&theme=dark&angles=deg". What is not there stays as it is. */
export function openAsAsked(hash: string, session: Session, showView: (name: string) => void): void {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const t = Number.parseFloat(asked.get("t") ?? "");
  if (Number.isFinite(t)) session.clock.seek(t);
  const theme = asked.get("theme");
  if (theme === "light" || theme === "dark") session.theme.set(theme);
  const angles = asked.get("angles");
  if (angles === "deg" || angles === "rad") session.angles.set(angles === "deg");
  const view = asked.get("view");
  if (view) showView(view);
}
