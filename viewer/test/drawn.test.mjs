// Gears, racks, screws, cams, slots, circles and discs that roll, tyres and roads are drawn as what they are: vertices of the scene of models, body by body. Needs no browser.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { build } from "esbuild";
import { eslabon, model } from "./program.mjs";
import { heightAt, kBump, kSlope, vehicleReport } from "./vehicle_report.mjs";

const folder = mkdtempSync(join(tmpdir(), "eslabon-drawn-"));
const bundle = join(folder, "scene.mjs");
const source = new URL("../src/", import.meta.url).pathname;
const contents = `export { makeContent } from "./scene/content.ts"; export { openSession } from "./session.ts";`;
await build({ stdin: { contents, resolveDir: source, loader: "ts" }, bundle: true, format: "esm", outfile: bundle, logLevel: "error" });
globalThis.matchMedia = () => ({ matches: false });
globalThis.document = { documentElement: { dataset: {} } };
const { makeContent, openSession } = await import(bundle);

/** The scene of a model's motion: ends of all strokes and corners of all faces of a body's frame, in the axes of the body. */
function sceneOf(name, until) {
  const page = join(folder, "page.html");
  eslabon("simulate", model(name), "--until", until, "--out", join(folder, "out.csv"), "--report", page);
  return sceneIn(JSON.parse(readFileSync(page, "utf8").match(/id="report-data">(.*?)<\/script>/s)[1]));
}

function sceneIn(report) {
  const { mechanism } = report;
  const { drawing, road } = makeContent(openSession(report), mechanism);
  const unit = drawing.unit;
  const vertices = (body, kept, attributes) => {
    const found = [];
    const frame = drawing.frames.frame(mechanism.bodies.findIndex((one) => one.name === body));
    frame.updateMatrixWorld(true);
    const inFrame = frame.matrixWorld.clone().invert();
    frame.traverse((part) => {
      if (!part.geometry || part.isLineSegments2 !== kept) return;
      for (const attribute of attributes.map((one) => part.geometry.getAttribute(one)).filter(Boolean))
        for (let k = 0; k < attribute.count; ++k) {
          const at = drawing.up.clone().set(attribute.getX(k), attribute.getY(k), attribute.getZ(k));
          const { x, y, z } = at.applyMatrix4(inFrame.clone().multiply(part.matrixWorld));
          found.push([x, y, z]);
        }
    });
    return found;
  };
  return {
    mechanism,
    drawing,
    road,
    unit,
    strokes: (body) => vertices(body, true, ["instanceStart", "instanceEnd"]),
    faces: (body) => vertices(body, undefined, ["position"]),
  };
}

const radii = (points) => points.map(([x, y]) => Math.hypot(x, y));
const close = (value, expected, tolerance, what) => assert.ok(Math.abs(value - expected) < tolerance, `${what}: ${value} instead of ${expected}`);
/** In how many of n equal sectors about the origin some points lie. */
const sectors = (points, n) => new Set(points.map(([x, y]) => Math.floor((Math.atan2(y, x) / (2 * Math.PI) + 1) * n) % n)).size;
const atRadius = (points, radius, tolerance) => points.filter(([x, y]) => Math.abs(Math.hypot(x, y) - radius) < tolerance);

test("gears: wheels reach from their roots to their tips, a ring has its teeth inside, and no plain disc is left", () => {
  const { faces, strokes } = sceneOf("planetary-gearbox", "0.01");
  const module = 2e-3;
  for (const wheel of ["sun", "planet"]) {
    close(Math.max(...radii(faces(wheel))), 13 * module, 1e-6, wheel);
    assert.equal(atRadius(strokes(wheel), 12 * module, 1e-9).length, 0, `${wheel} is a disc`);
    assert.equal(sectors(atRadius(faces(wheel), 13 * module, 1e-6), 24), 24);
  }
  close(Math.min(...radii(faces("ring"))), 35 * module, 1e-6, "tips of the ring");
  assert.equal(sectors(atRadius(strokes("ring"), 35 * module, 1e-6), 72), 72);
  assert.ok(Math.max(...radii(faces("ring"))) > 37.5 * module);
});

test("belts: both pulleys, each on its body, and what runs round them on the arm", () => {
  const { faces, strokes, unit } = sceneOf("scara-with-belt", "0.1");
  close(Math.max(...radii(faces("pulley"))), 30e-3, 1e-6, "pulley of the motor");
  assert.equal(sectors(atRadius(faces("forearm"), 60e-3, 1e-6), 36), 36);
  const cosine = (30 - 60) / 300; // of the angle at which it leaves both
  const touches = (cx, r, side) => ([x, y]) => Math.hypot(x - cx - r * cosine, y - side * r * Math.sqrt(1 - cosine ** 2)) < 1e-6;
  for (const side of [-1, 1]) for (const [cx, r] of [[0, 30e-3], [0.3, 60e-3]]) assert.ok(strokes("upper").some(touches(cx, r, side)), `${cx} ${side}`);
  close(Math.max(...faces("upper").map(([x]) => x)), 0.36 + 0.35 * unit, 1e-6, "round the pulley of the elbow");
});

