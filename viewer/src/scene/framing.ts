import { Box3, Matrix4, type OrthographicCamera, type PerspectiveCamera, Vector3 } from "three";
import type { Extent } from "./extent.js";

/** What is to be in view, and from where. */
export interface Sight {
  target: Vector3; // what is looked at and turned about: set by framing
  extent: Extent;
  from: Vector3; // the direction to the eye
  unit: number; // [m] of symbols
  width: number; // [px]
  height: number;
}

/** Room for what stands in the corners [px]; less where the picture is small. */
function margins(width: number, height: number): { top: number; side: number; bottom: number } {
  return { top: Math.min(52, 0.16 * height), side: Math.min(36, 0.07 * width), bottom: Math.min(44, 0.12 * height) };
}

/** Looks along −from without perspective, so that the whole motion is in view. */
export function frameOrthographic(camera: OrthographicCamera, { target, extent, from, unit, width, height }: Sight): void {
  const { top, side, bottom } = margins(width, height);
  const room = 4.5 * unit; // symbols at the edge
  const [right, over, back] = viewAxes(from, camera.up);
  const seen = new Box3();
  const point = new Vector3();
  for (const one of extent.points) seen.expandByPoint(point.set(one.dot(right), one.dot(over), one.dot(back)));
  const { min, max } = seen;
  const [w, h] = [max.x - min.x + 2 * room, max.y - min.y + 2 * room];
  const scale = Math.max(w / (width - 2 * side), h / (height - top - bottom)); // metres per pixel
  camera.top = (scale * height) / 2;
  camera.bottom = -camera.top;
  camera.right = (scale * width) / 2;
  camera.left = -camera.right;
  camera.zoom = 1;
  target.set(0, 0, 0).addScaledVector(right, (min.x + max.x) / 2);
  target.addScaledVector(over, (min.y + max.y) / 2 + (scale * (top - bottom)) / 2).addScaledVector(back, (min.z + max.z) / 2);
  const distance = 10 * extent.size;
  camera.position.copy(target).addScaledVector(back, distance);
  camera.near = 0;
  camera.far = 2 * distance;
  camera.updateProjectionMatrix();
}

/** To the right, upwards and to the eye in a picture seen from there. */
function viewAxes(from: Vector3, up: Vector3): [Vector3, Vector3, Vector3] {
  const axes: [Vector3, Vector3, Vector3] = [new Vector3(), new Vector3(), new Vector3()];
  new Matrix4().lookAt(from, new Vector3(), up).extractBasis(...axes);
  return axes;
}

/** Looks along −from with every point in view, as near as that allows: each side of the picture touches its farthest point. */
export function framePerspective(camera: PerspectiveCamera, { target, extent, from, unit, width, height }: Sight): void {
  const { top, side, bottom } = margins(width, height);
  const [right, over, back] = viewAxes(from, camera.up);
  const tan = Math.tan((camera.fov * Math.PI) / 360);
  const slopes = {
    right: tan * (width / height) * (1 - (2 * side) / width),
    top: tan * (1 - (2 * top) / height),
    bottom: tan * (1 - (2 * bottom) / height),
  };
  const reach = { right: -Infinity, left: -Infinity, top: -Infinity, bottom: -Infinity };
  const room = 3 * unit;
  let depthSum = 0;
  for (const point of extent.points) {
    const [x, y, d] = [point.dot(right), point.dot(over), -point.dot(back)];
    depthSum += d;
    reach.right = Math.max(reach.right, x + room - slopes.right * d);
    reach.left = Math.max(reach.left, -x + room - slopes.right * d);
    reach.top = Math.max(reach.top, y + room - slopes.top * d);
    reach.bottom = Math.max(reach.bottom, -y + room - slopes.bottom * d);
  }
  // Each side: ± centre − slope · depth of the camera ≥ reach; the camera stands where the tighter pair meets.
  const depth = Math.min(
    -(reach.right + reach.left) / (2 * slopes.right),
    -(reach.top + reach.bottom) / (slopes.top + slopes.bottom),
  );
  const x = (reach.right - reach.left) / 2;
  const y = (reach.top + slopes.top * depth - reach.bottom - slopes.bottom * depth) / 2;
  camera.position.set(0, 0, 0).addScaledVector(right, x).addScaledVector(over, y).addScaledVector(back, -depth);
  const distance = Math.max(unit, depthSum / extent.points.length - depth);
  target.copy(camera.position).addScaledVector(back, -distance);
  camera.near = 0.01 * Math.max(distance, extent.size);
  camera.far = 2000 * camera.near;
  camera.updateProjectionMatrix();
}
