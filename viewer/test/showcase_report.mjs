// Two reports that show everything a scene can draw: every kind of joint, shape, spring, sensor and arrow, in space and in the plane.
// The motions are closed forms.
const kIdentity = [1, 0, 0, 0];

function product([a, b, c, d], [e, f, g, h]) {
  return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
}
/** Quaternion of a turn about a unit axis. */
export function turn([x, y, z], angle) {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), s * x, s * y, s * z];
}
const kX = [1, 0, 0], kY = [0, 1, 0], kZ = [0, 0, 1];
/** Frames whose z is along y, along x: the axes of hinges. */
const kHingeY = turn(kX, -Math.PI / 2);
const kHingeX = turn(kY, Math.PI / 2);

/** Columns of a motion from (t) => [[x, y, z, w, x, y, z], …]. */
export function motionOf(times, poses) {
  const columns = [];
  for (const t of times) poses(t).flat().forEach((value, c) => (columns[c] ??= []).push(value));
  return { times, poses: columns };
}
const place = (body, at, name) => ({ body, at, ...(name ? { name } : {}) });
const end = (body, at, axes = kIdentity) => ({ body, at, axes });
const joint = (name, kind, first, second, length = 0) => ({ name, kind, ends: [first, second], length, mass: 0 });
const points = (named) => Object.entries(named).map(([name, at]) => ({ name, at }));

function page(title, mechanism, recording) {
  return {
    format: 1, title, subtitle: "a sample, from closed forms", made_by: "a sample", facts: [], notes: [], mechanism,
    recordings: [recording], clouds: [], charts: [], tables: [],
  };
}

