// Wheels, bevel wheels and racks as they are drawn: teeth of one stand in gaps of the other, at the start and over a turn. Needs no browser.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { build } from "esbuild";

const out = join(mkdtempSync(join(tmpdir(), "eslabon-meshes-")), "meshes.mjs");
const contents = `export { beltsOf, loopOf } from "./belts.ts"; export { bevelWheels } from "./bevels.ts"; export { toothedParts } from "./meshes.ts";`;
const resolveDir = new URL("../src/scene/", import.meta.url).pathname;
await build({ stdin: { contents, resolveDir, loader: "ts" }, bundle: true, format: "esm", outfile: out, logLevel: "error" });
const { beltsOf, bevelWheels, loopOf, toothedParts } = await import(out);

const kUpright = [1, 0, 0, 0];
const about = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
const end = (body, at = [0, 0, 0], axes = kUpright) => ({ body, at, axes });
const hinge = (name, carrier, at, wheel) => ({ name, kind: "revolute", ends: [end(carrier, at), end(wheel)], length: 0, mass: 0 });
const track = (poses) => ({ begin: 0, times: [0], pose: (body) => poses[body] });

/** Corners of a part in the world, bodies at these poses. */
function placed(part, poses) {
  const { position, rotation } = poses[part.end.body];
  const angle = 2 * Math.atan2(rotation[3], rotation[0]);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return part.outline.map(([x, y]) => [x + part.end.at[0], y + part.end.at[1]]).map(([x, y]) => [position[0] + c * x - s * y, position[1] + s * x + c * y]);
}

function isInside([x, y], corners) {
  let inside = false;
  corners.forEach(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  });
  return inside;
}

/** Corners near the pitch point: the others are far from the other wheel. */
const near = (corners, [x, y], reach = 16) => corners.filter(([cx, cy]) => Math.hypot(cx - x, cy - y) < reach);

/** Share of the corners of a that stand in the other wheel's material. */
function clash(a, b, isRing = false) {
  return a.filter((corner) => isInside(corner, b) !== isRing).length / a.length;
}

test("two wheels outside each other mesh over a turn, however they start", () => {
  for (const [za, zb, direction, starts] of [[20, 60, 0.3, [0, 0]], [17, 23, 2.1, [0.4, -1.1]], [30, 31, -1.2, [2, 3]]]) {
    const at = [80 * Math.cos(direction), 80 * Math.sin(direction), 0];
    const poses = (q) => [{ position: [0, 0, 0], rotation: kUpright }, { position: [0, 0, 0], rotation: about(starts[0] + q) }, { position: at, rotation: about(starts[1] - (q * za) / zb) }];
    const mechanism = { joints: [hinge("A", 0, [0, 0, 0], 1), hinge("B", 0, at, 2)], couplings: [{ name: "m", kind: "gear", joints: [0, 1], numbers: [za, zb] }] };
    const [a, b] = toothedParts(mechanism, track(poses(0)));
    assert.equal(a.outline.length % za + b.outline.length % zb, 0);
    for (let q = 0; q < 2 * Math.PI; q += 0.13) {
      const [one, other] = [placed(a, poses(q)), placed(b, poses(q))];
      const pitch = at.map((x) => (x * za) / (za + zb));
      assert.ok(near(one, pitch).length > 20);
      assert.equal(clash(near(one, pitch), other) + clash(near(other, pitch), one), 0, `${za}:${zb} at ${q}`);
    }
    // The same wheels with a tooth against a tooth do clash: the check can fail.
    const wrong = poses(0);
    wrong[2] = { position: at, rotation: about(starts[1] + Math.PI / zb) };
    assert.ok(clash(placed(a, wrong), placed(b, wrong)) + clash(placed(b, wrong), placed(a, wrong)) > 0);
  }
});

