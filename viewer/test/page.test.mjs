// Pages in a browser: what a person would see and do.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fourBarReport } from "./four_bar_report.mjs";
import { closeBrowser, onPage, openPage, pixelsOf, writePage } from "./page.mjs";
import { eslabon, file, model, placeOf, readResult } from "./program.mjs";

const kHostile = `</script><img src=x onerror="window.hostile=1">`;

after(closeBrowser);

/** Colours in a picture of an element: how many, which part is not that of the ground, and the mean brightness 0 … 255. */
async function colours(page, locator) {
  const { bytes } = await pixelsOf(page, locator);
  const counts = new Map();
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 4) {
    const colour = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
    sum += bytes[i] + bytes[i + 1] + bytes[i + 2];
  }
  return { different: counts.size, drawn: 1 - Math.max(...counts.values()) / (bytes.length / 4), brightness: sum / (0.75 * bytes.length) };
}

const seconds = (n) => new Promise((done) => setTimeout(done, 1000 * n));
const kinematics = file("kinematics.html");
const kTestbed = ["kinematics", model("fourbar-testbed"), "--until", "4", "--step", "0.01"];

before(() => {
  eslabon(...kTestbed, "--outputs", "crank.angle,coupler.P3.x,coupler.P3.y,rocker.angle,coupler.angle", "--out",
    file("kinematics.csv"), "--report", kinematics);
});

let opened;
/** The page of the testbed, opened once for all who leave it as it was but for what is set back here. */
async function onKinematics(act) {
  opened ??= await openPage(kinematics);
  const { page, complaints } = opened;
  await page.getByRole("button", { name: "Motion", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.evaluate(() => (document.activeElement.blur(), window.eslabon.seek(0)));
  if ((await page.evaluate(() => window.eslabon.theme())) === "dark") await page.keyboard.press("d");
  await act(page);
  assert.deepEqual(complaints.splice(0), []);
}

test("a page of the program opens from disk without complaint, request or blank canvas", async () => {
  await onPage(kinematics, {}, async (page) => {
    const { different, drawn } = await colours(page, page.locator(".scene canvas").first());
    assert.ok(different > 8 && drawn > 0.005, `${different} colours, ${drawn} drawn`);
    assert.match(await page.title(), /four-bar/i);
  });
});

test("bodies are where the result file says, at three times", async () => {
  const result = readResult(file("kinematics.csv"));
  await onKinematics(async (page) => {
    const P3 = await page.evaluate(() => window.eslabon.report.mechanism.bodies.find(({ name }) => name === "coupler").points.find(({ name }) => name === "P3").at);
    for (const row of [0, 137, 400]) {
      await page.evaluate((t) => window.eslabon.seek(t), result.t[row]);
      const pose = (body) => page.evaluate((name) => window.eslabon.pose(window.eslabon.report.recordings[0].name, name), body);
      const [x, y] = placeOf(await pose("coupler"), P3);
      assert.ok(Math.hypot(x - result["coupler.P3.x"][row], y - result["coupler.P3.y"][row]) < 5e-5, `row ${row}: ${x}, ${y}`);
      for (const body of ["crank", "rocker"]) {
        const [w, , , z] = (await pose(body)).rotation;
        const off = 2 * Math.atan2(z, w) - result[`${body}.angle`][row];
        assert.ok(Math.abs(Math.sin(off / 2)) < 5e-5, `row ${row}, ${body}: off by ${off}`);
      }
    }
  });
});

test("a page that stands still asks for no pictures", async () => {
  await onKinematics(async (page) => {
    await seconds(0.2);
    const asked = await page.evaluate(async () => {
      const ask = window.requestAnimationFrame;
      let count = 0;
      window.requestAnimationFrame = (draw) => (++count, ask(draw));
      await new Promise((done) => setTimeout(done, 300));
      window.requestAnimationFrame = ask;
      return count;
    });
    assert.equal(asked, 0);
  });
});

test("space plays and pauses, the slider scrubs, keys step", async () => {
  await onKinematics(async (page) => {
    const time = () => page.evaluate(() => window.eslabon.time());
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.eslabon.time() > 0.3);
    await page.keyboard.press(" ");
    assert.equal(await page.evaluate(() => window.eslabon.playing()), false);
    const paused = await time();
    await seconds(0.3);
    assert.equal(await time(), paused);
    await page.locator(".transport .scrub").fill("5000");
    assert.ok(Math.abs((await time()) - 2) < 1e-3);
    await page.keyboard.press("End");
    assert.equal(await time(), 4);
    await page.keyboard.press("ArrowLeft");
    assert.ok(Math.abs((await time()) - 3.96) < 1e-9);
    await page.keyboard.press("Home");
    assert.equal(await time(), 0);
    await page.keyboard.press("ArrowUp");
    assert.equal(await page.evaluate(() => window.eslabon.speed()), 2);
  });
});

test("a click on a body, a joint, a sensor says what it is", async () => {
  await onKinematics(async (page) => {
    const mechanism = await page.evaluate(() => window.eslabon.report.mechanism);
    for (const [kind, list] of [["body", mechanism.bodies], ["joint", mechanism.joints], ["sensor", mechanism.sensors]]) {
      const index = kind === "body" ? 2 : 1;
      if (index >= list.length) continue;
      const place = await page.evaluate(([k, i]) => window.eslabon.screenPosition(k, i), [kind, index]);
      assert.ok(place, `${kind} ${index} is on the screen`);
      await page.locator(".scene canvas").first().click({ position: place });
      assert.deepEqual(await page.evaluate(() => window.eslabon.selected()), { kind, index });
      assert.ok((await page.locator(".inspector").innerText()).includes(list[index].name));
    }
  });
});

test("dragging in a plot plays what it shows; a double click all again", async () => {
  await onKinematics(async (page) => {
    const box = await page.locator(".plots .u-over").first().boundingBox();
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 0.25 * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.4 * box.width, y, { steps: 4 });
    await page.mouse.move(box.x + 0.5 * box.width, y, { steps: 4 });
    await page.mouse.up();
    const [begin, end] = await page.evaluate(() => window.eslabon.range());
    assert.ok(Math.abs(begin - 1) < 0.1 && Math.abs(end - 2) < 0.1, `${begin} … ${end}`);
    await page.mouse.dblclick(box.x + 0.5 * box.width, y);
    assert.deepEqual(await page.evaluate(() => window.eslabon.range()), [0, 4]);
  });
});

