import { Vector3 } from "three";
import type { Attachment, Shape } from "../report_data.js";
import { distanceOutside, vector } from "./anatomy.js";
import type { Drawing } from "./drawing.js";

/** How far what is drawn of a body, and of those welded to it, reaches beyond a place inside of it, along a direction of the world, at
 * the beginning: a wheel that is stopped at its centre stands on its rim. 0 for a place at the edge. */
export function reachBeyond(drawing: Drawing, place: Attachment, direction: Vector3): number {
  const { mechanism, frames } = drawing;
  const at = frames.world(place, new Vector3());
  let most = 0;
  for (const body of weldedTo(drawing, place.body)) {
    const shape = mechanism.bodies[body]?.shape;
    if (!shape || body === 0) continue;
    const frame = frames.frame(body);
    const inBody = frame.worldToLocal(at.clone());
    if (shape.kind === "bar" || distanceOutside(shape, inBody) > 1e-9) continue;
    const along = direction.clone().applyQuaternion(frame.quaternion.clone().invert());
    most = Math.max(most, support(shape, along) + vector(shape.centre).sub(inBody).dot(along));
  }
  return most;
}

function weldedTo({ mechanism }: Drawing, body: number): Set<number> {
  const found = new Set([body]);
  for (const known of found) {
    for (const { kind, ends } of mechanism.joints) {
      if (kind === "fixed" && ends.some((end) => end.body === known)) for (const end of ends) found.add(end.body);
    }
  }
  return found;
}

/** From the centre of a shape to its farthest point along a unit vector, measured along it. */
function support(shape: Exclude<Shape, { kind: "bar" }>, along: Vector3): number {
  if (shape.kind === "sphere") return shape.radius;
  if (shape.kind === "box") return [0, 1, 2].reduce((sum, k) => sum + (Math.abs(along.getComponent(k)) * (shape.size[k] ?? 0)) / 2, 0);
  const cosine = Math.abs(along.dot(vector(shape.axis).normalize()));
  const half = shape.kind === "cylinder" ? shape.length / 2 : 0;
  return half * cosine + shape.radius * Math.sqrt(Math.max(0, 1 - cosine * cosine));
}
