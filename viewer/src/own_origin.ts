import type { BodyPose } from "./motion.js";
import type { Mechanism, Vec3 } from "./report_data.js";

const kNone: Vec3 = [0, 0, 0];

/** A place in body axes as the user gave it. */
export function toldPlace(mechanism: Mechanism, body: number, at: Vec3): Vec3 {
  const origin = mechanism.bodies[body]?.origin ?? kNone;
  return [at[0] + origin[0], at[1] + origin[1], at[2] + origin[2]];
}

/** Where the user's origin of a body is, from the user's origin of the world: p + o_W − R o_B. */
export function toldPosition(mechanism: Mechanism, body: number, { position, rotation }: BodyPose): Vec3 {
  const world = mechanism.bodies[0]?.origin ?? kNone;
  const own = turned(rotation, mechanism.bodies[body]?.origin ?? kNone);
  return [position[0] + world[0] - own[0], position[1] + world[1] - own[1], position[2] + world[2] - own[2]];
}

/** By Euler parameters: v + 2 e × (e × v + e₀ v). */
function turned([w, x, y, z]: BodyPose["rotation"], [a, b, c]: Vec3): Vec3 {
  const [u, v, t] = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
  return [a + 2 * (y * t - z * v), b + 2 * (z * u - x * t), c + 2 * (x * v - y * u)];
}