test("a click in a plot moves the scene", async () => {
  await onKinematics(async (page) => {
    const pose = () => page.evaluate(() => window.eslabon.pose(window.eslabon.report.recordings[0].name, "crank"));
    const first = await pose();
    const box = await page.locator(".plots .u-over").first().boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.ok(Math.abs((await page.evaluate(() => window.eslabon.time())) - 2) < 0.05);
    await page.waitForFunction((w) => Math.abs(window.eslabon.pose(window.eslabon.report.recordings[0].name, "crank").rotation[0] - w) > 0.1, first.rotation[0]);
  });
});

test("dark is dark, and light again", async () => {
  await onKinematics(async (page) => {
    const brightness = async () => (await colours(page, page.locator(".transport"))).brightness;
    assert.ok((await brightness()) > 180);
    await page.keyboard.press("d");
    await seconds(0.2);
    assert.equal(await page.evaluate(() => window.eslabon.theme()), "dark");
    assert.ok((await brightness()) < 80);
    await page.getByRole("button", { name: "Light or dark (d)" }).click();
    await seconds(0.2);
    assert.ok((await brightness()) > 180);
  });
  await onPage(kinematics, { dark: true }, async (page) => assert.equal(await page.evaluate(() => window.eslabon.theme()), "dark"));
});

test("a group that is clicked on is selected, told and lit in the scene", async () => {
  await onKinematics(async (page) => {
    const colour = (body) => page.evaluate((name) => (window.eslabon.seek(0), window.eslabon.bodyColour(name)), body);
    const unlit = { crank: await colour("crank"), coupler: await colour("coupler"), rocker: await colour("rocker") };
    assert.equal(unlit.coupler, unlit.rocker); // of one group
    assert.notEqual(unlit.coupler, unlit.crank);
    await page.getByRole("button", { name: "Structure", exact: true }).click();
    const groups = page.locator(".structure [data-group]");
    assert.ok((await groups.count()) >= 2);
    await page.locator(".structure svg [data-group='1']").first().click({ position: { x: 8, y: 8 } });
    assert.deepEqual(await page.evaluate(() => window.eslabon.selected()), { kind: "group", index: 1 });
    const text = await page.locator(".view.structure").innerText();
    for (const word of ["coupler", "rocker", "unknowns", "branch"]) assert.ok(text.toLowerCase().includes(word), word);
    await page.getByRole("button", { name: "Motion", exact: true }).click();
    assert.equal(await colour("crank"), unlit.crank);
    assert.equal(await colour("coupler"), await colour("rocker"));
    assert.notEqual(await colour("coupler"), unlit.coupler);
  });
});

