import { Vector3, type BufferGeometry } from "three";
import { type Anatomy, isItsWheels, links, perpendiculars, skeleton, vector } from "./anatomy.js";
import type { Shape } from "../report_data.js";
import type { Form } from "./forms.js";
import { solidWheels } from "./gears.js";
import { ball, box, capsule, cylinder, solidForm } from "./solid_parts.js";
import { isOfTyre, wheelParts } from "./tyres.js";

/** A body in space: its shape, or bars through its places; wheels with teeth or within tyres; links to what the shape does not reach. */
export function solidBody(anatomy: Anatomy, unit: number): Form {
  const { shape, places } = anatomy;
  const held = links(anatomy).map(([from, to]) => capsule(from, to, 0.45 * unit));
  const wheels = [...solidWheels(anatomy, unit), ...anatomy.tyres.flatMap(wheelParts)];
  if (isItsWheels(anatomy) || isItsTyre(anatomy)) return solidForm(held, wheels);
  if (!shape) {
    const bars = skeleton(anatomy);
    if (bars.length === 0) return solidForm([], [...wheels, box(places[0] ?? new Vector3(), new Vector3(4, 3, 3).multiplyScalar(unit))]);
    const parts = bars.map(([from, to]) => capsule(from, to, 0.7 * unit));
    const middle = places.length > 3 ? bars[0]?.[0] : undefined;
    if (middle) parts.push(ball(middle, 1.1 * unit));
    return solidForm(parts, wheels);
  }
  return solidShape(shape, unit, held, wheels);
}

/** Whether a wheel with a tyre is all there is to be seen of a body. */
function isItsTyre({ shape, places, tyres }: Anatomy): boolean {
  return tyres.some((tyre) => (shape ? isOfTyre(shape, tyre) : places.length < 2));
}

/** A shape alone, with what is held to it and wheels on it. */
export function solidShape(shape: Shape, unit: number, held: BufferGeometry[] = [], wheels: BufferGeometry[] = []): Form {
  if (shape.kind === "bar") return solidForm([...held, capsule(vector(shape.from), vector(shape.to), 0.85 * unit)], wheels);
  const centre = vector(shape.centre);
  if (shape.kind === "sphere") return solidForm([...held, ball(centre, shape.radius)], wheels);
  if (shape.kind === "box") {
    const thinnest = 0.4 * unit;
    return solidForm(held, [...wheels, box(centre, vector(shape.size).max(new Vector3().setScalar(thinnest)))]);
  }
  const length = Math.max(shape.kind === "cylinder" ? shape.length : 0.12 * shape.radius, 0.5 * unit);
  return roundBody(held, wheels, centre, vector(shape.axis).normalize(), shape.radius, length);
}

/** A disc or cylinder; a flat one shows its turning by spokes on its faces. */
function roundBody(held: BufferGeometry[], wheels: BufferGeometry[], centre: Vector3, axis: Vector3, radius: number, length: number): Form {
  const spokes: Vector3[] = [];
  if (length < 3 * radius) {
    const sides = perpendiculars(axis);
    for (const face of [-0.502, 0.502]) {
      const middle = centre.clone().addScaledVector(axis, face * length);
      for (const side of sides) {
        spokes.push(middle.clone().addScaledVector(side, -0.92 * radius), middle.clone().addScaledVector(side, 0.92 * radius));
      }
    }
  }
  return solidForm(held, [...wheels, cylinder(centre, axis, radius, length, 48)], spokes);
}