test("a rack has teeth as far as the pinion goes, and the pinion its own", () => {
  const { faces, strokes, mechanism } = sceneOf("rack-and-pinion", "0.1");
  const module = 2.5e-3;
  close(Math.max(...radii(faces("pinion"))), 25e-3 + module, 1e-6, "pinion");
  const pitchLine = -25e-3 - mechanism.joints.find(({ name }) => name === "G").ends[0].at[1];
  const tips = strokes("rack").filter(([, y]) => Math.abs(y - pitchLine - module) < 1e-6).map(([x]) => x);
  assert.ok(tips.length >= 4 * 8, `${tips.length} ends of tips`);
  assert.ok(Math.min(...tips) < -40e-3 - 2 * module && Math.max(...tips) > 2 * module); // it goes 40 mm under the pinion
});

test("bevel wheels: toothed cones on the axes of the differential, touching each other", () => {
  const { faces, mechanism } = sceneOf("differential", "0.05");
  const distance = 0.2 * mechanism.size;
  const angle = Math.atan2(16, 10); // of the side wheels; of the planet its complement
  const cone = (body, axis, towards, half) => {
    const at = faces(body).filter((p) => Math.hypot(...p) < 1.1 * distance && p[axis] * towards > 0);
    const slopes = at.map((p) => Math.atan2(Math.hypot(...p.filter((_, k) => k !== axis)), p[axis] * towards));
    const far = at.filter((_, k) => Math.abs(slopes[k] - half) < 0.02).map((p) => Math.hypot(...p));
    close(Math.max(...far), distance, 0.02 * distance, `${body}: from the apex to the rim`);
    close(Math.min(...far), 0.65 * distance, 0.02 * distance, `${body}: from the apex to the inner end of the teeth`);
    assert.ok(Math.max(...slopes) > half + 0.08, `${body} has teeth`);
  };
  cone("left", 0, 1, angle);
  cone("right", 0, -1, angle);
  cone("spider", 2, 1, Math.PI / 2 - angle);
});

test("screws: a thread of the lead, left-handed where that is negative", () => {
  const { strokes, unit } = sceneOf("screw-press-helical", "0.1");
  const lead = -40e-3;
  const helix = atRadius(strokes("spindle"), 0.918 * unit, 1e-6).map(([x, y, z]) => Math.atan2(y, x) - (2 * Math.PI * (z - 0.5)) / lead);
  assert.ok(helix.length > 100);
  assert.ok(helix.every((angle) => Math.abs(Math.sin(angle / 2)) < 1e-3));
});

test("cams: the face within the profile, and the roller on it", () => {
  const { faces, mechanism } = sceneOf("pairs/cam-roller", "0.1");
  const cam = mechanism.bodies.find(({ name }) => name === "cam");
  const [profile] = cam.curves;
  const drawn = new Set(faces("cam").map(([x, y]) => `${Math.fround(x)} ${Math.fround(y)}`));
  assert.ok(profile.line.every(([x, y]) => drawn.has(`${Math.fround(x)} ${Math.fround(y)}`)), "the profile is not filled");
  assert.equal(sectors(atRadius(faces("follower"), 8e-3, 1e-6), 16), 16);
});

test("slots: an edge around all the way of the pin, straight and on an arc", () => {
  const straight = sceneOf("pairs/whitworth", "1");
  const slot = straight.mechanism.joints.find(({ kind }) => kind === "slot");
  const [{ body, at: [ox, oy], axes: [w, , , z] }] = slot.ends;
  const [c, s] = [w * w - z * z, 2 * w * z];
  const edge = straight.strokes(straight.mechanism.bodies[body].name).map(([x, y]) => [c * (x - ox) + s * (y - oy), c * (y - oy) - s * (x - ox)]);
  for (const side of [-1, 1]) {
    const along = edge.filter(([, y]) => Math.abs(y - side * 1.5 * straight.unit) < 1e-6).map(([x]) => x);
    close(Math.max(...along) - Math.min(...along), 80e-3, 1e-3, "way of the pin");
  }
  const arc = sceneOf("pairs/arc-four-bar", "1");
  const joint = arc.mechanism.joints.find(({ kind }) => kind === "circular_slot");
  const [x, y] = joint.ends[0].at;
  const ground = arc.strokes("ground").map(([a, b]) => [a - x, b - y]);
  for (const side of [-1, 1]) assert.ok(atRadius(ground, joint.length + side * 1.5 * arc.unit, 1e-6).length > 50);
  assert.ok(sectors(atRadius(ground, joint.length + 1.5 * arc.unit, 1e-6), 36) < 30, "only where the pin goes");
});

