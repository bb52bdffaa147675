// Plots and the panel of current values, on small reports made by hand where every number is known.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fourBarReport } from "./four_bar_report.mjs";
import { closeBrowser, onReport, pixelsOf } from "./page.mjs";

after(closeBrowser);

const kTimes = [0, 1, 2, 3, 4];

function recording(name, role, channels, marks = []) {
  return { name, role, times: kTimes, channels, arrows: [], marks };
}

/** Opens a page of these recordings, does something with it, and fails when it complains. */
function onRecordings(recordings, act, more = {}) {
  return onReport({ ...more, recordings }, {}, (page) => act(page, () => page.evaluate(() => window.eslabon.plots())));
}

test("a refused reading takes its own dots out of a plot and no others", async () => {
  const readings = recording("readings", "readings", [
    { name: "left.x", unit: "m", values: [1, 2, 3, 4, 5] },
    { name: "left.y", unit: "m", values: [2, 3, 4, 5, 6] },
    { name: "right.x", unit: "m", values: [5, 4, 3, 2, 1] },
  ]);
  const filter = recording("filter", "estimate", [], [{ t: 2, kind: "rejected", text: "left refused", channel: "left" }]);
  await onRecordings([filter, readings], async (_, plots) => {
    const [plot] = await plots();
    assert.deepEqual(plot.curves, ["left.x", "left.y", "right.x"]);
    assert.deepEqual(plot.points, [4, 4, 5]);
    assert.equal(plot.marks, 2);
  });
});

test("a mark after the last row is within what is played", async () => {
  const ended = recording("motion", "motion", [{ name: "angle", unit: "rad", values: kTimes }], [{ t: 4.25, kind: "event", text: "ended: singular" }]);
  await onRecordings([ended], async (page) => assert.deepEqual(await page.evaluate(() => window.eslabon.range()), [0, 4.25]));
});

test("at a jump the last row is told, elsewhere what is between rows", async () => {
  const times = Array.from({ length: 41 }, (_, k) => k / 10);
  const speed = times.map((t) => (t < 2.05 ? -10 * t : 15 - 10 * (t - 2.05)));
  const falling = { ...recording("motion", "motion", [{ name: "v", unit: "m/s", values: speed }]), times };
  await onRecordings([falling], async (page) => {
    const told = async (t) => {
      await page.evaluate((time) => window.eslabon.seek(time), t);
      return Number((await page.locator(".plot-head .value").first().innerText()).replace("−", "-"));
    };
    assert.ok(Math.abs((await told(1.55)) + 15.5) < 1e-3);
    assert.ok(Math.abs((await told(2.07)) + 20) < 1e-3);
  });
});

test("after a zoom all plots agree: heads tell the instant under the pointer, lines stand at the same place", async () => {
  const of = (name, unit) => ({ name, unit, values: [0, 1, 2, 3, 4] });
  await onRecordings([recording("motion", "motion", [of("a", "m"), of("b", "N"), of("c", "J")])], async (page, plots) => {
    const box = await page.locator(".plots .u-over").first().boundingBox();
    const y = box.y + box.height / 2;
    await page.evaluate(() => window.eslabon.seek(1.25));
    await page.mouse.move(box.x + 0.25 * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, y, { steps: 4 });
    await page.mouse.up();
    const values = (await page.locator(".plot-head .value").allInnerTexts()).map(Number);
    assert.equal(values.length, 3);
    for (const value of values) assert.ok(Math.abs(value - 1.5) < 0.05, String(values));
    const agree = async () => {
      for (const { cursor, hover, range } of await plots()) {
        const place = (t) => ((t - range[0]) / (range[1] - range[0])) * box.width;
        assert.ok(Math.abs(hover - 0.5 * box.width) < 1.5, `the line under the pointer is at ${hover}`);
        assert.ok(Math.abs(cursor - place(1.25)) < 1.5, `the line of the clock is at ${cursor}`);
      }
    };
    await agree();
    await page.keyboard.press("+"); // about the clock's line, without a move of the pointer
    await agree();
    await page.keyboard.press("Escape");
    await agree();
  });
});

test("the plot under the pointer tells its time", async () => {
  await onRecordings([recording("motion", "motion", [{ name: "a", unit: "m", values: kTimes }, { name: "b", unit: "N", values: kTimes }])], async (page) => {
    const told = page.locator(".hover-time");
    for (const [plot, part] of [[0, 0.25], [1, 0.9]]) {
      const box = await page.locator(".plots .u-over").nth(plot).boundingBox();
      await page.mouse.move(box.x + part * box.width, box.y + box.height / 2);
      assert.deepEqual(await told.evaluateAll((all) => all.map((one) => one.checkVisibility())), [plot === 0, plot === 1]);
      assert.ok(Math.abs(parseFloat(await told.nth(plot).innerText()) - 4 * part) < 0.05);
      assert.match(await told.nth(plot).innerText(), /^\d\.\d{3} s$/);
      const text = await told.nth(plot).boundingBox();
      assert.ok(text.x >= box.x && text.x + text.width <= box.x + box.width + 1, "it stands inside of the plot");
    }
  });
});