test("sun, planet and ring mesh while the carrier turns", () => {
  const [zs, zp, zr] = [24, 24, 72];
  const arm = 48;
  const poses = (sun) => {
    const carrier = (sun * zs) / (zs + zr); // the ring stands still
    const planet = carrier - ((sun - carrier) * zs) / zp;
    return [
      { position: [0, 0, 0], rotation: kUpright },
      { position: [0, 0, 0], rotation: about(carrier) },
      { position: [0, 0, 0], rotation: about(sun) },
      { position: [arm * Math.cos(carrier), arm * Math.sin(carrier), 0], rotation: about(planet) },
      { position: [0, 0, 0], rotation: about(0) },
    ];
  };
  const mechanism = {
    joints: [hinge("C", 0, [0, 0, 0], 1), hinge("S", 1, [0, 0, 0], 2), hinge("P", 1, [arm, 0, 0], 3), hinge("R", 1, [0, 0, 0], 4)],
    couplings: [
      { name: "inner", kind: "gear", joints: [1, 2], numbers: [zs, zp] },
      { name: "outer", kind: "gear", joints: [2, 3], numbers: [zp, -zr] },
    ],
  };
  const parts = toothedParts(mechanism, track(poses(0)));
  assert.deepEqual(parts.map(({ joint }) => joint), [1, 2, 3]);
  assert.ok(parts[2].rim > 72 && parts[0].rim === 0);
  for (let q = 0; q < 8; q += 0.3) {
    const [sun, planet, ring] = parts.map((part) => placed(part, poses(q)));
    assert.equal(clash(sun, planet) + clash(planet, sun), 0, `sun and planet at ${q}`);
    assert.equal(clash(planet, ring, true), 0, `planet in the ring at ${q}`);
  }
});

test("a rack lies on the side where its teeth and those of the pinion move the same way", () => {
  for (const [radius, side] of [[25, -1], [-25, 1]]) {
    const poses = (q) => [{ position: [0, 0, 0], rotation: kUpright }, { position: [0, 0, 0], rotation: about(q) }, { position: [radius * q, side * 25, 0], rotation: kUpright }];
    const mechanism = {
      joints: [hinge("A", 0, [0, 0, 0], 1), { name: "G", kind: "prismatic", ends: [end(0, [0, side * 25, 0]), end(2)], length: 0, mass: 0 }],
      couplings: [{ name: "m", kind: "rack_and_pinion", joints: [0, 1], numbers: [radius] }],
    };
    const [pinion, rack] = toothedParts(mechanism, track(poses(0)));
    for (let q = -0.8; q < 0.8; q += 0.05) {
      const [wheel, bar] = [placed(pinion, poses(q)), placed(rack, poses(q))];
      assert.equal(clash(wheel, bar) + clash(bar, wheel), 0, `${radius} at ${q}`);
    }
    assert.ok(placed(rack, poses(0)).every(([, y]) => side * y > 20));
  }
});