test("circles that roll in and on a circle: both, a spoke on the one that rolls, strokes of the ground beyond the base", () => {
  const { strokes, mechanism } = sceneOf("pairs/cardan-circles", "0.2");
  const r = 60e-3;
  assert.deepEqual(mechanism.joints[0].rolling, { radius: r, base: -2 * r });
  assert.equal(sectors(atRadius(strokes("ground"), 2 * r, 1e-6), 36), 36);
  assert.ok(radii(strokes("ground")).some((distance) => distance > 2 * r + 1e-3), "no material outside");
  const wheel = strokes("wheel");
  assert.equal(sectors(atRadius(wheel, r, 1e-6), 36), 36);
  assert.ok(wheel.some(([x, y]) => Math.hypot(x, y) < 1e-9), "no spoke");
  assert.equal(atRadius(strokes("ground"), r + 1.5e-3, 1.4e-3).length, 0, "a slot");
});

test("a circle that rolls on a line, and a disc on a plane: what they roll on reaches as far as they do", () => {
  const line = sceneOf("pairs/cycloid", "0.5"); // 1 m
  const rail = line.strokes("ground").filter(([, y]) => Math.abs(y) < 1e-6).map(([x]) => x);
  assert.ok(Math.min(...rail) < -0.2 && Math.max(...rail) > 1.2);
  assert.equal(sectors(atRadius(line.strokes("wheel"), 0.25, 1e-6), 36), 36);
  const disc = sceneOf("rolling/disc", "2");
  const plate = disc.faces("ground").filter(([, , z]) => Math.abs(z) < 1e-6);
  const spread = (k) => Math.max(...plate.map((p) => p[k])) - Math.min(...plate.map((p) => p[k]));
  assert.ok(spread(0) > 1 && spread(1) > 1, `${spread(0)} by ${spread(1)} m`);
  assert.ok(Math.max(...disc.faces("disc").map((p) => Math.hypot(p[0], p[2]))) > 0.299);
  const wheel = sceneOf("rolling/bicycle", "0.1").faces("front_wheel").map(([x, , z]) => Math.hypot(x, z));
  assert.ok(wheel.filter((distance) => Math.abs(distance - 0.35) < 1e-6).length >= 64, "a rim");
});

test("tyres: rubber as far as their radius and width, a rim within it, and no cylinder in their place", () => {
  const { faces, strokes } = sceneIn(vehicleReport());
  const points = faces("wheel_fl");
  const distances = points.map(([x, , z]) => Math.hypot(x, z));
  close(Math.max(...distances), 0.3, 1e-6, "radius");
  close(Math.max(...points.map(([, y]) => Math.abs(y))), 0.1, 2e-3, "half the width");
  assert.ok(distances.filter((distance) => distance < 0.2).length > 100, "no rim");
  const edges = strokes("wheel_fl").filter(([x, y, z]) => Math.abs(Math.hypot(x, z) - 0.3) < 1e-6 && Math.abs(Math.abs(y) - 0.1) < 1e-6);
  assert.equal(edges.length, 0, "the wheel is a cylinder");
});

test("the road is where it is: on a slope, with its bump on the left alone", () => {
  const { road } = sceneIn(vehicleReport());
  const places = road.mesh.geometry.getAttribute("position");
  let bumps = 0;
  for (let k = 0; k < places.count; ++k) {
    const [x, y, z] = [places.getX(k), places.getY(k), places.getZ(k)];
    close(z, heightAt(x, y), 1e-5, `at ${x}, ${y}`);
    if (z - kSlope * x > 0.9 * kBump.height) ++bumps;
  }
  assert.ok(bumps > 4 && places.count < 200);
});

test("a vehicle that goes far is measured by itself: bounce and pitch, not its way; the road counts as little", () => {
  const { drawing } = sceneIn(vehicleReport());
  const { x, y, z } = drawing.extent.box.getSize(drawing.up.clone());
  close(x, 3.6, 0.1, "length");
  assert.ok(y < 1.8 && z < 1.2, `${y} by ${z} m`);
  assert.ok(drawing.whole.size > 30);
  const gone = drawing.way.at(4, drawing.up.clone());
  close(gone.x, 30, 1e-9, "way");
  close(gone.z, 30 * kSlope, 1e-3, "height");
  assert.equal(sceneIn(vehicleReport({ speed: 1 })).drawing.way, undefined);
});
