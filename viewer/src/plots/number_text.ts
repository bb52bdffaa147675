const kSuperscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 10 to a whole power, as it is written. */
export function powerOfTen(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => kSuperscripts[Number(digit)] ?? "").join("");
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

function withMinus(text: string): string {
  return text.replace("-", "−");
}

/** A text of the program, with signs in front of its numbers that are seen. */
export function withMinusSigns(text: string): string {
  return text.replace(/(^|[\s(])-(?=\d)/g, "$1−");
}

/** Four digits; very small and very large ones with their power of ten. */
export function valueText(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e-3 && size < 1e5) return withMinus(value.toPrecision(4).replace(/e.*/, "")).slice(0, 9);
  const [mantissa = "0", exponent = "0"] = value.toExponential(2).split("e");
  return `${withMinus(mantissa)}·${powerOfTen(Number(exponent))}`;
}

/** "± 0.012": two digits, as a deviation is never known better. */
export function deviationText(value: number): string {
  if (!Number.isFinite(value)) return "";
  const size = Math.abs(value);
  if (size >= 1e5 || (size < 1e-3 && size > 0)) {
    const [mantissa = "0", exponent = "0"] = value.toExponential(1).split("e");
    return `±\u00a0${mantissa}·${powerOfTen(Number(exponent))}`;
  }
  const digits = size > 0 ? Math.min(5, Math.max(0, 1 - Math.floor(Math.log10(size)))) : 0;
  return `±\u00a0${value.toFixed(digits)}`;
}

/** Power of a thousand in which ticks between these limits are short; 0 for ordinary numbers. */
export function commonExponent(low: number, high: number): number {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(size > 0) || (size >= 0.02 && size < 2e4)) return 0;
  return 3 * Math.floor(Math.log10(size) / 3);
}

/** Decimals that a step of ticks has: 1 for 0.5 and 2.5. */
function digitsOf(step: number): number {
  if (!(step > 0)) return 2;
  for (let digits = 0; digits < 9; ++digits) {
    const scaled = step * 10 ** digits;
    if (scaled > 0.5 && Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return 9;
}

/** Ticks that are `step` apart, in units of 10^exponent, each with the digits it takes to tell them apart. */
export function tickTexts(ticks: readonly number[], step: number, exponent: number): string[] {
  const scale = 10 ** exponent;
  const digits = digitsOf(step / scale);
  return ticks.map((tick) => withMinus((Math.abs(tick) < step / 1e6 ? 0 : tick / scale).toFixed(digits)));
}

/** A value beside ticks that are `step` apart, both in the same unit: a thousandth of the step is told. */
export function valueBesideTicks(value: number | undefined, step: number): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  if (!(step > 0) || Math.abs(value) >= 1e6) return valueText(value);
  const text = value.toFixed(Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(step) + 1e-9))));
  return withMinus(Number(text) === 0 ? text.replace("-", "") : text);
}

/** "[rad]", "[10⁻³ m]"; "[1]" for pure numbers. */
export function unitText(unit: string, exponent = 0): string {
  if (exponent === 0) return `[${unit || "1"}]`;
  return `[${powerOfTen(exponent)}${unit ? ` ${unit}` : ""}]`;
}
