// A particle filter on the four-bar, made up: a truth, an estimate, and particles that gather round it. The draws are the same every time.
import { fourBar, fourBarReport } from "./four_bar_report.mjs";

/** Numbers from 0 to 1 [Lehmer]. */
function* uniform(seed) {
  for (let x = seed; ; ) {
    x = (x * 48271) % 2147483647;
    yield x / 2147483647;
  }
}

export function cloudReport({ particles = 500, instants = 81, until = 4, speed = 1.819 } = {}) {
  const report = fourBarReport({ until, speed, name: "four-bar with particles" });
  const half = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
  const posesAt = (angle) => {
    const { couplerAngle, rockerAngle, x, y } = fourBar(angle);
    return [[0, 0, 0, ...half(angle)], [x, y, 0, ...half(couplerAngle)], [0.8, 0, 0, ...half(rockerAngle)]].flat();
  };
  const random = uniform(20);
  const normal = () => Math.sqrt(-2 * Math.log(random.next().value)) * Math.cos(2 * Math.PI * random.next().value);
  const times = Array.from({ length: instants }, (_, k) => (until * k) / (instants - 1));
  const columns = Array.from({ length: 21 }, () => []);
  const weights = [];
  for (const t of times) {
    const spread = 0.05 + 1.1 * Math.exp(-t / 0.8);
    const own = [];
    for (let k = 0; k < particles; ++k) {
      const error = spread * normal();
      posesAt(Math.PI / 2 + speed * t + error).forEach((value, c) => columns[c].push(value));
      own.push(Math.exp(-0.5 * (error / (0.5 * spread)) ** 2));
    }
    const largest = Math.max(...own);
    for (const weight of own) weights.push(weight / largest);
  }
  const [truth] = report.recordings;
  truth.name = "truth";
  truth.role = "truth";
  const frames = truth.times;
  const estimate = Array.from({ length: 21 }, () => []);
  for (const t of frames) posesAt(Math.PI / 2 + speed * t + 0.5 * Math.exp(-t)).forEach((value, c) => estimate[c].push(value));
  report.recordings.push({
    name: "bootstrap", role: "estimate", times: frames, channels: [], motion: { times: frames, poses: estimate }, arrows: [],
    marks: [{ t: 1, kind: "resampled", text: "resampled" }],
  });
  const text = (values) => ({ f32: Buffer.from(new Float32Array(values).buffer).toString("base64") });
  report.clouds = [
    { name: "bootstrap", times, counts: { same: particles, count: instants }, weights: text(weights), poses: columns.map(text) },
  ];
  return report;
}
