// Pages of every kind that the program makes, in a browser: each of their views, wide and on a phone, light and dark.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, openPage } from "./page.mjs";
import { eslabon, file, model, readResult } from "./program.mjs";

const kParticles = 120;
const testbed = model("fourbar-testbed");
const pages = {};

/** Runs eslabon with --report and remembers the page. */
function report(name, ...words) {
  pages[name] = file(`${name}.html`);
  eslabon(...words, "--report", pages[name]);
}

before(() => {
  eslabon("simulate", testbed, "--release", "motor", "--until", "2", "--every", "5 ms", "--outputs", "crank.angle,crank.rate,A.q,A.v,A.a", "--out", file("truth.csv"));
  eslabon("sense", testbed, "--truth", file("truth.csv"), "--sensors", "imu1_gyroscope,imu2_gyroscope", "--seed", "1", "--out", file("readings.csv"));
  const estimate = ["estimate", testbed, "--release", "motor", "--measurements", file("readings.csv"), "--truth", file("truth.csv"), "--sensors", "imu1_gyroscope,imu2_gyroscope", "--outputs", "crank.angle,crank.rate", "--step", "5 ms"];
  report("filters", ...estimate, "--filter", "dekf,ukf", "--out", file("filters.csv"));
  report("particles", ...estimate, "--filter", "particle", "--start", "unknown", "--particles", String(kParticles), "--sensor-factor", "3", "--motion", "0.002", "--roughening", "0.02", "--out", file("particles.csv"));
  report("quarter", "simulate", model("quarter-vehicle"), "--set", "drop=30 mm", "--until", "0.5", "--every", "5 ms", "--out", file("quarter.csv"));
  report("truck", "kinematics", "family:truck-suspension,axles=2", "--until", "10", "--step", "0.1", "--out", file("truck.csv"));
  report("forces", "simulate", testbed, "--release", "motor", "--until", "1", "--every", "10 ms", "--outputs", "P2.fx,P2.fy,coupler.P2.x,coupler.P2.y", "--out", file("forces.csv"));
  report("squeezer", "info", model("andrews-squeezer"));
});
after(closeBrowser);

const opened = new Map();
/** Does something with a page, which is opened once for all tests, and fails when it complains. It is wide, on its first view, at the beginning. */
async function onPage(name, act) {
  if (!opened.has(name)) opened.set(name, await openPage(pages[name]));
  const { page, complaints } = opened.get(name);
  await page.setViewportSize({ width: 1120, height: 640 });
  await page.locator(".tabs button").first().click();
  await page.evaluate(() => (document.activeElement.blur(), window.eslabon.seek(0)));
  await act(page);
  assert.deepEqual(complaints, [], name);
}

test("every view of every page opens, wide and on a phone, light and dark; nothing sticks out, every axis has its unit", async () => {
  for (const name of Object.keys(pages))
    await onPage(name, async (page) => {
      for (const plot of await page.evaluate(() => window.eslabon.plots())) assert.match(plot.axis, /\[.+\]/, `${name}: ${plot.title}`);
      for (const [width, height] of [[1120, 640], [390, 844]]) {
        await page.setViewportSize({ width, height });
        for (const tab of await page.locator(".tabs button").all()) {
          await tab.click();
          await page.waitForTimeout(20);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= width, `${name}, ${await tab.innerText()}: ${wide} pixels wide`);
          assert.doesNotMatch(await page.locator("main").innerText(), /NaN|undefined|Infinity|\[object/, name);
        }
        await page.keyboard.press("d");
      }
    });
});

