// Pages of reports in a headless browser, for tests and for looking.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const viewer = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Writes the page of a report that was made by hand: what the program does with its own. */
export function writePage(report, path, template = process.env.ESLABON_VIEWER_PAGE ?? join(viewer, "dist", "viewer.html")) {
  const data = JSON.stringify(report).replaceAll("<", "\\u003c");
  const title = report.title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const [before, rest] = readFileSync(template, "utf8").split("%TITLE%");
  const [middle, after] = rest.split("%DATA%");
  writeFileSync(path, before + title + middle + data + after);
}

let opening; // one browser, one profile for all pages: starting them costs more than a page

/** A browser without a window; WebGL by software, the same everywhere, without smoothing, which would take a third of the time. */
async function sharedContext() {
  opening ??= (async () => {
    const args = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--webgl-antialiasing-mode=none", "--no-sandbox"];
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
    return { browser, context: await browser.newContext() };
  })();
  return (await opening).context;
}

export async function closeBrowser() {
  if (opening) await (await opening).browser.close();
  opening = undefined;
}

/** Opens a file from disk. `complaints` fills with errors of the console, exceptions, and requests for anything but the page. */
export async function openPage(path, { width = 1120, height = 640, dark = false } = {}) {
  const page = await (await sharedContext()).newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: dark ? "dark" : "light" });
  const url = pathToFileURL(path).href;
  const complaints = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.stack ?? error}`));
  page.on("request", (request) => {
    if (request.url() !== url && !/^(data|blob):/.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.eslabon !== undefined);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return { page, complaints };
}

/** Opens a page, does something with it, and fails when it complains or asks for anything. */
export async function onPage(path, options, act) {
  const { page, complaints } = await openPage(path, options);
  await act(page);
  assert.deepEqual(complaints, [], path);
  await page.close();
}

/** The same with the page of a report that was made by hand. */
export async function onReport(report, options, act) {
  const path = join(process.env.ESLABON_TEST_DIR, "by-hand.html");
  const empty = { format: 1, title: "by hand", subtitle: "", made_by: "a test", facts: [], notes: [], recordings: [], clouds: [], charts: [], tables: [] };
  writePage({ ...empty, ...report }, path);
  await onPage(path, options, act);
}

/** Pixels of an element as the browser shows it: { width, height, at(x, y): [red, green, blue], all(): each of them }. */
export async function pixelsOf(page, locator, clip) {
  const png = (clip ? await page.screenshot({ clip }) : await locator.screenshot()).toString("base64");
  const { width, height, data } = await page.evaluate(async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return { width: image.width, height: image.height, data: btoa(Array.from(context.getImageData(0, 0, image.width, image.height).data, (byte) => String.fromCharCode(byte)).join("")) };
  }, png);
  const bytes = Buffer.from(data, "base64");
  const at = (x, y) => [...bytes.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
  return { width, height, at, bytes };
}
