// A report of a study from closed forms: how often a filter converges over the number of its particles, its error, what it costs.
const counts = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const filters = [{ name: "bootstrap", half: 90 }, { name: "regularised", half: 45 }, { name: "auxiliary", half: 160 }];
const tries = 200;

/** Wilson's interval of a share, 95 %. */
function wilson(share) {
  const z = 1.96;
  const centre = (share + (z * z) / (2 * tries)) / (1 + (z * z) / tries);
  const half = (z / (1 + (z * z) / tries)) * Math.sqrt((share * (1 - share)) / tries + (z * z) / (4 * tries * tries));
  return [centre - half, centre + half];
}

export function studyReport() {
  const share = (n, half) => 1 / (1 + (half / n) ** 1.6);
  const line = (name, f, low, high) => ({ name, x: counts, y: counts.map(f), ...(low && { low: counts.map(low), high: counts.map(high) }) });
  return {
    format: 1, title: "Particles that a four-bar linkage takes", subtitle: `3 variants, 9 numbers of particles, ${tries} tries each`, made_by: "a sample",
    facts: [{ label: "tries", value: "5400" }, { label: "converged", value: "3862, 71.5 %" }], notes: [], recordings: [], clouds: [],
    charts: [
      {
        title: "Tries that converged, 95 % confidence", kind: "lines", x: { label: "particles", unit: "", log: true }, y: { label: "converged", unit: "", log: false },
        series: filters.map(({ name, half }) => line(name, (n) => share(n, half), (n) => wilson(share(n, half))[0], (n) => wilson(share(n, half))[1])),
      },
      {
        title: "Cost of a step", kind: "lines", x: { label: "particles", unit: "", log: true }, y: { label: "time of a step", unit: "s", log: true },
        series: filters.map(({ name }, k) => line(name, (n) => 4e-6 * (1 + 0.4 * k) * (3 + n) ** 0.97)),
      },
      {
        title: "Error of the crank angle after 4 s", kind: "lines", x: { label: "particles", unit: "", log: true }, y: { label: "rms error", unit: "rad", log: true },
        series: filters.map(({ name, half }) => line(name, (n) => 0.004 + 0.02 * (half / n), (n) => 0.8 * (0.004 + 0.02 * (half / n)), (n) => 1.25 * (0.004 + 0.02 * (half / n)))),
      },
      {
        title: "Time to converge", kind: "bars", x: { label: "time", unit: "s", log: false }, y: { label: "tries", unit: "", log: false },
        series: filters.slice(0, 2).map(({ name }, k) => ({
          name, x: Array.from({ length: 21 }, (_, j) => 0.1 * j), y: Array.from({ length: 20 }, (_, j) => Math.round(160 * Math.exp(-(((j - 5 - 4 * k) / 3) ** 2)))),
        })),
      },
      {
        title: "Two numbers", kind: "lines", x: { label: "step", unit: "ms", log: false }, y: { label: "error", unit: "m", log: false },
        series: [{ name: "euler", x: [1, 2], y: [1.2e-5, 4.1e-5], low: [1.1e-5, 3.6e-5], high: [1.4e-5, 4.4e-5] }],
      },
    ],
    tables: [{ title: "Converged", columns: [{ label: "particles", unit: "" }, ...filters.map(({ name }) => ({ label: name, unit: "1" }))], rows: counts.map((n) => [String(n), ...filters.map(({ half }) => share(n, half).toFixed(3))]) }],
  };
}
