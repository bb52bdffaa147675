import { BufferAttribute, BufferGeometry, ExtrudeGeometry, Matrix4, Path, Shape, Vector2, Vector3 } from "three";
import type { JointEnd } from "../report_data.js";
import type { Anatomy } from "./anatomy.js";
import type { Bevel } from "./bevels.js";
import { endTurn } from "./drawing.js";
import type { Toothed } from "./meshes.js";

const kWidth = 3; // of a wheel in space, in symbol units
const kFace = 0.35; // width of a bevel wheel's teeth, of their distance from the apex

/** Wheels with teeth, racks and bevel wheels of a body in space, in its axes. */
export function solidWheels({ toothed, bevels }: Anatomy, unit: number): BufferGeometry[] {
  return [...toothed.map((part) => atEnd(wheel(part, unit), part.end)), ...bevels.map((part) => atEnd(bevel(part), part.end))];
}

function atEnd(part: BufferGeometry, end: JointEnd): BufferGeometry {
  return part.applyMatrix4(new Matrix4().compose(new Vector3(...end.at), endTurn(end), new Vector3(1, 1, 1)));
}

function wheel({ outline, rim }: Toothed, unit: number): BufferGeometry {
  const corners = outline.map(([x, y]) => new Vector2(x, y));
  const shape = rim > 0 ? new Shape().absarc(0, 0, rim, 0, 2 * Math.PI, false) : new Shape(corners);
  if (rim > 0) shape.holes.push(new Path(corners));
  return new ExtrudeGeometry(shape as Shape, { depth: kWidth * unit, bevelEnabled: false, curveSegments: 48 }).translate(0, 0, (-kWidth * unit) / 2);
}

/** What of the cone from the apex over the outline is between its large face and a smaller one like it. Within the roots of the teeth both are flat. */
function bevel({ apex, outline }: Bevel): BufferGeometry {
  const top = new Vector3(0, 0, apex);
  const triangles: Vector3[] = [];
  const smaller = (at: Vector3) => at.clone().lerp(top, kFace);
  const [root = top] = outline; // an outline begins at the foot of a tooth
  const middle = new Vector3(0, 0, root.z);
  const foot = ({ x, y }: Vector3) => new Vector3(x, y, 0).setLength(Math.hypot(root.x, root.y)).setZ(root.z);
  outline.forEach((a, k) => {
    const b = outline[(k + 1) % outline.length] ?? a;
    triangles.push(b, a, smaller(a), b, smaller(a), smaller(b));
    for (const face of [(at: Vector3) => at, smaller]) triangles.push(...[a, b, foot(a), b, foot(b), foot(a), foot(a), foot(b), middle].map(face));
  });
  const made = new BufferGeometry().setFromPoints(triangles);
  made.computeVertexNormals();
  made.setAttribute("uv", new BufferAttribute(new Float32Array(2 * triangles.length), 2)); // as other geometries have
  return made;
}
