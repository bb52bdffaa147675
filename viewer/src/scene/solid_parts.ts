import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Form } from "./forms.js";

const kY = new Vector3(0, 1, 0);
const kOne = new Vector3(1, 1, 1);

/** Moves a part that was made along y to a centre and an axis. */
export function lay<T extends BufferGeometry>(part: T, centre: Vector3, axis: Vector3): T {
  const turn = new Quaternion().setFromUnitVectors(kY, axis.clone().normalize());
  part.applyMatrix4(new Matrix4().compose(centre, turn, kOne));
  return part;
}

export function cylinder(centre: Vector3, axis: Vector3, radius: number, length: number, sides = 24): BufferGeometry {
  return lay(new CylinderGeometry(radius, radius, length, sides), centre, axis);
}

export function cone(centre: Vector3, axis: Vector3, bottom: number, top: number, length: number, sides = 20): BufferGeometry {
  return lay(new CylinderGeometry(top, bottom, length, sides), centre, axis);
}

/** A bar with round ends. */
export function capsule(from: Vector3, to: Vector3, radius: number): BufferGeometry {
  const along = to.clone().sub(from);
  const length = along.length();
  if (length < 1e-9 * radius) return ball(from, radius);
  return lay(new CapsuleGeometry(radius, length, 5, 14), from.clone().add(to).divideScalar(2), along);
}

export function ball(centre: Vector3, radius: number): BufferGeometry {
  return new SphereGeometry(radius, 20, 14).translate(centre.x, centre.y, centre.z);
}

export function box(centre: Vector3, size: Vector3): BufferGeometry {
  return new BoxGeometry(size.x, size.y, size.z).translate(centre.x, centre.y, centre.z);
}

/** Parts as one form. `edged`: those whose edges are drawn; `extra`: further strokes, pairs of points. */
export function solidForm(parts: readonly BufferGeometry[], edged: readonly BufferGeometry[] = [], extra: readonly Vector3[] = []): Form {
  const strokes: number[] = extra.flatMap((point) => [point.x, point.y, point.z]);
  for (const part of edged) strokes.push(...(new EdgesGeometry(part, 40).getAttribute("position").array as Float32Array));
  const every = [...parts, ...edged];
  const all = every.every(({ index }) => index) ? every : every.map((part) => (part.index ? part.toNonIndexed() : part)); // alike, as one form asks
  return {
    fill: all.length > 0 ? mergeGeometries(all) : undefined,
    strokes: strokes.length > 0 ? new LineSegmentsGeometry().setPositions(strokes) : undefined,
  };
}
