// Reports that the program itself makes, and its result files, for tests.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const folder = process.env.ESLABON_TEST_DIR;
export const model = (name) => join(root, "models", `${name}.yaml`);
export const file = (name) => join(folder, name);

/** Runs eslabon; a failure shows what it said. */
export function eslabon(...words) {
  return execFileSync(process.env.ESLABON, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Columns of a result file by name. */
export function readResult(path) {
  const [names, , ...rows] = readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(","));
  return Object.fromEntries(names.map((name, k) => [name, rows.map((row) => Number(row[k]))]));
}

/** Where a body's point is in the world, from the pose of the body. */
export function placeOf({ position, rotation: [w, ...v] }, at) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const turned = cross(v, cross(v, at).map((c, k) => c + w * at[k])); // v × (v × a + w a)
  return position.map((p, k) => p + at[k] + 2 * turned[k]);
}
