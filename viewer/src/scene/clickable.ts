import { Vector3 } from "three";
import { extremes, middleOf, skeleton } from "./anatomy.js";
import type { Content } from "./content.js";

/** Places, world, that are likely to show a body and nothing else. */
export function* clickablePlaces({ drawing }: Content, body: number): Generator<Vector3> {
  const anatomy = drawing.bodies[body];
  if (!anatomy) return;
  const matrix = drawing.frames.frame(body).matrixWorld;
  const world = (place: Vector3) => place.clone().applyMatrix4(matrix);
  const middle = middleOf(anatomy.places);
  yield world(middle);
  for (const part of [0.5, 0.35, 0.65, 0.25, 0.75, 0.15, 0.85]) {
    for (const [from, to] of skeleton(anatomy)) yield world(from.clone().lerp(to, part));
  }
  for (const part of [0.9, 0.7, 0.5, 0.3]) {
    for (const far of extremes(anatomy)) yield world(middle.clone().lerp(far, part));
  }
}