test("a hostile name stays text", async () => {
  const path = file("hostile.html");
  writePage(fourBarReport({ name: kHostile, crankName: kHostile }), path);
  await onPage(path, {}, async (page) => {
    assert.equal(await page.title(), kHostile);
    assert.equal(await page.locator("h1").innerText(), kHostile);
    const place = await page.evaluate(() => window.eslabon.screenPosition("body", 1));
    await page.locator(".scene canvas").first().click({ position: place });
    assert.ok((await page.locator(".inspector").innerText()).includes(kHostile));
    await page.getByRole("button", { name: "Structure", exact: true }).click();
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.evaluate(() => window.hostile), undefined);
  });
});

test("hostile texts of a mechanism file stay text in a page of the program", async () => {
  const yaml = file("hostile.yaml");
  writeFileSync(yaml, `mechanism: '${kHostile}'\ndescription: '${kHostile} <!-- <script>'\nplane: xy\nbodies:\n  bar: {mass: 1, shape: {bar: [A, B]}, points: {A: [0, 0], B: [1, 0]}}\nground: {points: {A: [0, 0]}}\njoints:\n  A: {revolute: [ground.A, bar.A]}\n`);
  eslabon("info", yaml, "--report", file("hostile-info.html"));
  await onPage(file("hostile-info.html"), {}, async (page) => {
    assert.equal(await page.title(), kHostile);
    await page.getByRole("button", { name: "Numbers", exact: true }).click();
    assert.ok((await page.locator(".view.numbers").innerText()).includes(kHostile));
    assert.equal(await page.locator("img").count(), 0);
    await page.keyboard.press("d"); // the page has no motion, but its theme
    assert.equal(await page.evaluate(() => window.eslabon.theme()), "dark");
  });
});

test("keys of the clock are left to other views and to buttons", async () => {
  await onKinematics(async (page) => {
    await page.getByRole("button", { name: "Numbers", exact: true }).focus();
    await page.keyboard.press(" ");
    assert.ok(await page.locator(".view.numbers").isVisible());
    assert.equal(await page.evaluate(() => window.eslabon.playing()), false);
    await page.keyboard.press("End");
    assert.equal(await page.evaluate(() => window.eslabon.time()), 0);
  });
});

test("a run that ended early says so on its first view", async () => {
  assert.throws(() => eslabon(...kTestbed, "--set", "crank=300 mm", "--out", file("early.csv"), "--report", file("early.html")));
  await onPage(file("early.html"), {}, async (page) => {
    assert.match(await page.locator(".note-line").innerText(), /ended early/);
  });
});

test("stops are drawn and named; a limit far away is not", async () => {
  const path = file("stops.html");
  const report = fourBarReport({});
  report.mechanism.stops = [
    { name: "end of the crank", joint: 0, upper: 2 },
    { name: "floor", place: { body: 2, at: [0, 0, 0] }, axis: [0, 1, 0], lower: -0.05 },
    { name: "far away", place: { body: 2, at: [0, 0, 0] }, axis: [1, 0, 0], upper: 100 },
  ];
  writePage(report, path);
  await onPage(path, {}, async (page) => {
    const all = await page.evaluate(() => [...document.querySelectorAll(".scene-label")].map((label) => label.textContent));
    assert.ok(all.includes("floor") && all.includes("end of the crank"), all.join());
    assert.ok(!all.includes("far away"));
  });
});

test("nothing can be fetched, were anyone to try", async () => {
  const { page } = await openPage(kinematics);
  const outcome = await page.evaluate(() => fetch("https://example.org/").then(() => "fetched", () => "refused"));
  assert.equal(outcome, "refused");
  const injected = await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement("script"), { textContent: "window.injected = 1" }));
    return window.injected;
  });
  assert.equal(injected, undefined);
  await page.close();
});

test("a phone shows scene, plots and transport, and nothing sticks out", async () => {
  await onPage(kinematics, { width: 390, height: 844 }, async (page) => {
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    for (const part of [".scene canvas", ".plots .uplot", ".transport .play"]) {
      const box = await page.locator(part).first().boundingBox();
      assert.ok(box && box.width > 20 && box.x >= 0 && box.x + box.width <= 390 && box.y < 844, `${part}: ${JSON.stringify(box)}`);
    }
    await page.locator(".transport .play").click();
    await page.waitForFunction(() => window.eslabon.time() > 0.1);
    await page.getByRole("button", { name: "Structure", exact: true }).click();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  });
});
