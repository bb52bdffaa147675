// Tables, and angles in degrees or radians, on small reports made by hand.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fourBarReport } from "./four_bar_report.mjs";
import { closeBrowser, onReport } from "./page.mjs";

after(closeBrowser);

const columns = (...labels) => labels.map((label) => ({ label, unit: "" }));
const show = (page, name) => page.getByRole("button", { name, exact: true }).click();

test("a wide table of a study is not cut; numbers stand at the right, words at the left", async () => {
  const labels = ["point", "filter", "step [ms]", "acceleration-noise", "converged", "tries", "failed", "rate", "rate, low", "rate, high", "RMSE of input.angle [°]",
    "RMSE of input.rate [°/s]", "RMSE of output.angle [°]", "time per simulated second [ms]", "time per step [µs]"];
  const row = (k) => [String(k), k % 2 ? "dekf" : "ukf", "50", "0.1", "4 of 4", "4", "0", "1.000", "0.510", "-1e-3", "2.114", k > 1 ? "0.27" : "", "2.159", "7.745", "3.21e+03"];
  await onReport({ tables: [{ title: "points", columns: columns(...labels), rows: [1, 2, 3].map(row) }] }, { width: 1280 }, async (page) => {
    await show(page, "Numbers");
    const { hidden, aligned } = await page.locator(".table-frame").evaluate((frame) => ({
      hidden: frame.scrollWidth - frame.clientWidth,
      aligned: [...frame.querySelectorAll("tbody tr:first-child td")].map((cell) => getComputedStyle(cell).textAlign),
    }));
    assert.ok(hidden <= 0, `${hidden} pixels are cut`);
    assert.deepEqual(aligned, labels.map((label) => (label === "filter" ? "left" : "right")));
    assert.equal(await page.locator("td").nth(9).innerText(), "−1e-3");
  });
});

test("angles are told in radians or in degrees, in plots, panel, charts and tables alike", async () => {
  const report = fourBarReport({ frames: 41 });
  report.tables = [{ title: "What the outputs did", columns: columns("output", "unit", "start"), rows: [["crank.angle", "rad", "1.5708"], ["coupler.P3.x", "m", "0.2"]] }];
  report.charts = [{ title: "error", kind: "lines", x: { label: "step", unit: "s", log: false }, y: { label: "error", unit: "rad", log: false }, series: [{ name: "one", x: [0, 1, 2], y: [0, 1, 2] }] }];
  await onReport(report, {}, async (page) => {
    const plots = () => page.evaluate(() => window.eslabon.plots());
    const value = async () => parseFloat(await page.locator(".plot-head .value").first().innerText());
    const place = await page.evaluate(() => window.eslabon.screenPosition("joint", 0));
    await page.locator(".scene canvas").first().click({ position: place });
    const radians = (await plots())[0];
    assert.match(radians.axis, /\[rad\]/);
    assert.ok(Math.abs((await value()) - Math.PI / 2) < 1e-3);
    assert.match(await page.locator(".inspector").innerText(), /q \[rad\]\s+1\.5708/);
    const switched = page.getByRole("button", { name: "Angles in degrees or in radians (a)" });
    assert.equal(await switched.innerText(), "rad");
    await switched.click();
    assert.equal(await switched.innerText(), "deg");
    const degrees = (await plots())[0];
    assert.match(degrees.axis, /\[°\]/);
    degrees.limits.forEach((limit, k) => assert.ok(Math.abs(limit - (radians.limits[k] * 180) / Math.PI) < 1e-6 * 180));
    assert.ok(Math.abs((await value()) - 90) < 0.05);
    assert.match(await page.locator(".inspector").innerText(), /q \[°\]\s+90\.00/);
    await show(page, "Numbers");
    assert.deepEqual(await page.locator(".view.numbers td").allInnerTexts(), ["crank.angle", "°", "90.0002", "coupler.P3.x", "m", "0.2"]);
    await show(page, "Charts");
    await page.locator(".chart .u-over").hover();
    assert.match(await page.locator(".chart-legend").innerText(), /57\.30/);
    await page.keyboard.press("a");
    assert.equal(await page.evaluate(() => window.eslabon.angles()), "rad");
    await page.locator(".chart .u-over").hover({ position: { x: 10, y: 10 } });
    await page.locator(".chart .u-over").hover();
    assert.match(await page.locator(".chart-legend").innerText(), /one\s+1\.000/);
    await show(page, "Numbers");
    assert.equal(await page.locator(".view.numbers td").nth(2).innerText(), "1.5708");
  });
});