test("bevel wheels mesh over a turn, about axes at any angle, also where one points the other way", () => {
  const product = ([a, b, c, d], [e, f, g, h]) => [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
  const turned = (r, [x, y, z]) => product(product(r, [0, x, y, z]), [r[0], -r[1], -r[2], -r[3]]).slice(1);
  const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  for (const [za, zb, shaft, starts, sense] of [[20, 25, 1.2, [0, 0], 1], [15, 16, 0.9, [0.4, -1.1], 1], [30, 24, 1.1, [2, 3], -1]]) {
    const [tilt, over] = [shaft / 2, sense > 0 ? 0 : Math.PI / 2].map((half) => [Math.cos(half), 0, Math.sin(half), 0]);
    const poses = (q) => [kUpright, about(starts[0] + q), product(product(tilt, over), about(starts[1] - (sense * q * za) / zb))].map((rotation) => ({ position: [0, 0, 0], rotation }));
    const mechanism = { size: 1, bodies: [], joints: [hinge("A", 0, [0, 0, 0], 1), hinge("B", 0, [0, 0, 0], 2)], couplings: [{ name: "m", kind: "gear", joints: [0, 1], numbers: [za, sense * zb] }] };
    const wheels = bevelWheels(mechanism, track(poses(0)));
    assert.deepEqual(wheels.map(({ apex }) => apex), [0, 0]);
    // Seen from the apex, on a plane across the line on which the pitch cones touch: in the plane of the axes, as far from each as sines are to teeth.
    const angle = Math.atan2(Math.sin(shaft), zb / za + Math.cos(shaft));
    const touch = [Math.sin(angle), 0, Math.cos(angle)].map((x) => sense * x);
    const seen = ({ outline }, { rotation }) => outline.map(({ x, y, z }) => turned(rotation, [x, y, z])).map((p) => [p[1] / dot(p, touch), (p[0] * touch[2] - p[2] * touch[0]) / dot(p, touch)]);
    for (let q = 0; q < 2 * Math.PI; q += 0.13) {
      const [one, other] = wheels.map((wheel, k) => near(seen(wheel, poses(q)[k + 1]), [0, 0], 100));
      assert.equal(clash(one, other) + clash(other, one), 0, `${za}:${zb} at ${q}`);
      assert.ok(near(one, [0, 0], 0.2).length > 10 && near(other, [0, 0], 0.2).length > 10);
    }
    const wrong = seen(wheels[1], { rotation: product(poses(0)[2].rotation, about(Math.PI / zb)) });
    assert.ok(clash(wrong, seen(wheels[0], poses(0)[1])) > 0);
  }
});

test("a belt lies on two pulleys that turn the same way, whichever end is the wheel, as long as a belt is", () => {
  const disc = (radius) => ({ shape: { kind: "disc", radius, centre: [0, 0, 0], axis: [0, 0, 1] } });
  const flipped = { name: "B", kind: "revolute", ends: [end(2), end(0, [30, 40, 0])], length: 0, mass: 0 };
  for (const [second, factors] of [[hinge("B", 0, [30, 40, 0], 2), [1, -2]], [flipped, [1, 2]]]) {
    const mechanism = (bodies, numbers) => ({ size: 100, bodies, joints: [hinge("A", 0, [0, 0, 0], 1), second], couplings: [{ name: "belt", kind: "sum", joints: [0, 1], numbers }] });
    for (const bodies of [[{}, disc(10), {}], [{}, {}, disc(20)]]) {
      const [belt] = beltsOf(mechanism(bodies, factors));
      assert.deepEqual([belt.radii, belt.other, belt.carrier.body], [[10, 20], [30, 40], 0]);
      assert.deepEqual(belt.pulleys.map(({ end: { body }, reach }) => [body, reach]), [[1, 10], [2, 20]]);
      const loop = loopOf(belt, 0);
      const length = loop.reduce((sum, [x, y], k) => sum + Math.hypot(x - loop.at(k - 1)[0], y - loop.at(k - 1)[1]), 0);
      const wrap = Math.asin((20 - 10) / 50); // of open belts: 2 C cos(wrap) + R (pi + 2 wrap) + r (pi - 2 wrap)
      assert.ok(Math.abs(length / (100 * Math.cos(wrap) + 20 * (Math.PI + 2 * wrap) + 10 * (Math.PI - 2 * wrap)) - 1) < 1e-3, `${length}`);
      assert.ok(loop.every(([x, y]) => Math.hypot(x, y) > 10 - 1e-9 && Math.hypot(x - 30, y - 40) > 20 - 1e-9));
    }
    assert.deepEqual(beltsOf(mechanism([{}, disc(10), {}], [factors[0], -factors[1]])), [], "they turn opposite ways");
    assert.deepEqual(beltsOf(mechanism([{}, disc(17), {}], factors)), [], "they have no room");
    assert.deepEqual(beltsOf(mechanism([{}, {}, {}], factors)), [], "nothing tells how large they are");
  }
});

test("what has no place to mesh is not drawn", () => {
  const at = [0, 0, 0];
  const poses = [{ position: at, rotation: kUpright }, { position: at, rotation: kUpright }, { position: at, rotation: kUpright }];
  const joints = [hinge("A", 0, at, 1), hinge("B", 0, at, 2)];
  for (const coupling of [
    { name: "coaxial", kind: "gear", joints: [0, 1], numbers: [20, 60] },
    { name: "broken teeth", kind: "gear", joints: [0, 1], numbers: [20.5, 60] },
    { name: "belt", kind: "sum", joints: [0, 1], numbers: [1, -2] },
  ])
    for (const parts of [toothedParts, bevelWheels, beltsOf]) assert.deepEqual(parts({ size: 1, bodies: [], joints, couplings: [coupling] }, track(poses)), []);
  assert.deepEqual(toothedParts({ joints }, track(poses)), []);
});
