import { Vector3 } from "three";
import type { Curve, Joint, JointEnd, Mechanism, Shape, Tyre, Vec3 } from "../report_data.js";
import type { Bevel } from "./bevels.js";
import { endTurn } from "./drawing.js";
import type { Toothed } from "./meshes.js";
import { cornersOf, type Plate } from "./plates.js";
import { tyreRims } from "./tyres.js";

/** What of a body is to be seen: its shape, if it has one, and the places that must hang together with it. Body axes. */
export interface Anatomy {
  body: number;
  shape: Shape | undefined;
  visuals: readonly Shape[]; // drawn beside it
  places: Vector3[]; // distinct: points, joints, springs, loads, traces
  joints: Vector3[]; // distinct: joints alone
  outside: Vector3[]; // places that the shape does not reach
  curves: Vector3[]; // some places along them
  cams: readonly Curve[]; // those that are the edge of the body
  toothed: readonly Toothed[];
  bevels: readonly Bevel[];
  plates: readonly Plate[];
  tyres: readonly Tyre[];
  rims: Vector3[]; // far points of its wheels and plates, and of circles on which something rolls
}

/** What couplings and rolling make of bodies. */
export type Wheels = Pick<Anatomy, "toothed" | "bevels" | "plates">;

/** Of the places of a curve that say how far it reaches. */
const kEvery = 8;

/** Radius of a circle, in radii of the one that rolls on it, of which only the part beneath is of interest. */
const kHill = 12;

export type Segment = [Vector3, Vector3];

export function vector(v: Vec3): Vector3 {
  return new Vector3(...v);
}

/** Whether a joint has no place of its own: its bodies may be anywhere. */
export function isAnywhere({ kind }: Joint): boolean {
  return kind === "free" || kind === "translation";
}

export function anatomies(mechanism: Mechanism, wheels: Wheels): Anatomy[] {
  const tolerance = 1e-4 * mechanism.size;
  return mechanism.bodies.map((body, index) => {
    const joints: Vector3[] = [];
    const places: Vector3[] = [];
    const addJoint = (at: Vec3) => (addDistinct(joints, at, tolerance), addDistinct(places, at, tolerance));
    const add = (place: { body: number; at: Vec3 } | undefined) => {
      if (place?.body === index) addDistinct(places, place.at, tolerance);
    };
    for (const joint of mechanism.joints) {
      if (isAnywhere(joint)) continue;
      for (const end of joint.ends) if (end.body === index && !end.curve) addJoint(end.at);
    }
    for (const point of body.points) addDistinct(places, point.at, tolerance);
    for (const spring of mechanism.springs) spring.ends?.forEach(add);
    for (const load of mechanism.loads) add(load.place);
    mechanism.traces.forEach(add);
    for (const sensor of mechanism.sensors) if (sensor.place?.name) add(sensor.place);
    const shape = body.shape;
    const curves = (body.curves ?? []).flatMap(({ line }) => line.filter((_, k) => k % kEvery === 0 || k + 1 === line.length).map(vector));
    const outside = shape ? places.filter((place) => distanceOutside(shape, place) > 0.01 * mechanism.size) : [];
    const own = <T extends { end: JointEnd }>(parts: readonly T[]) => parts.filter(({ end }) => end.body === index);
    const { toothed, bevels, plates } = { toothed: own(wheels.toothed), bevels: own(wheels.bevels), plates: own(wheels.plates) };
    const tyres = (mechanism.tyres ?? []).filter(({ place }) => place.body === index);
    const rims = [
      ...toothed.flatMap(({ end, reach, outline }) => (reach > 0 ? ring(end, reach) : outline.map(([x, y]) => onFrame(end, x, y)))),
      ...bevels.flatMap(({ end, outline }) => outline.filter((_, k) => k % kEvery === 0).map(({ x, y, z }) => onFrame(end, x, y, z))),
      ...plates.flatMap(cornersOf),
      ...tyres.flatMap(tyreRims),
      ...mechanism.joints.flatMap((joint) => rollingRims(joint, index)),
    ];
    const cams = (body.curves ?? []).filter(({ closed, solid }) => closed && solid);
    return { body: index, shape, visuals: body.visuals ?? [], places, joints, outside, curves, cams, toothed, bevels, plates, tyres, rims };
  });
}

