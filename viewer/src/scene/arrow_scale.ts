/** How large arrows become over a motion. */
export interface ArrowSizes {
  usual: number; // exceeded by the largest arrow of a frame in few frames only
  largest: number;
}

const kFewFrames = 0.1; // of all

/** Of arrows with components x, y, z over frames. The usual size is a quantile over time of the largest arrow of each frame: an impact of
 * some frames does not make all other arrows invisible, and one large load does not hide among many small ones. */
export function arrowSizes(arrows: readonly (readonly [Float64Array, Float64Array, Float64Array])[]): ArrowSizes {
  const frames = Math.max(0, ...arrows.map(([x]) => x.length));
  const largest = new Float64Array(frames);
  for (const [x, y, z] of arrows)
    x.forEach((_, k) => {
      const size = Math.hypot(x[k] ?? 0, y[k] ?? 0, z[k] ?? 0);
      if (size > (largest[k] ?? 0)) largest[k] = size;
    });
  largest.sort();
  const most = largest[frames - 1] ?? 0;
  const usual = largest[Math.max(0, Math.ceil((1 - kFewFrames) * frames) - 1)] ?? 0;
  return { usual: usual > 0 ? usual : most, largest: most };
}