/** In space, stations in two rows; z up. */
export function showcaseReport({ frames = 181, until = 6 } = {}) {
  const times = Array.from({ length: frames }, (_, k) => (until * k) / (frames - 1));
  const rod = 0.3;
  const poses = (t) => {
    const w = (2 * Math.PI * t) / until;
    const around = [1.45 + 0.15 * Math.cos(2 * w), 0.5 + 0.15 * Math.sin(2 * w), 0.3 - Math.sqrt(rod ** 2 - 0.15 ** 2) + 0.3];
    return [
      [0, 0, 0.35, ...turn(kY, 0.7 * Math.sin(w))], // bar on a hinge
      [0.45 + 0.1 * Math.sin(w), 0, 0.2, ...kIdentity], // box on a rail
      [0.9, 0, 0.25 + 0.08 * Math.sin(w), ...turn(kZ, w)], // sleeve on a shaft
      [1.25, 0, 0.25, ...product(turn(kX, 0.4 * Math.sin(w)), turn(kY, 0.5 * Math.cos(w)))], // bar in a cross
      [1.7, 0, 0.25, ...product(turn(kZ, w), turn(kY, -0.9))], // ball in a socket
      [0.1 + 0.06 * Math.cos(w), 0.5 + 0.06 * Math.sin(w), 0.1, ...turn(kZ, 2 * w)], // puck on a table
      [0.5, 0.5, 0.15, ...kIdentity], // box on the ground
      [0.85, 0.5, 0.12, ...turn(kX, 0.4 * Math.sin(w))], // wishbone
      [...around, ...kIdentity], // bob on a rod
      [1.85, 0.5, 0.35 + 0.05 * Math.sin(w), ...turn([0.6, 0, 0.8], w)], // flying box
      [0.85, 0.78, 0.3 + 0.04 * Math.sin(w), ...kIdentity], // upright with many points
    ];
  };
  const body = (name, more) => ({ name, mass: 1, centre: [0, 0, 0], points: [], ...more });
  const mechanism = {
    name: "showcase", description: "", source: "", planar: false, gravity: [0, 0, -9.81], size: 0.5,
    bodies: [
      body("ground", {}),
      body("pendulum", { shape: { kind: "bar", from: [0, 0, 0], to: [0, 0, -0.28] }, points: points({ tip: [0, 0, -0.28] }) }),
      body("carriage", { shape: { kind: "box", size: [0.12, 0.08, 0.08], centre: [0, 0, 0.05] } }),
      body("sleeve", { shape: { kind: "cylinder", radius: 0.05, length: 0.1, centre: [0, 0, 0], axis: kZ } }),
      body("arm", { points: points({ root: [0, 0, 0], tip: [0.22, 0, 0] }) }),
      body("stick", { shape: { kind: "sphere", radius: 0.05, centre: [0.2, 0, 0] }, points: points({ ball: [0, 0, 0] }) }),
      body("puck", { shape: { kind: "disc", radius: 0.07, centre: [0, 0, 0.02], axis: kZ } }),
      body("block", { shape: { kind: "box", size: [0.1, 0.14, 0.08], centre: [0, 0, 0.06] } }),
      body("wishbone", { points: points({ front: [-0.12, 0, 0], back: [0.12, 0, 0], ball: [0, 0.24, 0] }) }),
      body("bob", { shape: { kind: "sphere", radius: 0.04, centre: [0, 0, 0] } }),
      body("flyer", { shape: { kind: "box", size: [0.12, 0.08, 0.03], centre: [0, 0, 0] } }),
      body("upright", { points: points({ low: [0, 0, -0.14], high: [0, 0.02, 0.14], steer: [0.1, 0, 0], hub: [0, 0.12, 0] }) }),
    ],
    joints: [
      joint("hinge", "revolute", end(0, [0, 0, 0.35], kHingeY), end(1, [0, 0, 0], kHingeY)),
      joint("slide", "prismatic", end(0, [0.45, 0, 0.2]), end(2, [0, 0, 0])),
      joint("shaft", "cylindrical", end(0, [0.9, 0, 0.25]), end(3, [0, 0, 0])),
      joint("cross", "universal", end(0, [1.25, 0, 0.25]), end(4, [0, 0, 0])),
      joint("socket", "spherical", end(0, [1.7, 0, 0.25]), end(5, [0, 0, 0])),
      joint("table", "planar", end(0, [0.1, 0.5, 0.1]), end(6, [0, 0, 0])),
      joint("weld", "fixed", end(0, [0.5, 0.5, 0.15]), end(7, [0, 0, 0])),
      joint("wishbone hinge", "revolute", end(0, [0.73, 0.5, 0.12], kHingeX), end(8, [-0.12, 0, 0], kHingeX)),
      joint("rod", "rod", end(0, [1.45, 0.5, 0.6]), end(9, [0, 0, 0]), rod),
      joint("flight", "free", end(0, [0, 0, 0]), end(10, [0, 0, 0])),
    ],
    springs: [
      { name: "coil", coils: true, damping: false, ends: [place(0, [0.2, 0, 0.25]), place(2, [-0.06, 0, 0.05])] },
      { name: "shock", coils: false, damping: true, ends: [place(0, [0.7, 0, 0.25]), place(2, [0.06, 0, 0.05])] },
      { name: "strut", coils: true, damping: true, ends: [place(0, [0.85, 0.72, 0.5]), place(8, [0, 0.2, 0])] },
      { name: "hinge spring", coils: true, damping: false, joint: 0 },
    ],
    sensors: [
      { name: "gyro", kind: "gyroscope", place: place(1, [0, 0, -0.14]), axes: kIdentity },
      { name: "imu", kind: "imu", place: place(4, [0.14, 0, 0]), axes: kIdentity },
      { name: "accelerometer", kind: "accelerometer", place: place(10, [0, 0, 0.03]), axes: kIdentity },
      { name: "hinge encoder", kind: "encoder", joint: 0 },
      { name: "slide tachometer", kind: "tachometer", joint: 1 },
      { name: "tracker", kind: "tracker", place: place(8, [0, 0.24, 0], "ball") },
      { name: "range", kind: "distance", place: place(0, [1.1, 0.4, 0]), second: place(9, [0, 0, 0]) },
      { name: "level", kind: "inclinometer", place: place(2, [0, 0, 0.09]), axes: kIdentity },
    ],
    drivers: [{ name: "motor", joint: 2, target: "shaft.q" }, { name: "linear motor", joint: 1, target: "slide.q" }],
    loads: [{ name: "push", kind: "force", place: place(4, [0.22, 0, 0], "tip") }, { name: "twist", kind: "torque", place: place(6, [0, 0, 0.04]) }],
    traces: [place(1, [0, 0, -0.28], "tip"), place(5, [0.2, 0, 0]), place(9, [0, 0, 0])],
  };
  const wave = (size, phase) => times.map((t) => size * Math.sin((2 * Math.PI * t) / until + phase));
  const same = (value) => ({ same: value, count: frames });
  return page("showcase", mechanism, {
    name: "motion", role: "motion", times, channels: [], motion: motionOf(times, poses), marks: [],
    arrows: [
      { name: "hinge", kind: "reaction", place: place(0, [0, 0, 0.35]), vector: [wave(30, 1), same(0), same(80)] },
      { name: "push", kind: "force", place: place(4, [0.22, 0, 0]), vector: [same(0), wave(40, 0), wave(20, 1)] },
      { name: "twist", kind: "torque", place: place(6, [0, 0, 0.04]), vector: [same(0), same(0), wave(3, 0.8)] },
    ],
  });
}

