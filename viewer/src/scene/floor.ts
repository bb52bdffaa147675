import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Quaternion, Vector3 } from "three";
import { roundLength } from "./corner.js";
import type { Drawing } from "./drawing.js";

/** A grid under the lowest point, level with respect to gravity. Returns the length of a cell [m]. */
export function drawFloor({ extent, up, session, paints }: Drawing, parent: { add(object: LineSegments): unknown }): number {
  const lowest = extent.points.reduce((least, point) => Math.min(least, point.dot(up)), Infinity);
  const edges = extent.box.getSize(new Vector3());
  const size = Math.max(edges.x, edges.y, edges.z) || extent.size;
  const cell = roundLength(size / 5);
  const half = Math.ceil((0.85 * size) / cell);
  const corners: number[] = [];
  for (let k = -half; k <= half; ++k) {
    corners.push(k * cell, -half * cell, 0, k * cell, half * cell, 0, -half * cell, k * cell, 0, half * cell, k * cell, 0);
  }
  const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  const material = new LineBasicMaterial();
  paints.follow(() => material.color.set(session.theme.palette.faint));
  const grid = new LineSegments(geometry, material);
  grid.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
  // Lines at round places of the world.
  const middle = extent.box.getCenter(new Vector3());
  const local = middle.applyQuaternion(grid.quaternion.clone().invert());
  local.set(Math.round(local.x / cell) * cell, Math.round(local.y / cell) * cell, lowest - 0.01 * size);
  grid.position.copy(local.applyQuaternion(grid.quaternion));
  parent.add(grid);
  return cell;
}
