// Structure diagrams, arrows of forces and what is drawn beside shapes, on reports made by hand.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fourBarReport } from "./four_bar_report.mjs";
import { closeBrowser, onReport, pixelsOf } from "./page.mjs";
import { chainReport } from "./structure_reports.mjs";

after(closeBrowser);

test("graphs open whole, and Fit makes them whole again, wide and on a phone", async () => {
  await onReport(chainReport({ dyads: 20 }), {}, async (page) => {
    await page.getByRole("button", { name: "Structure", exact: true }).click();
    const whole = async (what) => {
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      for (const frame of await page.locator(".drawing-scroller").all()) {
        const { hidden, used } = await frame.evaluate((one) => {
          const drawn = one.querySelector("svg").getBoundingClientRect();
          return {
            hidden: Math.max(one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight),
            used: Math.max(drawn.width / one.clientWidth, drawn.height / one.clientHeight),
          };
        });
        assert.ok(hidden <= 0, `${what}: ${hidden} pixels are hidden`);
        assert.ok(used > 0.9, `${what}: only ${used} of the room is used`);
      }
    };
    await whole("opened");
    for (const button of await page.getByRole("button", { name: "Larger" }).all()) for (let k = 0; k < 6; ++k) await button.click();
    assert.ok(await page.locator(".drawing-scroller").first().evaluate((one) => one.scrollHeight > 1.5 * one.clientHeight));
    for (const button of await page.getByRole("button", { name: "Fit", exact: true }).all()) await button.click();
    await whole("fitted");
    await page.setViewportSize({ width: 390, height: 844 });
    await whole("on a phone");
  });
});

test("arrows of forces keep their length beside a peak, a slider makes them longer; visuals are seen through", async () => {
  const frames = 41;
  const report = fourBarReport({ frames });
  const [drawn] = report.recordings;
  const peak = Array.from({ length: frames }, (_, k) => (k === 20 ? 1e5 : 100));
  const zero = { same: 0, count: frames };
  drawn.arrows = [
    { name: "P1", kind: "reaction", place: { body: 2, at: [0, 0, 0] }, vector: [peak, zero, zero] },
    ...[0, 0.1, 0.2].map((x) => ({ name: "weight", kind: "force", place: { body: 3, at: [x, 0, 0] }, vector: [zero, { same: -1, count: frames }, zero] })),
  ];
  report.mechanism.bodies[0].visuals = [{ kind: "box", size: [0.3, 0.1, 0], centre: [0.4, -0.4, 0] }];
  await onReport(report, {}, async (page) => {
    const length = async () => (await page.evaluate(() => window.eslabon.drawnArrows())).find(({ name }) => name === "P1").length;
    const slider = page.getByLabel("Length of force arrows");
    assert.equal(await slider.isVisible(), false);
    await page.getByRole("button", { name: /forces/i }).click();
    const usual = await length();
    assert.ok(usual > 0.1 && usual < 0.6, `${usual} m, of a mechanism of 0.8 m`);
    assert.match(await page.locator(".scene-legend").innerText(), /reaction, up to 100 N, peak 100 kN/);
    await slider.fill("0.6");
    assert.ok(Math.abs((await length()) / usual - 10 ** 0.6) < 1e-6);
    assert.match(await page.locator(".scene-slider").innerText(), /× 4/);
    const { width, height, at } = await pixelsOf(page, page.locator(".scene canvas").first());
    const ground = at(2, height - 3);
    let seen = 0; // pixels of the box: a little off the colour of the ground, below all that moves
    for (let y = Math.round(0.6 * height); y < height; ++y)
      for (let x = 0; x < width; ++x) seen += at(x, y).every((value, k) => Math.abs(value - ground[k]) < 40) && at(x, y).some((value, k) => Math.abs(value - ground[k]) > 6) ? 1 : 0;
    assert.ok(seen > 0.005 * width * height, `${seen} pixels`);
  });
});