/** In the plane: a slider-crank with spring, dashpot, weld, a pendulum under the ceiling, a rod and all arrows. */
export function flatShowcaseReport({ frames = 181, until = 6, size = 1 } = {}) {
  const times = Array.from({ length: frames }, (_, k) => (until * k) / (frames - 1));
  const crank = 0.1 * size, rod = 0.3 * size, hang = 0.2 * size, link = 0.35 * size;
  const half = (angle) => turn(kZ, angle);
  const poses = (t) => {
    const w = (2 * Math.PI * t) / until;
    const [x, y] = [crank * Math.cos(w), crank * Math.sin(w)];
    const slider = x + Math.sqrt(rod ** 2 - y ** 2);
    const swing = -Math.PI / 2 + 0.5 * Math.sin(2 * w);
    const [px, py] = [0.75 * size + hang * Math.cos(swing), 0.35 * size + hang * Math.sin(swing)];
    const lift = Math.sqrt(link ** 2 - (px - 0.45 * size) ** 2);
    return [
      [0, 0, 0, ...half(w)],
      [x, y, 0, ...half(Math.atan2(-y, slider - x))],
      [slider, 0, 0, ...kIdentity],
      [slider, 0, 0, ...kIdentity],
      [0.75 * size, 0.35 * size, 0, ...half(swing)],
      [0.45 * size, py - lift, 0, ...kIdentity],
    ];
  };
  const body = (name, more) => ({ name, mass: 1, centre: [0, 0, 0], points: [], ...more });
  const s = size;
  const mechanism = {
    name: "flat showcase", description: "", source: "", planar: true, gravity: [0, -9.81, 0], size: 0.3 * size,
    bodies: [
      body("ground", { points: points({ O: [0, 0, 0] }) }),
      body("crank", { shape: { kind: "bar", from: [0, 0, 0], to: [crank, 0, 0] } }),
      body("connecting rod", { shape: { kind: "bar", from: [0, 0, 0], to: [rod, 0, 0] }, points: points({ M: [0.5 * rod, 0.1 * rod, 0] }) }),
      body("piston", {}),
      body("tool", { shape: { kind: "box", size: [0.06 * s, 0.1 * s, 0], centre: [0.09 * s, 0, 0] } }),
      body("pendulum", { points: points({ C: [0, 0, 0], tip: [hang, 0, 0] }) }),
      body("weight", { shape: { kind: "disc", radius: 0.03 * s, centre: [0, 0, 0], axis: kZ } }),
    ],
    joints: [
      joint("O", "revolute", end(0, [0, 0, 0]), end(1, [0, 0, 0])),
      joint("A", "revolute", end(1, [crank, 0, 0]), end(2, [0, 0, 0])),
      joint("B", "revolute", end(2, [rod, 0, 0]), end(3, [0, 0, 0])),
      joint("guide", "prismatic", end(0, [0, 0, 0]), end(3, [0, 0, 0])),
      joint("weld", "fixed", end(3, [0.06 * s, 0, 0]), end(4, [0.06 * s, 0, 0])),
      joint("C", "revolute", end(0, [0.75 * s, 0.35 * s, 0]), end(5, [0, 0, 0])),
      joint("link", "rod", end(5, [hang, 0, 0]), end(6, [0, 0, 0]), link),
    ],
    springs: [
      { name: "spring", coils: true, damping: true, ends: [place(0, [0.8 * s, 0, 0]), place(4, [0.12 * s, 0, 0])] },
      { name: "spiral", coils: true, damping: false, joint: 5 },
    ],
    sensors: [
      { name: "imu", kind: "imu", place: place(2, [0.5 * rod, 0, 0]), axes: kIdentity },
      { name: "gyro", kind: "gyroscope", place: place(5, [0, 0, 0]), axes: kIdentity },
      { name: "encoder", kind: "encoder", joint: 0 },
      { name: "scale", kind: "encoder", joint: 3 },
      { name: "range", kind: "distance", place: place(0, [0.2 * s, 0.3 * s, 0]), second: place(5, [hang, 0, 0]) },
    ],
    drivers: [{ name: "motor", joint: 0, target: "O.q" }],
    loads: [{ name: "cut", kind: "force", place: place(4, [0.12 * s, 0.05 * s, 0]) }],
    traces: [place(2, [0.5 * rod, 0.1 * rod, 0], "M")],
  };
  const wave = (amount, phase) => times.map((t) => amount * Math.sin((2 * Math.PI * t) / until + phase));
  const same = (value) => ({ same: value, count: frames });
  return page("flat showcase", mechanism, {
    name: "motion", role: "motion", times, channels: [], motion: motionOf(times, poses), marks: [],
    arrows: [
      { name: "O", kind: "reaction", place: place(0, [0, 0, 0]), vector: [wave(900, 0.5), wave(700, 2), same(0)] },
      { name: "cut", kind: "force", place: place(4, [0.12 * s, 0.05 * s, 0]), vector: [wave(-1200, 1.2), same(0), same(0)] },
      { name: "motor", kind: "torque", place: place(1, [0, 0, 0]), vector: [same(0), same(0), wave(60, 0.4)] },
    ],
  });
}