test("truth is solid, each estimate a ghost where its file says", async () => {
  const estimates = { truth: readResult(file("truth.csv")), dekf: readResult(file("filters-dekf.csv")), ukf: readResult(file("filters-ukf.csv")) };
  await onPage("filters", async (page) => {
    for (const [name, result] of Object.entries(estimates))
      for (const row of [10, 200, result.t.length - 1]) {
        await page.evaluate((t) => window.eslabon.seek(t), result.t[row]);
        const { rotation } = await page.evaluate((n) => window.eslabon.pose(n, "crank"), name);
        const off = 2 * Math.atan2(rotation[3], rotation[0]) - result["crank.angle"][row];
        assert.ok(Math.abs(Math.sin(off / 2)) < 1e-4, `${name}, row ${row}: off by ${off}`);
      }
    const angle = (await page.evaluate(() => window.eslabon.plots())).find((plot) => plot.curves.length === 3);
    assert.ok(angle, "truth and two estimates in one plot");
    assert.equal(angle.bands, 2);
  });
});

test("all particles are drawn, where readings make them fewer too, and can be hidden", async () => {
  await onPage("particles", async (page) => {
    const drawn = () => page.evaluate(() => window.eslabon.drawnParticles());
    for (const t of [0, 1, 2]) {
      await page.evaluate((time) => window.eslabon.seek(time), t);
      assert.equal(await drawn(), kParticles);
    }
    await page.getByRole("button", { name: /particles/i }).first().click();
    await page.waitForFunction(() => window.eslabon.drawnParticles() === 0);
    const marks = (await page.evaluate(() => window.eslabon.report.recordings)).flatMap((recording) => recording.marks.map((mark) => mark.kind));
    assert.ok(marks.includes("resampled"));
    await page.getByRole("button", { name: /particles/i }).first().click();
    await page.getByRole("button", { name: "Charts", exact: true }).click();
    assert.match(await page.locator(".view.charts").innerText(), /step/i);
  });
});

test("a click in the legend hides a recording with its hypotheses, another shows it again", async () => {
  await onPage("particles", async (page) => {
    const row = page.locator(".scene-legend button", { hasText: "particle" });
    for (const [pressed, particles] of [["false", 0], ["true", kParticles]]) {
      await row.click();
      assert.equal(await row.getAttribute("aria-pressed"), pressed);
      await page.waitForFunction((count) => window.eslabon.drawnParticles() === count, particles);
    }
  });
});

test("views along the axes are named by their plane and have a scale", async () => {
  await onPage("quarter", async (page) => {
    await page.waitForFunction(() => document.querySelector(".scene-scale").textContent.startsWith("grid"));
    for (const plane of ["xz", "yz", "xy"]) {
      await page.getByRole("button", { name: `View of the ${plane} plane` }).click();
      await page.waitForFunction(() => /^[0-9.]+ m?m$/.test(document.querySelector(".scene-scale").textContent));
    }
    await page.getByRole("button", { name: "View in perspective" }).click();
    await page.waitForFunction(() => document.querySelector(".scene-scale").textContent.startsWith("grid"));
  });
});

test("reactions are arrows on demand, as long and directed as the result file says", async () => {
  const result = readResult(file("forces.csv"));
  await onPage("forces", async (page) => {
    assert.deepEqual(await page.evaluate(() => window.eslabon.drawnArrows()), []);
    await page.getByRole("button", { name: /forces/i }).click();
    for (const row of [20, 60]) {
      await page.evaluate((t) => window.eslabon.seek(t), result.t[row]);
      const arrows = await page.evaluate(() => window.eslabon.drawnArrows());
      const { from, vector } = arrows.find(({ name }) => name === "P2");
      const wanted = ["x", "y"].map((axis) => result[`P2.f${axis}`][row]);
      const size = Math.hypot(...wanted);
      assert.ok(Math.hypot(vector[0] - wanted[0], vector[1] - wanted[1]) < 1e-3 * size, `row ${row}: ${vector}, not ${wanted}`);
      const place = ["x", "y"].map((axis) => result[`coupler.P2.${axis}`][row]);
      assert.ok(Math.hypot(from[0] - place[0], from[1] - place[1]) < 1e-4, `row ${row}: at ${from}, not ${place}`);
    }
  });
});
