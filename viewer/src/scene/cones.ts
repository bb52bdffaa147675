import { ConeGeometry, CylinderGeometry, Group, Mesh } from "three";
import type { Cone } from "../report_data.js";
import type { Drawing } from "./drawing.js";

const kSides = 20;
const kFoot = 0.06; // of the height
const kBand: [number, number] = [0.42, 0.68]; // of the height, white
const kWider = 1.03; // than the cone: the band lies on it

/** Cones of a course: a foot as broad as the circle that must not be touched, orange with a white band; one that was touched is red. */
export function drawCones({ mechanism, paints, session }: Drawing, cones: readonly Cone[]): Group {
  const root = new Group();
  const isDark = () => session.theme.name === "dark";
  const orange = paints.lit(() => (isDark() ? "#ff922b" : "#f76707"));
  const white = paints.lit(() => (isDark() ? "#e9ecef" : "#ffffff"));
  const red = paints.lit(() => session.theme.palette.warning);
  const [ox = 0, oy = 0, oz = 0] = mechanism.bodies[0]?.origin ?? [];
  for (const cone of cones) {
    const { radius, height } = cone;
    const top = 0.7 * radius; // of the cone at its foot
    const at = (part: number) => top * (1 - part);
    const body = new ConeGeometry(top, height, kSides);
    const foot = new CylinderGeometry(radius, radius, kFoot * height, kSides);
    const [low, high] = kBand;
    const band = new CylinderGeometry(kWider * at(high), kWider * at(low), (high - low) * height, kSides, 1, true);
    const paint = cone.hit ? red : orange;
    const parts = [new Mesh(body, paint), new Mesh(foot, paint), new Mesh(band, white)];
    const heights = [0.5 * height, 0.5 * kFoot * height, 0.5 * (low + high) * height];
    const group = new Group();
    parts.forEach((part, k) => {
      part.rotation.x = Math.PI / 2; // three's cones stand along y
      part.position.z = heights[k]!;
      group.add(part);
    });
    group.position.set(cone.at[0] - ox, cone.at[1] - oy, cone.at[2] - oz);
    root.add(group);
  }
  return root;
}