test("curves and bands that coincide are all seen", async () => {
  const angle = (sigma) => ({ name: "crank.angle", unit: "rad", values: [0, 1, 2, 1, 0], ...(sigma && { sigma: [0.4, 0.4, 0.4, 0.4, 0.4] }) });
  const all = [recording("truth", "truth", [angle(false)]), ...["dekf", "ukf", "particle"].map((name) => recording(name, "estimate", [angle(true)]))];
  await onRecordings(all, async (page, plots) => {
    const [plot] = await plots();
    assert.equal(new Set(plot.dashes.slice(1)).size, 3, plot.dashes.join(" | "));
    const swatches = await page.locator(".plot").first().locator(".entry .swatch").evaluateAll((list) => list.map((one) => getComputedStyle(one).color));
    const { bytes } = await pixelsOf(page, page.locator(".plot").first().locator("canvas"));
    for (const swatch of swatches.slice(1)) {
      const [r, g, b] = swatch.match(/\d+/g).map(Number);
      let seen = 0;
      for (let i = 0; i < bytes.length; i += 4) seen += Math.hypot(bytes[i] - r, bytes[i + 1] - g, bytes[i + 2] - b) < 50 ? 1 : 0;
      assert.ok(seen > 60, `${swatch}: ${seen} pixels`);
    }
  });
});

test("resamplings that stand close are one bar, which tells how many they are", async () => {
  const dense = Array.from({ length: 150 }, (_, k) => ({ t: 1 + k / 100, kind: "resampled", text: "resampled" }));
  const marks = [...dense, { t: 3.8, kind: "resampled", text: "resampled" }];
  await onRecordings([recording("particle", "estimate", [{ name: "a", unit: "m", values: kTimes }], marks)], async (page, plots) => {
    const [plot] = await plots();
    assert.deepEqual(plot.resamplings, [150, 1]);
    const box = await page.locator(".plots .u-over").first().boundingBox();
    await page.mouse.move(box.x + 0.45 * box.width, box.y + box.height / 2);
    assert.equal(await page.locator(".mark-note").first().innerText(), "1 … 2.49 s: particle resampled 150 times");
    assert.match(await page.locator(".marks-key").innerText(), /resampled \(151\)/);
  });
});

test("plots are named by what they show", async () => {
  const steep = kTimes.map((t) => 10 * t);
  const of = (name, unit, values = kTimes) => ({ name, unit, values });
  const channels = [of("crank.angle", "rad"), of("rocker.angle", "rad"), of("coupler.P3.x", "m"), of("coupler.P3.y", "m"), of("A.q", "rad", steep), of("slide.v", "m/s"),
    of("P2.fx", "N"), of("motor.effort", "N*m"), of("strut.length", "m", steep), of("mass:crank", ""), of("energy", "J"), of("something", "kg")];
  await onRecordings([recording("motion", "motion", channels)], async (page, plots) => {
    await page.locator(".more-plots").click();
    const titles = (await plots()).map(({ title }) => title);
    for (const title of ["Angles of crank and rocker", "Position of coupler.P3", "Joint angle of A", "Joint velocity of slide", "Reaction force x at P2", "Driving torque of motor",
      "Length of strut", "Mass factor of crank", "Mechanical energy", "something"])
      assert.ok(titles.includes(title), `${title} is none of ${titles.join("; ")}`);
    assert.match(await page.locator(".plot-head").first().innerText(), /crank\.angle/); // names of channels are still told
  });
});

test("errors of estimates stand beside what they are errors of; a recording is hidden in all plots", async () => {
  const angle = (values, sigma) => ({ name: "crank.angle", unit: "rad", values, ...(sigma && { sigma }) });
  const truth = recording("truth", "truth", [angle([0, 1, 2, 3, 4])]);
  const close = recording("close", "estimate", [angle([0.5, 1.5, 2.5 + 2 * Math.PI, 3.5], [0.5, 0.5, 0.5, 0.5])]);
  const far = recording("far", "estimate", [angle([-1, 0, 1, 2, 3])]);
  close.times = [0.5, 1.5, 2.5, 3.5].map((t) => t - 0.25); // between rows of the truth
  await onRecordings([truth, close, far], async (page, plots) => {
    const [own, error] = await plots();
    assert.deepEqual([own.title, own.curves, error.title, error.curves], ["Angle of crank", ["truth", "close", "far"], "Error of the angle of crank", ["close", "far"]]);
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
  await onRecordings(report.recordings, async (page) => {
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
