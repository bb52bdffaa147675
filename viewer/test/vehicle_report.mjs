// A cart that brakes uphill over a bump on a road with less friction on its right, from closed forms: no dynamics, but tyres, contacts and a road as the
// program tells them.
import { motionOf, turn } from "./showcase_report.mjs";

export const kSlope = 0.06, kBump = { begin: 24, length: 3, height: 0.12 };
const kRadius = 0.3, kTrack = 1.5, kBase = 2.6, kFriction = { left: 1, right: 0.3 };
const kStatic = 12560 / 4;

/** The bump lies across the left half alone. */
export function heightAt(x, y) {
  const s = x - kBump.begin;
  const over = y >= 0 && s > 0 && s < kBump.length ? (kBump.height / 2) * (1 - Math.cos((2 * Math.PI * s) / kBump.length)) : 0;
  return kSlope * x + over;
}

export function vehicleReport({ frames = 201, until = 4, speed = 15, flies = true } = {}) {
  const times = Array.from({ length: frames }, (_, k) => (until * k) / (frames - 1));
  const gone = (t) => speed * t - 0.5 * (speed / until) * t * t;
  const pitch = Math.atan(kSlope);
  const corners = [[kBase / 2, kTrack / 2], [kBase / 2, -kTrack / 2], [-kBase / 2, kTrack / 2], [-kBase / 2, -kTrack / 2]];
  const wheel = (t, k) => {
    const [dx, dy] = corners[k];
    const x = gone(t) + dx;
    const lifted = flies && k === 0 && x > 24 && x < 27 ? 0.06 : 0; // the left front wheel flies over the bump's far side
    return { x, y: dy, z: heightAt(x, dy) + (kRadius - 0.016) + lifted, lifted };
  };
  const poses = (t) => {
    const x = gone(t);
    const body = [x - 0.5 * Math.sin(pitch), 0, kSlope * x + 0.6, ...turn([0, 1, 0], -pitch)];
    return [body, ...corners.map((_, k) => {
      const { x: wx, y, z } = wheel(t, k);
      return [wx, y, z, ...turn([0, 1, 0], (wx - corners[k][0]) / kRadius)];
    })];
  };
  const along = [Math.cos(pitch), 0, Math.sin(pitch)], normal = [-Math.sin(pitch), 0, Math.cos(pitch)];
  const contacts = ["fl", "fr", "rl", "rr"].map((corner, k) => {
    const point = [[], [], []], load = [[], [], []], force = [[], [], []];
    for (const t of times) {
      const { x, y, lifted } = wheel(t, k);
      const F_z = lifted > 0 ? 0 : kStatic * (k < 2 ? 1.25 : 0.75);
      const F_x = -F_z * (k % 2 === 0 ? 0.8 : 0.25);
      [x, y, heightAt(x, y)].forEach((value, c) => point[c].push(value));
      normal.forEach((value, c) => load[c].push(F_z * value));
      along.forEach((value, c) => force[c].push(F_x * value + (c === 1 ? 0.15 * F_z : 0)));
    }
    return { name: `tyre_${corner}`, point, load, along: force };
  });
  const x = [-12, ...Array.from({ length: 31 }, (_, k) => kBump.begin + (kBump.length * k) / 30), gone(until) + 14];
  const y = [-13, -1e-4, 1e-4, 13];
  const body = (name, more) => ({ name, mass: 20, centre: [0, 0, 0], points: [], ...more });
  const axis = [0, 1, 0];
  const wheels = ["fl", "fr", "rl", "rr"].map((corner) =>
    body(`wheel_${corner}`, { points: [{ name: "C", at: [0, 0, 0] }], shape: { kind: "cylinder", radius: kRadius, length: 0.2, centre: [0, 0, 0], axis } }));
  const hinge = turn([1, 0, 0], -Math.PI / 2);
  return {
    format: 1, title: "cart", subtitle: "a sample, from closed forms", made_by: "a sample", facts: [], notes: [],
    mechanism: {
      name: "cart", description: "", source: "", planar: false, gravity: [0, 0, -9.81], size: 1.7,
      bodies: [
        body("ground", { mass: 0, points: [{ name: "O", at: [0, 0, 0] }] }),
        body("chassis", { mass: 1200, shape: { kind: "box", size: [3.6, 1.6, 0.5], centre: [0, 0, 0] } }),
        ...wheels,
      ],
      joints: wheels.map((_, k) => ({
        name: ["fl", "fr", "rl", "rr"][k], kind: "revolute", length: 0, mass: 0,
        ends: [{ body: 1, at: [corners[k][0], corners[k][1], -0.3], axes: hinge }, { body: 2 + k, at: [0, 0, 0], axes: hinge }],
      })),
      springs: [], sensors: [], drivers: [], loads: [], traces: [],
      tyres: wheels.map((_, k) => ({ name: `tyre_${["fl", "fr", "rl", "rr"][k]}`, place: { body: 2 + k, at: [0, 0, 0], name: "C" }, axis, radius: kRadius, width: 0.2 })),
    },
    road: {
      x, y, plane: [0, kSlope, 0], friction: kFriction.left, right: { friction: kFriction.right, below: 0 },
      height: x.flatMap((at) => y.map((aside) => heightAt(at, aside) - kSlope * at)),
    },
    recordings: [{ name: "motion", role: "motion", times, channels: [], motion: motionOf(times, poses), arrows: [], contacts, marks: [] }],
    clouds: [], charts: [], tables: [],
  };
}
