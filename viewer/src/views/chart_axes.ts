import type uPlot from "uplot";
import { commonExponent, powerOfTen, tickTexts, unitText } from "../plots/number_text.js";
import { kFont, roomyLimits } from "../plots/plot_style.js";
import type { Axis } from "../report_data.js";
import type { Session } from "../session.js";

const kLabelFont = kFont.replace("11px", "12px");

/** Scale of an axis of a chart: limits with a little room, on a log axis in decades. `tight` without room. */
export function makeScale(axis: Axis, tight: boolean): uPlot.Scale {
  const limits = (low: number | null, high: number | null): [number, number] => {
    if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return axis.log ? [1, 10] : [0, 1];
    if (!axis.log) return tight && high > low ? [low, high] : roomyLimits(low, high);
    const [from, to] = [Math.log10(low), Math.log10(high)];
    if (tight && to > from) return [low, high];
    const room = Math.max(0.06 * (to - from), to > from ? 0.02 : 0.3);
    return [10 ** (from - room), 10 ** (to + room)];
  };
  return { time: false, distr: axis.log ? 3 : 1, range: (_, low, high) => limits(low, high) };
}

const kFactors = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 5], [1, 3], [1]];

/** Ticks of a log axis: powers of ten, and as many between them as there is room for. */
function logTicks(low: number, high: number, most: number): number[] {
  const decades = Math.log10(high / low);
  const isPlain = (low > 5e-4 && high < 2e4) || decades < 1.5; // else 3·10⁻⁴ would stand beside 0.001
  const factors = (isPlain && kFactors.find((candidate) => candidate.length * decades <= most)) || [1];
  const every = Math.max(1, Math.ceil(decades / most));
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low) + 1e-9); power <= Math.log10(high) + 1e-9; ++power)
    for (const factor of factors) {
      const tick = factor * 10 ** power;
      if (power % every === 0 && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(tick);
    }
  return ticks.length > 0 ? ticks : [low, high];
}

function logTexts(ticks: readonly number[]): string[] {
  const arePowers = ticks.every((tick) => Math.abs(Math.log10(tick) - Math.round(Math.log10(tick))) < 1e-6);
  if (arePowers && ticks.some((tick) => tick > 999 || tick < 0.0011)) return ticks.map((tick) => powerOfTen(Math.round(Math.log10(tick))));
  return ticks.map((tick) => {
    if (tick >= 1e-3 && tick < 1e5) return String(Number(tick.toPrecision(3)));
    const power = Math.floor(Math.log10(tick) + 1e-9);
    return `${Number((tick / 10 ** power).toPrecision(2))}·${powerOfTen(power)}`;
  });
}

/** An axis with its name and unit. */
export function makeAxis(axis: Axis, side: 2 | 3, session: Session): uPlot.Axis {
  const key = side === 2 ? "x" : "y";
  const lines = { stroke: () => session.theme.palette.faint, width: 1 };
  const exponentOf = (plot: uPlot) => (axis.log ? 0 : commonExponent(plot.scales[key]?.min ?? 0, plot.scales[key]?.max ?? 0));
  const all = (_: uPlot, ticks: number[]) => ticks;
  const made: uPlot.Axis = {
    scale: key,
    side,
    stroke: () => session.theme.palette.ink,
    font: kFont,
    labelFont: kLabelFont,
    labelSize: 20,
    labelGap: 2,
    gap: 4,
    space: side === 2 ? 56 : 30,
    grid: { ...lines, filter: all },
    ticks: { ...lines, size: 4, filter: all },
    filter: all,
    label: (plot) => `${axis.label} ${unitText(axis.unit, exponentOf(plot))}`.trim(),
    values: (plot, ticks, _a, _s, step) => (axis.log ? logTexts(ticks) : tickTexts(ticks, step, exponentOf(plot))),
    size: side === 2 ? 22 : (_, texts) => 12 + 6.4 * Math.max(2, ...(texts ?? []).map((text) => text.length)),
  };
  if (axis.log) {
    made.splits = (plot, _a, low, high) => logTicks(low, high, side === 2 ? plot.width / 52 : plot.height / 30);
  }
  return made;
}
