import { BufferGeometry, Mesh, type Material, type Object3D } from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import type { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";

/** What is drawn of something, in its own axes: faces, and strokes along their edges. */
export interface Form {
  fill: BufferGeometry | undefined;
  strokes: LineSegmentsGeometry | undefined;
}

export interface DrawnForm {
  fill: Mesh | undefined;
  strokes: LineSegments2 | undefined;
}

/** Hangs a form into a frame. Forms may be shared. */
export function hang(parent: Object3D, form: Form, fillPaint: Material, strokePaint: LineMaterial, renderOrder = 0): DrawnForm {
  const fill = form.fill && new Mesh(form.fill, fillPaint);
  const strokes = form.strokes && new LineSegments2(form.strokes, strokePaint);
  for (const part of [fill, strokes]) {
    if (!part) continue;
    part.renderOrder = renderOrder;
    part.matrixAutoUpdate = false;
    parent.add(part);
  }
  return { fill, strokes };
}