/** A place in the frame of a joint's end, body axes. */
export function onFrame(end: JointEnd, x: number, y: number, z = 0): Vector3 {
  return new Vector3(x, y, z).applyQuaternion(endTurn(end)).add(vector(end.at));
}

/** Far points of a circle in the frame of a joint's end, about its z. */
function ring(end: JointEnd, radius: number): Vector3[] {
  return Array.from({ length: 8 }, (_, k) => onFrame(end, radius * Math.cos((k * Math.PI) / 4), radius * Math.sin((k * Math.PI) / 4)));
}

/** A circle that rolls in the plane, and the one it rolls on unless that is a whole hill. */
function rollingRims({ kind, ends: [base, centre], length, rolling }: Joint, body: number): Vector3[] {
  const rims: Vector3[] = [];
  const radius = rolling?.radius ?? (kind === "rolling" ? length : 0);
  if (radius > 0 && centre.body === body) rims.push(...ring(centre, radius));
  if (rolling && Math.abs(rolling.base) < kHill * radius && base.body === body) rims.push(...ring(base, Math.abs(rolling.base)));
  return rims;
}

/** Whether wheels or cams are all there is to be seen of a body: a disc beneath them stands for the wheel. */
export function isItsWheels({ shape, places, cams, toothed, bevels }: Anatomy): boolean {
  if (!shape) return cams.length + toothed.length + bevels.length > 0 && places.length < 2;
  if (shape.kind !== "disc") return false;
  return toothed.some(({ end, reach }) => reach >= shape.radius && vector(end.at).distanceTo(vector(shape.centre)) < 0.01 * shape.radius);
}

function addDistinct(places: Vector3[], at: Vec3, tolerance: number): void {
  const place = vector(at);
  if (places.every((other) => other.distanceTo(place) > tolerance)) places.push(place);
}

/** How far a place is from a shape; 0 inside. */
export function distanceOutside(shape: Shape, place: Vector3): number {
  if (shape.kind === "bar") return place.distanceTo(nearestOn([vector(shape.from), vector(shape.to)], place));
  const from = place.clone().sub(vector(shape.centre));
  if (shape.kind === "sphere") return Math.max(0, from.length() - shape.radius);
  if (shape.kind === "box") {
    const beyond = [0, 1, 2].map((k) => Math.max(0, Math.abs(from.getComponent(k)) - shape.size[k as 0 | 1 | 2] / 2));
    return Math.hypot(...beyond);
  }
  const along = from.dot(vector(shape.axis).normalize());
  const radial = Math.sqrt(Math.max(0, from.lengthSq() - along * along));
  const half = shape.kind === "cylinder" ? shape.length / 2 : 0;
  return Math.hypot(Math.max(0, radial - shape.radius), Math.max(0, Math.abs(along) - half));
}

function nearestOn([from, to]: Segment, place: Vector3): Vector3 {
  const along = to.clone().sub(from);
  const length = along.lengthSq();
  const part = length > 0 ? place.clone().sub(from).dot(along) / length : 0;
  return from.clone().addScaledVector(along, Math.min(1, Math.max(0, part)));
}

/** The point of a shape that is nearest to a place outside of it. */
function nearestIn(shape: Exclude<Shape, { kind: "bar" }>, place: Vector3): Vector3 {
  const centre = vector(shape.centre);
  const from = place.clone().sub(centre);
  if (shape.kind === "sphere") return from.clampLength(0, shape.radius).add(centre);
  if (shape.kind === "box") {
    const half = vector(shape.size).divideScalar(2);
    return from.clamp(half.clone().negate(), half).add(centre);
  }
  const axis = vector(shape.axis).normalize();
  const along = from.dot(axis);
  const half = shape.kind === "cylinder" ? shape.length / 2 : 0;
  const radial = from.addScaledVector(axis, -along).clampLength(0, shape.radius);
  return radial.addScaledVector(axis, Math.min(half, Math.max(-half, along))).add(centre);
}

