import type { Curve } from "./curves.js";
import { errorGroup } from "./errors.js";
import type { PlotGroup } from "./plot_group.js";
import { plotTitle } from "./plot_titles.js";

const kMostCurves = 5;
const kLastKinds = ["energy", "constraint_error"];
/** Curves that would leave less than this part of the height for one of them are drawn apart. */
const kLeastPart = 0.15;

/** One channel of several recordings in one plot, errors of estimates after it; else channels of one recording that have unit and kind in
 * common. */
export function groupCurves(curves: readonly Curve[]): PlotGroup[] {
  const compared = comparedKeys(curves);
  const groups: PlotGroup[] = [];
  for (const curve of curves) {
    const compares = compared.has(key(curve));
    const group = groups.find((candidate) => candidate.compares === compares && belongs(curve, candidate));
    if (group) group.curves.push(curve);
    else groups.push({ title: curve.name, unit: curve.unit, curves: [curve], compares });
  }
  for (const group of groups) {
    if (group.compares) group.curves.sort((a, b) => rank(a) - rank(b));
    group.title = plotTitle(group.curves);
  }
  const last = (group: PlotGroup) => kLastKinds.indexOf(group.curves[0]?.kind ?? "");
  return groups.sort((a, b) => last(a) - last(b)).flatMap((group) => [group, ...errorGroup(group)]);
}

function key(curve: Curve): string {
  return `${curve.name}\n${curve.unit}`;
}

/** Channels that more than one recording has. */
function comparedKeys(curves: readonly Curve[]): Set<string> {
  const seen = new Map<string, number>();
  const compared = new Set<string>();
  for (const curve of curves) {
    const before = seen.get(key(curve));
    if (before === undefined) seen.set(key(curve), curve.recording);
    else if (before !== curve.recording) compared.add(key(curve));
  }
  return compared;
}

function belongs(curve: Curve, group: PlotGroup): boolean {
  const first = group.curves[0];
  if (!first || first.unit !== curve.unit) return false;
  if (group.compares) return first.name === curve.name;
  return (
    first.recording === curve.recording &&
    quantity(first) === quantity(curve) &&
    group.curves.length < kMostCurves &&
    fitTogether([...group.curves, curve])
  );
}

/** Coordinates of points are one quantity, x beside y. */
function quantity(curve: Curve): string {
  return /^[xyz]$/.test(curve.kind) ? "xyz" : curve.kind;
}

function fitTogether(curves: readonly Curve[]): boolean {
  const extents = curves.flatMap((curve) => (curve.extent ? [curve.extent] : []));
  const whole = Math.max(...extents.map(([, high]) => high)) - Math.min(...extents.map(([low]) => low));
  return extents.every(([low, high]) => high - low >= kLeastPart * whole);
}

function rank(curve: Curve): number {
  return { truth: 0, motion: 1, estimate: 2, readings: 3 }[curve.source.role];
}
