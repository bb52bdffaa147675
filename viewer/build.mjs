// Bundles src/ into one page, dist/viewer.html, which the program carries; a report is that page with its data put in.
//
//   node build.mjs [OUT]        default: dist/viewer.html
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist", "viewer.html");

const result = await build({
  entryPoints: [join(here, "src", "main.ts")],
  bundle: true,
  minify: true,
  write: false,
  outdir: "out",
  format: "iife",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "inline",
  absWorkingDir: here,
  logLevel: "warning",
});
const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text;
const script = text(".js").replaceAll("</script", "<\\/script");
const style = text(".css");
// A script or style sheet must not contain what would end it in HTML, or begin a comment there.
for (const part of [script, style])
  if (/<\/(script|style)|<script|<!--/i.test(part)) throw new Error("the bundle contains text that HTML would take for markup");
const hash = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

// Nothing may be fetched, sent, framed or run but the one script and the one style sheet below.
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)}`,
  `style-src ${hash(style)}`,
  "img-src data: blob:",
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join("; ");

// What is bundled asks that its notices go with it.
const notices = ["three", "uplot"].map((name) => `${name}: ${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}`).join("\n\n");
if (notices.includes("--")) throw new Error("a licence text would end the comment that it stands in");

const page = `<!doctype html>
<html lang="en">
<!--
This page contains

${notices}
-->
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%TITLE%</title>
<style>${style}</style>
</head>
<body>
<noscript>This report is drawn by a script that is part of it: allow scripts to see it.</noscript>
<script type="application/json" id="report-data">%DATA%</script>
<script>${script}</script>
</body>
</html>
`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
