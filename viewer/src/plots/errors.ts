import { Curve } from "./curves.js";
import type { PlotGroup } from "./plot_group.js";
import { errorTitle } from "./plot_titles.js";

const kWithoutErrors = ["energy", "constraint_error"];

/** How far the estimates of a plot are off its truth; none where it does not hold both. */
export function errorGroup(group: PlotGroup): PlotGroup[] {
  const truth = group.curves.find((curve) => curve.source.role === "truth");
  const estimates = group.curves.filter((curve) => curve.source.role === "estimate");
  if (!group.compares || !truth || estimates.length === 0 || kWithoutErrors.includes(truth.kind)) return [];
  const title = errorTitle(group.title);
  return [{ ...group, title, curves: estimates.map((estimate) => errorOf(estimate, truth, `error of ${truth.name}`)), isError: true }];
}

/** Estimate − truth at the instants of the estimate; its deviation is the estimate's. */
function errorOf(estimate: Curve, truth: Curve, name: string): Curve {
  const { unit } = estimate;
  const values = () => estimate.values.map((value, k) => difference(value, truth.at(estimate.times[k] ?? NaN)?.value ?? NaN, unit));
  const sigma = estimate.hasSigma ? () => estimate.sigma ?? new Float64Array() : undefined;
  return new Curve(estimate.recording, estimate.source, { name, unit, values, sigma }, () => estimate.times);
}

/** Angles that differ by whole turns are the same. */
function difference(a: number, b: number, unit: string): number {
  const turns = unit === "rad" ? Math.round((a - b) / (2 * Math.PI)) : 0;
  return a - b - 2 * Math.PI * turns;
}
