import "./structure.css";
import { element } from "../dom.js";
import type { Session } from "../session.js";
import { drawDiagram } from "./structure/diagram_drawing.js";
import type { DiagramModel } from "./structure/diagram_model.js";
import { structuralDiagram } from "./structure/structural_diagram.js";
import { structuralGraph } from "./structure/structural_graph.js";
import { chosenGroup, makeStructurePanel } from "./structure/structure_panel.js";
import { ZoomFrame } from "./structure/zoom_frame.js";

const kGraphKey = "One line per joint DOF; thick = input. The arrow points to the later link in solving order, which takes the joint.";
const kWeldKey = " Dotted: welded.";
const kDiagramKey = "(links, inputs). An arrow from each group that one needs; left is solved first.";

/** The structural graph and diagram [seed 001, ch. 2], groups coloured as in the scene, what is redundant beside it. */
export function makeStructureView(container: HTMLElement, session: Session): void {
  const { structure, mechanism } = session.report;
  if (!structure) return;
  const drawings = element("div", "drawings");
  container.append(drawings, makeStructurePanel(session, mechanism, structure));
  if (!mechanism || structure.groups.length === 0) return;
  const shown: [string, string, DiagramModel][] = [
    ["Structural graph", structure.edges.some((edge) => edge.freedoms === 0) ? kGraphKey + kWeldKey : kGraphKey, structuralGraph(mechanism, structure)],
    ["Structural diagram", kDiagramKey, structuralDiagram(mechanism, structure)],
  ];
  for (const [title, key, model] of shown) {
    const frame = new ZoomFrame(title);
    frame.root.append(element("p", "quiet", key));
    drawings.append(frame.root);
    const draw = () => {
      const drawing = drawDiagram(model, session, title);
      frame.show(drawing);
      frame.root.style.flexGrow = String(Math.min(900, Math.max(300, drawing.width))); // room as each needs it
      markSelected(frame.root, session);
    };
    draw();
    session.theme.watch(draw);
    session.selection.watch(() => markSelected(frame.root, session));
    listenToPicks(frame.root, session);
  }
}

function markSelected(root: HTMLElement, session: Session): void {
  const { structure } = session.report;
  const chosen = structure && chosenGroup(session, structure);
  for (const made of root.querySelectorAll<SVGElement>(".pickable")) {
    const { group, body } = made.dataset;
    const isBody = body !== undefined && session.selection.is("body", Number(body));
    made.classList.toggle("chosen", isBody || (group !== undefined && Number(group) === chosen));
  }
}

/** Clicks, and enter or blank on what has the focus. */
function listenToPicks(root: HTMLElement, session: Session): void {
  const pick = (event: Event): boolean => {
    const picked = event.target instanceof Element ? event.target.closest<SVGElement>(".pickable") : null;
    if (!picked) return false;
    const { group, body } = picked.dataset;
    if (body !== undefined) session.selection.select({ kind: "body", index: Number(body) });
    else if (group !== undefined) session.selection.select({ kind: "group", index: Number(group) });
    return true;
  };
  root.addEventListener("click", pick);
  root.addEventListener("keydown", (event) => {
    if ((event.key !== "Enter" && event.key !== " ") || !pick(event)) return;
    event.preventDefault();
    event.stopPropagation(); // blank does not start the clock as well
  });
}
