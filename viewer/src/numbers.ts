import type { Numbers } from "./report_data.js";

/** The bytes of a base64 text. */
function bytesOf(text: string): ArrayBuffer {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

/** Packed numbers (report_data.ts) as an array. Files are little endian, as is every machine that has a browser. */
export function unpack(numbers: Numbers): Float64Array {
  if (Array.isArray(numbers)) return Float64Array.from(numbers, (value) => value ?? NaN); // JSON writes null for what is no number
  if ("f64" in numbers) return new Float64Array(bytesOf(numbers.f64));
  if ("f32" in numbers) return Float64Array.from(new Float32Array(bytesOf(numbers.f32)));
  if ("u16" in numbers) return scaled(new Uint16Array(bytesOf(numbers.u16)), numbers);
  if ("u8" in numbers) return scaled(new Uint8Array(bytesOf(numbers.u8)), numbers);
  if ("same" in numbers) return new Float64Array(numbers.count).fill(numbers.same);
  return Float64Array.from({ length: numbers.count }, (_, k) => numbers.from + numbers.step * k);
}

function scaled(codes: Uint16Array | Uint8Array, { least, step }: { least: number; step: number }): Float64Array {
  return Float64Array.from(codes, (code) => least + step * code);
}

/** Last index k with values[k] ≤ x; 0 when there is none. `values` increases. */
export function indexBefore(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= x) low = middle;
    else high = middle;
  }
  return low;
}
