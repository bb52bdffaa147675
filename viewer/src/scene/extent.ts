import { Box3, Matrix4, Quaternion, Vector3 } from "three";
import type { MotionTrack } from "../motion.js";
import { type Anatomy, extremes } from "./anatomy.js";
import type { Way } from "./way.js";

const kMostFrames = 200;
const kSight = 100; // of the size of what moves: beside what is farther away on the ground nothing could be seen

const kSightAlong = 0.2; // the same of a vehicle that is gone with

/** All the room that a motion takes. */
export interface Extent {
  points: Vector3[]; // world: far points of all bodies at frames over the motion
  box: Box3;
  size: number; // [m] longest edge of the box
  breadth: number; // [m] the one after it, not much less
}

/** A body somewhere. */
export interface PlacedBody {
  body: number;
  matrix: Matrix4; // the same object each time
}

/** Instants over a motion, few enough to look at all. */
export function sampleTimes(track: MotionTrack, most = kMostFrames): number[] {
  const frames = track.times.length;
  const count = Math.min(frames, most);
  return Array.from({ length: count }, (_, k) => track.times[count > 1 ? Math.round((k * (frames - 1)) / (count - 1)) : 0] ?? 0);
}

export function poseMatrix(track: MotionTrack, body: number, t: number, out = new Matrix4()): Matrix4 {
  const { position, rotation } = track.pose(body, t);
  const turn = new Quaternion(rotation[1], rotation[2], rotation[3], rotation[0]);
  return out.compose(new Vector3(...position), turn, new Vector3(1, 1, 1));
}

/** `beside`: bodies of ghosts and hypotheses, which count unless they are lost: more than the whole size outside of the motion. `way`: of
 * what is looked at by an eye that goes along; the ground counts where it is near then. */
export function measure(track: MotionTrack, bodies: readonly Anatomy[], typical: number, beside: Iterable<PlacedBody>, way?: Way): Extent {
  const points: Vector3[] = [];
  const box = new Box3();
  const matrix = new Matrix4();
  const far = bodies.map(extremes);
  const add = (point: Vector3) => {
    if (!Number.isFinite(point.x + point.y + point.z)) return;
    points.push(point);
    box.expandByPoint(point);
  };
  const placed = (body: number, pose: Matrix4) => {
    const own = far[body] ?? [];
    return (own.length > 0 ? own : [new Vector3()]).map((point) => point.clone().applyMatrix4(pose));
  };
  const gone = new Vector3();
  for (const t of sampleTimes(track)) {
    way?.at(t, gone);
    for (let body = 1; body < bodies.length; ++body) {
      for (const point of placed(body, poseMatrix(track, body, t, matrix))) add(point.sub(gone));
    }
  }
  const moving = box.getSize(new Vector3());
  const sight = (way ? kSightAlong : kSight) * Math.max(moving.x, moving.y, moving.z, typical);
  far[0]?.forEach((point) => (box.isEmpty() || box.distanceToPoint(point) < sight) && add(point.clone()));
  const reach = box.getSize(new Vector3());
  const room = box.clone().expandByScalar(Math.max(reach.x, reach.y, reach.z, typical));
  for (const { body, matrix: pose } of beside) {
    for (const point of placed(body, pose)) if (room.containsPoint(point)) add(point);
  }
  if (points.length === 0) add(new Vector3());
  const edges = box.getSize(new Vector3());
  const size = Math.max(edges.x, edges.y, edges.z, 0.2 * typical) || 1;
  const [, second = 0] = [edges.x, edges.y, edges.z].sort((a, b) => b - a);
  return { points, box, size, breadth: Math.max(second, 0.4 * size) };
}

/** What has no extent of its own, a lone point, is drawn as a symbol: room about it. */
export function makeRoom({ points, box }: Extent, room: number): void {
  const edges = box.getSize(new Vector3());
  if (Math.max(edges.x, edges.y, edges.z) > room) return;
  box.expandByScalar(room);
  points.push(box.min.clone(), box.max.clone());
  for (const k of [0, 1, 2]) points.push(box.min.clone().setComponent(k, box.max.getComponent(k)), box.max.clone().setComponent(k, box.min.getComponent(k)));
}

/** Some of the road around a vehicle is in view with it. */
export function makeRoadRoom({ points, box, size }: Extent): void {
  const room = 0.1 * size;
  const { min, max } = box.clone().expandByVector(new Vector3(room, room, room / 2));
  for (const x of [min.x, max.x]) for (const y of [min.y, max.y]) for (const z of [min.z, max.z]) points.push(new Vector3(x, y, z));
}

/** Radius of a pin: a small part of the way from joint to joint (of the size of bodies with one joint), so that crowded mechanisms get
 * small symbols; never lost or huge in the picture. */
export function symbolUnit(bodies: readonly Anatomy[], extent: Extent, planar: boolean): number {
  const neighbours: number[] = [];
  for (const anatomy of bodies) {
    if (anatomy.body === 0) continue;
    const places = anatomy.joints.length > 1 ? anatomy.joints : extremes(anatomy);
    if (anatomy.joints.length < 2) {
      if (places.length > 1) neighbours.push(new Box3().setFromPoints(places).getSize(new Vector3()).length());
    } else {
      for (const place of places) {
        neighbours.push(Math.min(extent.size, ...places.filter((other) => other !== place).map((other) => other.distanceTo(place))));
      }
    }
  }
  neighbours.sort((a, b) => a - b);
  const median = neighbours[neighbours.length >> 1] ?? extent.size;
  return Math.min((planar ? 0.013 : 0.011) * extent.size, Math.max(0.003 * extent.size, 0.05 * median));
}
