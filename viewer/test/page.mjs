// Pages of reports in a headless browser, for tests and for looking.
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

/** A browser without a window; WebGL by software, the same everywhere. */
export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"],
  });
}

/** Opens a file from disk. `complaints` fills with errors of the console, exceptions, and requests for anything but the page. */
export async function openPage(browser, path, { width = 1280, height = 720, dark = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light" });
  const page = await context.newPage();
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
  return { page, complaints, context };
}