/** Thin bars that hold the places outside of a shape: to both ends of a bar, else from the nearest point of the shape. */
export function links({ shape, outside }: Anatomy): Segment[] {
  if (!shape) return [];
  if (shape.kind !== "bar") return outside.map((place) => [nearestIn(shape, place), place]);
  return outside.flatMap((place): Segment[] => {
    const [from, to] = [vector(shape.from), vector(shape.to)];
    const along = to.clone().sub(from).normalize();
    const aside = place.clone().sub(from);
    const onLine = aside.sub(along.clone().multiplyScalar(aside.dot(along))).length() < 0.1 * outsideSpan(from, to, place);
    if (onLine) return [[from.distanceTo(place) < to.distanceTo(place) ? from : to, place]];
    return [[from, place], [to, place]];
  });
}

function outsideSpan(from: Vector3, to: Vector3, place: Vector3): number {
  return Math.min(from.distanceTo(place), to.distanceTo(place));
}

/** The body as bars: between two places, round three, from the middle of more. With a shape: its own bars and links. */
export function skeleton(anatomy: Anatomy): Segment[] {
  const { shape, places } = anatomy;
  if (shape?.kind === "bar") return [[vector(shape.from), vector(shape.to)], ...links(anatomy)];
  if (shape) {
    const centre = vector(shape.centre);
    return places.filter((place) => place.distanceTo(centre) > 0).map((place): Segment => [centre, place]);
  }
  const [a, b, c] = places;
  if (places.length < 2 || !a || !b) return [];
  if (!c) return [[a, b]];
  if (places.length === 3) return [[a, b], [b, c], [c, a]];
  const middle = middleOf(places);
  return places.map((place) => [middle, place]);
}

export function middleOf(places: readonly Vector3[]): Vector3 {
  const sum = new Vector3();
  for (const place of places) sum.add(place);
  return places.length > 0 ? sum.divideScalar(places.length) : sum;
}

/** Points of the body that reach as far as it does in any direction. */
export function extremes({ shape, visuals, places, curves, rims }: Anatomy): Vector3[] {
  return [...places, ...curves, ...rims, ...(shape ? shapeExtremes(shape) : []), ...visuals.flatMap(shapeExtremes)];
}

function shapeExtremes(shape: Shape): Vector3[] {
  if (shape.kind === "bar") return [vector(shape.from), vector(shape.to)];
  const centre = vector(shape.centre);
  const at = (offset: Vector3) => offset.add(centre);
  if (shape.kind === "box" || shape.kind === "sphere") {
    const half = shape.kind === "box" ? vector(shape.size).divideScalar(2) : new Vector3().setScalar(shape.radius / Math.sqrt(2));
    const signs = [-1, 1];
    const corners = signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => at(new Vector3(x, y, z).multiply(half)))));
    return corners;
  }
  const half = shape.kind === "cylinder" ? shape.length / 2 : 0;
  const axis = vector(shape.axis).normalize();
  const [u, v] = perpendiculars(axis);
  return Array.from({ length: 12 }, (_, k) => (k * Math.PI) / 6).flatMap((angle) =>
    (half > 0 ? [-half, half] : [0]).map((along) =>
      at(
        u
          .clone()
          .multiplyScalar(shape.radius * Math.cos(angle))
          .addScaledVector(v, shape.radius * Math.sin(angle))
          .addScaledVector(axis, along),
      ),
    ),
  );
}

/** Two unit vectors that make a right-handed triple with the axis. */
export function perpendiculars(axis: Vector3): [Vector3, Vector3] {
  const some = Math.abs(axis.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const v = new Vector3().crossVectors(axis, some).normalize();
  return [new Vector3().crossVectors(v, axis), v];
}
