// Plots and the panel of current values, on small reports made by hand where every number is known.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fourBarReport } from "./four_bar_report.mjs";
import { openBrowser, openPage, writePage } from "./page.mjs";
import { file } from "./program.mjs";

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

const kTimes = [0, 1, 2, 3, 4];

function recording(name, role, channels, marks = []) {
  return { name, role, times: kTimes, channels, arrows: [], marks };
}

/** Opens a page of these recordings, does something with it, and fails when it complains. */
async function onReport(recordings, act, more = {}) {
  const path = file("plots.html");
  writePage({ format: 1, title: "by hand", subtitle: "", made_by: "a test", facts: [], notes: [], recordings, clouds: [], charts: [], tables: [], ...more }, path);
  const { page, complaints, context } = await openPage(browser, path);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await act(page, () => page.evaluate(() => window.eslabon.plots()));
  assert.deepEqual(complaints, []);
  await context.close();
}

test("a refused reading takes its own dots out of a plot and no others", async () => {
  const readings = recording("readings", "readings", [
    { name: "left.x", unit: "m", values: [1, 2, 3, 4, 5] },
    { name: "left.y", unit: "m", values: [2, 3, 4, 5, 6] },
    { name: "right.x", unit: "m", values: [5, 4, 3, 2, 1] },
  ]);
  const filter = recording("filter", "estimate", [], [{ t: 2, kind: "rejected", text: "left refused", channel: "left" }]);
  await onReport([filter, readings], async (_, plots) => {
    const [plot] = await plots();
    assert.deepEqual(plot.curves, ["left.x", "left.y", "right.x"]);
    assert.deepEqual(plot.points, [4, 4, 5]);
    assert.equal(plot.marks, 2);
  });
});

test("a mark after the last row is within what is played", async () => {
  const ended = recording("motion", "motion", [{ name: "angle", unit: "rad", values: kTimes }], [{ t: 4.25, kind: "event", text: "ended: singular" }]);
  await onReport([ended], async (page) => assert.deepEqual(await page.evaluate(() => window.eslabon.range()), [0, 4.25]));
});

test("at a jump the last row is told, elsewhere what is between rows", async () => {
  const times = Array.from({ length: 41 }, (_, k) => k / 10);
  const speed = times.map((t) => (t < 2.05 ? -10 * t : 15 - 10 * (t - 2.05)));
  const falling = { ...recording("motion", "motion", [{ name: "v", unit: "m/s", values: speed }]), times };
  await onReport([falling], async (page) => {
    const told = async (t) => {
      await page.evaluate((time) => window.eslabon.seek(time), t);
      return Number((await page.locator(".plot-head .value").first().innerText()).replace("−", "-"));
    };
    assert.ok(Math.abs((await told(1.55)) + 15.5) < 1e-3);
    assert.ok(Math.abs((await told(2.07)) + 20) < 1e-3);
  });
});

test("after a zoom all heads tell the instant under the pointer", async () => {
  const of = (name, unit) => ({ name, unit, values: [0, 1, 2, 3, 4] });
  await onReport([recording("motion", "motion", [of("a", "m"), of("b", "N"), of("c", "J")])], async (page) => {
    const box = await page.locator(".plots .u-over").first().boundingBox();
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 0.25 * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, y, { steps: 4 });
    await page.mouse.up();
    const values = (await page.locator(".plot-head .value").allInnerTexts()).map(Number);
    assert.equal(values.length, 3);
    for (const value of values) assert.ok(Math.abs(value - 1.5) < 0.05, String(values));
  });
});

test("errors of estimates stand beside what they are errors of; a recording is hidden in all plots", async () => {
  const angle = (values, sigma) => ({ name: "crank.angle", unit: "rad", values, ...(sigma && { sigma }) });
  const truth = recording("truth", "truth", [angle([0, 1, 2, 3, 4])]);
  const close = recording("close", "estimate", [angle([0.5, 1.5, 2.5 + 2 * Math.PI, 3.5], [0.5, 0.5, 0.5, 0.5])]);
  const far = recording("far", "estimate", [angle([-1, 0, 1, 2, 3])]);
  close.times = [0.5, 1.5, 2.5, 3.5].map((t) => t - 0.25); // between rows of the truth
  await onReport([truth, close, far], async (page, plots) => {
    const [own, error] = await plots();
    assert.deepEqual([own.title, own.curves, error.title, error.curves], ["crank.angle", ["truth", "close", "far"], "error of crank.angle", ["close", "far"]]);
    await page.evaluate(() => window.eslabon.seek(2.25));
    const heads = page.locator(".plot").nth(1).locator(".entry");
    assert.match(await heads.nth(0).innerText(), /close\s+0\.250+ \(±\s1\.0\)/);
    assert.match(await heads.nth(1).innerText(), /far\s+−1\.000/);
    await heads.nth(0).click();
    assert.deepEqual((await plots()).map((plot) => plot.shown), [[true, false, true], [false, true]]);
    await page.locator(".plot").first().locator(".entry").nth(1).click();
    assert.ok((await plots()).every((plot) => plot.shown.every(Boolean)));
  });
});

test("a click tells coordinate and reaction of a joint, what a sensor has not read, and stays in view", async () => {
  const report = fourBarReport({ frames: 5 });
  const [drawn] = report.recordings;
  drawn.channels = [];
  const joint = report.mechanism.joints.findIndex(({ ends }) => ends.some((end) => report.mechanism.bodies[end.body].name === "crank"));
  const { name, ends } = report.mechanism.joints[joint];
  const vector = [{ same: 3, count: 5 }, { same: -4, count: 5 }, { same: 0, count: 5 }];
  drawn.arrows = [{ name, kind: "reaction", place: { body: ends[1].body, at: ends[1].at }, vector }];
  await onReport(report.recordings, async (page) => {
    const click = async (kind, index) => {
      const place = await page.evaluate(([k, i]) => window.eslabon.screenPosition(k, i), [kind, index]);
      const canvas = page.locator(".scene canvas").first();
      await canvas.click({ position: place });
      const box = await canvas.boundingBox();
      const panel = await page.locator(".inspector").boundingBox();
      const [x, y] = [box.x + place.x, box.y + place.y];
      const isCovered = x > panel.x && x < panel.x + panel.width && y > panel.y && y < panel.y + panel.height;
      assert.ok(!isCovered, `${kind} ${index} is covered`);
      return page.locator(".inspector").innerText();
    };
    const pose = await page.evaluate(() => window.eslabon.pose(window.eslabon.report.recordings[0].name, "crank"));
    const angle = 2 * Math.atan2(pose.rotation[3], pose.rotation[0]);
    const told = await click("joint", joint);
    assert.ok(told.includes(angle.toFixed(4).replace("-", "−")), told);
    assert.match(told, /reaction \[N\]\s+5\.000/);
    assert.match(await click("sensor", 0), /no readings/);
    await click("body", 1);
  }, report);
});
