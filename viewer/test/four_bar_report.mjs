// A report of a four-bar linkage from closed forms, made without the program: for working on the page, and for tests that share nothing
// with what writes reports.
const base = 0.8, crank = 0.12, coupler = 0.54, rocker = 0.455;

const half = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

/** Angles of coupler and rocker for that of the crank: intersection of two circles. */
export function fourBar(angle) {
  const x = crank * Math.cos(angle), y = crank * Math.sin(angle);
  const d = Math.hypot(base - x, y);
  const toB = Math.atan2(-y, base - x);
  const at = Math.acos((coupler ** 2 + d ** 2 - rocker ** 2) / (2 * coupler * d));
  const couplerAngle = toB + at;
  const px = x + coupler * Math.cos(couplerAngle), py = y + coupler * Math.sin(couplerAngle);
  return { couplerAngle, rockerAngle: Math.atan2(py, px - base), x, y };
}

export function fourBarReport({ frames = 241, until = 4, speed = 1.819, name = "four-bar", crankName = "crank" } = {}) {
  const times = Array.from({ length: frames }, (_, k) => (until * k) / (frames - 1));
  const columns = Array.from({ length: 21 }, () => []);
  const channels = { angle: [], rocker: [] };
  for (const t of times) {
    const angle = Math.PI / 2 + speed * t;
    const { couplerAngle, rockerAngle, x, y } = fourBar(angle);
    const poses = [[0, 0, 0, ...half(angle)], [x, y, 0, ...half(couplerAngle)], [base, 0, 0, ...half(rockerAngle)]];
    poses.flat().forEach((value, c) => columns[c].push(value));
    channels.angle.push(angle);
    channels.rocker.push(rockerAngle);
  }
  const end = (body, at, pointName) => ({ body, at, name: pointName, axes: [1, 0, 0, 0] });
  const bar = (length) => ({ kind: "bar", from: [0, 0, 0], to: [length, 0, 0] });
  const points = (length, from, to) => [{ name: from, at: [0, 0, 0] }, { name: to, at: [length, 0, 0] }];
  return {
    format: 1,
    title: name,
    subtitle: "a sample, from closed forms",
    made_by: "a sample",
    facts: [{ label: "mobility", value: "1" }],
    notes: [],
    mechanism: {
      name, description: "", source: "", planar: true, gravity: [0, -9.81, 0], size: base,
      bodies: [
        { name: "ground", mass: 0, centre: [0, 0, 0], points: points(base, "A", "B") },
        { name: crankName, mass: 11.1, centre: [0, 0, 0], points: points(crank, "A", "P1"), shape: { kind: "disc", radius: 0.15, centre: [0, 0, 0], axis: [0, 0, 1] } },
        { name: "coupler", mass: 0.4, centre: [0.27, 0, 0], points: [...points(coupler, "P1", "P2"), { name: "P3", at: [0.3649, 0.1196, 0] }] },
        { name: "rocker", mass: 1.23, centre: [0.2, 0, 0], points: points(rocker, "B", "P2"), shape: bar(rocker) },
      ],
      joints: [
        { name: "A", kind: "revolute", ends: [end(0, [0, 0, 0], "A"), end(1, [0, 0, 0], "A")], length: 0, mass: 0 },
        { name: "P1", kind: "revolute", ends: [end(1, [crank, 0, 0], "P1"), end(2, [0, 0, 0], "P1")], length: 0, mass: 0 },
        { name: "P2", kind: "revolute", ends: [end(2, [coupler, 0, 0], "P2"), end(3, [rocker, 0, 0], "P2")], length: 0, mass: 0 },
        { name: "B", kind: "revolute", ends: [end(0, [base, 0, 0], "B"), end(3, [0, 0, 0], "B")], length: 0, mass: 0 },
      ],
      springs: [],
      sensors: [{ name: "imu1", kind: "gyroscope", place: { body: 2, at: [0.27, 0, 0] }, axes: [1, 0, 0, 0] }],
      drivers: [{ name: "motor", joint: 0, target: "A.q" }],
      loads: [],
      traces: [{ body: 2, at: [0.3649, 0.1196, 0], name: "P3" }],
    },
    recordings: [
      {
        name: "motion", role: "motion", times,
        channels: [{ name: `${crankName}.angle`, unit: "rad", values: channels.angle }, { name: "rocker.angle", unit: "rad", values: channels.rocker }],
        motion: { times, poses: columns },
        arrows: [], marks: [],
      },
    ],
    clouds: [], charts: [], tables: [],
    structure: {
      facts: [{ label: "mobility", value: "1" }],
      groups: [
        { type: "1R", assur: "driven link", bodies: [1], joints: [0], inputs: ["A.q"], needs: [-1], unknowns: "1 body", branch: "" },
        { type: "3R", assur: "dyad RRR", bodies: [2, 3], joints: [1, 2, 3], inputs: [], needs: [-1, 0], unknowns: "2 bodies", branch: "open" },
      ],
      group_of_body: [-1, 0, 1, 1],
      edges: [
        { joint: 0, bodies: [0, 1], freedoms: 1, inputs: 1, to: 1 },
        { joint: 1, bodies: [1, 2], freedoms: 1, inputs: 0, to: 2 },
        { joint: 2, bodies: [2, 3], freedoms: 1, inputs: 0 },
        { joint: 3, bodies: [0, 3], freedoms: 1, inputs: 0, to: 3 },
      ],
      redundant: [], idle: [], branches: ["open", "crossed"],
    },
  };
}
