// A report of an estimation from closed forms: the crank of a four-bar linkage with its truth, two estimates that come close to it, noisy
// readings with some that are refused, and marks. The noise is the same everywhere.
import { fourBar, fourBarReport } from "./four_bar_report.mjs";

function noise(seed) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

export function estimationReport({ until = 4, rows = 801, speed = 1.819, hostile = "" } = {}) {
  const report = fourBarReport({ until, speed, frames: 241, name: hostile || "four-bar, estimated", crankName: hostile || "crank" });
  const [solid] = report.recordings;
  const crank = `${hostile || "crank"}.angle`;
  const times = Array.from({ length: rows }, (_, k) => (until * k) / (rows - 1));
  const angle = (t) => Math.PI / 2 + speed * t + 0.3 * Math.sin(2 * t);
  const rate = (t) => speed + 0.6 * Math.cos(2 * t);
  const rocker = (t) => fourBar(angle(t)).rockerAngle;
  const truth = {
    name: "truth", role: "truth", times, motion: solid.motion, arrows: [], marks: [{ t: 1.5, kind: "event", text: "torque released" }],
    channels: [
      { name: crank, unit: "rad", values: times.map(angle) },
      { name: "crank.rate", unit: "rad/s", values: times.map(rate) },
      { name: "rocker.angle", unit: "rad", values: times.map(rocker) },
      { name: "energy", unit: "J", values: times.map((t) => 3.15 - 0.05 * t) },
    ],
  };
  const estimate = (name, error, settles, every, seed, marks) => {
    const draw = noise(seed);
    const own = times.filter((_, k) => k % every === 0);
    const off = (t) => error * Math.exp(-t / settles);
    const sigma = (t) => 0.015 + Math.abs(error) * 0.7 * Math.exp(-t / settles);
    const channel = (channelName, unit, f, scale) => ({
      name: channelName, unit,
      values: own.map((t) => f(t) + scale * (off(t) + 0.006 * draw())),
      sigma: own.map((t) => scale * sigma(t)),
    });
    return {
      name, role: "estimate", times: own, motion: solid.motion, arrows: [], marks,
      channels: [channel(crank, "rad", angle, 1), channel("crank.rate", "rad/s", rate, 2), channel("rocker.angle", "rad", rocker, 0.3),
        { name: "nis", unit: "", values: own.map(() => draw() ** 2) }, { name: "constraint_error", unit: "m", values: own.map(() => 1e-16 * draw()) }],
    };
  };
  const refused = [0.62, 1.9, 2.0, 3.1];
  const gyro = noise(7), encoder = noise(8);
  const readingTimes = Array.from({ length: 401 }, (_, k) => (until * k) / 400);
  const rejectedMarks = refused.map((t) => ({ t, kind: "rejected", text: `imu1.gyroscope refused, NIS ${(30 + 9 * t).toFixed(1)}`, channel: "imu1.gyroscope" }));
  const resampled = Array.from({ length: 37 }, (_, k) => ({ t: 0.05 + 0.1 * k + 0.01 * (k % 3), kind: "resampled", text: "resampled, effective number 212" }));
  const isRefused = (t) => refused.some((at) => Math.abs(at - t) < 1e-6);
  report.subtitle = "estimated by dekf and particle from 2 sensors; 4 s";
  report.recordings = [
    truth,
    estimate("dekf", 0.35, 0.5, 2, 1, rejectedMarks),
    estimate("particle", -0.8, 0.25, 5, 2, [...resampled, { t: 0.4, kind: "restart", text: "restarted: all readings refused for 0.2 s" }]),
    {
      name: "readings", role: "readings", times: readingTimes, arrows: [], marks: [],
      channels: [
        { name: "imu1.gyroscope", unit: "rad/s", values: readingTimes.map((t) => rate(t) + 0.08 * gyro() + (isRefused(t) ? 9 : 0)) },
        { name: crank, unit: "rad", times: readingTimes.filter((_, k) => k % 4 === 0), values: readingTimes.filter((_, k) => k % 4 === 0).map((t) => angle(t) + 0.1 * encoder()) },
      ],
    },
  ];
  report.charts = [
    {
      title: "Time of a step", kind: "bars", x: { label: "time", unit: "µs", log: true }, y: { label: "steps", unit: "", log: false },
      series: [{ name: "particle", x: Array.from({ length: 25 }, (_, k) => 10 * 2 ** (k / 4)), y: Array.from({ length: 24 }, (_, k) => Math.round(900 * Math.exp(-(((k - 9) / 4) ** 2)))) }],
    },
  ];
  return report;
}
