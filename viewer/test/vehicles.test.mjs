// Tyres, contact points and roads in pages of vehicles.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, onReport, openPage, pixelsOf } from "./page.mjs";
import { eslabon, file, model, readResult } from "./program.mjs";
import { kBump, kSlope, vehicleReport } from "./vehicle_report.mjs";

after(closeBrowser);

const kTyres = ["tyre_fl", "tyre_fr", "tyre_rl", "tyre_rr"];
const page = file("cart.html");
before(() => {
  const outputs = kTyres.flatMap((tyre) => ["x", "y", "z", "fx", "fy", "fz"].map((name) => `${tyre}.${name}`)).join(",");
  eslabon("simulate", model("vehicles/cart"), "--set", "slope=0.05", "--until", "3", "--every", "10 ms", "--outputs", outputs, "--out", file("cart.csv"), "--report", page);
});

const contacts = (one) => one.evaluate(() => window.eslabon.drawnContacts());
const seek = (one, t) => one.evaluate((time) => window.eslabon.seek(time), t);
const close = (value, expected, tolerance, what) => assert.ok(Math.abs(value - expected) < tolerance, `${what}: ${value} instead of ${expected}`);
/** Where on the canvas the middle of a wheel is seen. */
const seenAt = (one, body) => one.evaluate((index) => window.eslabon.screenPosition("body", index), body);

test("contacts of a page of the program are where the result file says, as large and directed", async () => {
  const result = readResult(file("cart.csv"));
  const { page: one, complaints } = await openPage(page);
  for (const row of [0, 40, 300]) {
    await seek(one, result.t[row]);
    const drawn = await contacts(one);
    assert.deepEqual(drawn.map(({ name }) => name), kTyres);
    for (const { name, point, load, along, carries } of drawn) {
      ["x", "y", "z"].forEach((axis, k) => close(point[k], result[`${name}.${axis}`][row], 1e-5, `${name}, ${axis}`));
      const size = result[`${name}.fz`][row];
      close(Math.hypot(...load), size, 1e-3 * size + 1e-9, `${name}, load`);
      close(Math.hypot(...along), Math.hypot(result[`${name}.fx`][row], result[`${name}.fy`][row]), 2e-3 * size + 1e-9, `${name}, along the road`);
      assert.equal(carries, size > 0);
    }
  }
  assert.deepEqual(complaints, []);
  await one.close();
});

test("forces of tyres and the road are shown until they are hidden; the legend tells their sizes and the friction of both halves", async () => {
  await onReport(vehicleReport(), {}, async (one) => {
    const legend = one.locator(".scene-legend");
    assert.match(await legend.innerText(), /friction × 0\.3 on the right, × 1 on the left/);
    assert.match(await legend.innerText(), /tyre load F_z, mean 3\.\d+ kN, peak 3\.9\d kN/);
    assert.match(await legend.innerText(), /tyre force F_x, F_y, peak 3\.\d+ kN/);
    assert.ok(await one.locator(".scene-slider").isVisible());
    assert.equal((await contacts(one)).length, 4);
    await one.getByRole("button", { name: "Tyre forces and contact points" }).click();
    assert.equal((await contacts(one)).length, 0);
    assert.doesNotMatch(await legend.innerText(), /tyre/);
    assert.ok(await one.locator(".scene-slider").isHidden());
    await one.getByRole("button", { name: "Road" }).click();
    assert.ok(await legend.isHidden());
  });
});

test("a tyre in the air has a place on the road and no arrows", async () => {
  await onReport(vehicleReport(), {}, async (one) => {
    await seek(one, 2.1);
    const [left, right] = await contacts(one);
    assert.equal(left.carries, false);
    assert.deepEqual([left.load, left.along], [[0, 0, 0], [0, 0, 0]]);
    assert.ok(left.point[0] > kBump.begin && left.point[2] > kSlope * left.point[0] + 5e-3);
    assert.equal(right.carries, true);
  });
});

test("the eye stays with a vehicle until it is told not to, and then sees the whole way", async () => {
  await onReport(vehicleReport(), {}, async (one) => {
    const seen = async () => {
      const places = [];
      for (const t of [0.3, 3.7]) {
        await seek(one, t);
        places.push(await seenAt(one, 1));
      }
      return places;
    };
    const [first, last] = await seen();
    close(last.x, first.x, 12, "across");
    close(last.y, first.y, 12, "down");
    await one.getByRole("button", { name: "Stay with the vehicle" }).click();
    const [far, near] = await seen();
    assert.ok(Math.hypot(far.x - near.x, far.y - near.y) > 300, `from ${far.x} to ${near.x}`);
  });
});

test("seen from the side the road is a line below the wheels, lit or dark it is a surface", async () => {
  for (const dark of [false, true])
    await onReport(vehicleReport(), { dark }, async (one) => {
      const canvas = one.locator(".scene canvas").first();
      const part = async () => {
        const { width, height, at } = await pixelsOf(one, canvas);
        const [ground] = [at(2, 60)];
        let other = 0;
        for (let y = 60; y < height - 60; y += 4) for (let x = 4; x < width; x += 4) if (at(x, y).some((c, k) => Math.abs(c - ground[k]) > 6)) ++other;
        return other / ((width / 4) * ((height - 120) / 4));
      };
      const surface = await part();
      await one.getByRole("button", { name: "View of the xz plane" }).click();
      await one.waitForTimeout(100);
      const line = await part();
      assert.ok(surface > 0.7, `${surface} of the picture in perspective`);
      assert.ok(line > 0.05 && line < 0.5, `${line} of the picture from the side`);
    });
});

test("a click on a tyre finds its wheel", async () => {
  await onReport(vehicleReport(), {}, async (one) => {
    const { x, y } = await seenAt(one, 3);
    const box = await one.locator(".scene canvas").first().boundingBox();
    await one.mouse.click(box.x + x, box.y + y);
    assert.deepEqual(await one.evaluate(() => window.eslabon.selected()), { kind: "body", index: 3 });
  });
});
