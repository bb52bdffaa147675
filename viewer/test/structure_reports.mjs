// Reports of structure alone: Andrews' squeezer as the program splits it, a double wishbone with an input that is no joint's, a chain of
// dyads as long as one likes, a ring that is one group, hostile names.
const kFreedoms = { revolute: 1, prismatic: 1, cylindrical: 2, universal: 2, spherical: 3, planar: 3, fixed: 0, rod: 4 };

/** Bodies by name, the ground first; joints as [name, kind, body, body]; groups as [type, assur, bodies, joints, inputs, branch]. */
export function structureReport(title, { bodies, joints, groups, facts = [], redundant = [], idle = [], branches = [], planar = true }) {
  const bodyNamed = (name) => bodies.indexOf(name);
  const jointNamed = (name) => joints.findIndex(([own]) => own === name);
  const groupOf = bodies.map((name) => groups.findIndex(([, , own]) => own.includes(name)));
  const inputs = groups.flatMap(([, , , , own]) => own);
  return {
    format: 1, title, subtitle: "structure", made_by: "a sample", facts, notes: [],
    mechanism: {
      name: title, description: "", source: "", planar, gravity: [0, -9.81, 0], size: 1,
      bodies: bodies.map((name) => ({ name, mass: 1, centre: [0, 0, 0], points: [] })),
      joints: joints.map(([name, kind, a, b]) => ({ name, kind, ends: [a, b].map((body) => ({ body: bodyNamed(body), at: [0, 0, 0], axes: [1, 0, 0, 0] })), length: 0, mass: 0 })),
      springs: [], sensors: [], drivers: [], loads: [], traces: [],
    },
    recordings: [], clouds: [], charts: [], tables: [],
    structure: {
      facts, redundant, idle, branches, group_of_body: groupOf,
      groups: groups.map(([type, assur, own, ownJoints, ownInputs, branch], g) => {
        const needs = new Set(ownJoints.flatMap((name) => joints[jointNamed(name)].slice(2).map((body) => groupOf[bodyNamed(body)])));
        needs.delete(g);
        return { type, assur, branch, inputs: ownInputs, bodies: own.map(bodyNamed), joints: ownJoints.map(jointNamed), needs: [...needs].sort((a, b) => a - b), unknowns: `${own.length} ${own.length > 1 ? "bodies" : "body"}` };
      }),
      edges: joints.map(([name, kind, a, b], joint) => {
        const [ga, gb] = [groupOf[bodyNamed(a)], groupOf[bodyNamed(b)]];
        const made = { joint, bodies: [bodyNamed(a), bodyNamed(b)], freedoms: kFreedoms[kind], inputs: inputs.filter((input) => input.startsWith(`${name}.`)).length };
        return ga === gb ? made : { ...made, to: bodyNamed(ga > gb ? a : b) };
      }),
    },
  };
}

export function andrewsReport() {
  return structureReport("Andrews squeezer", {
    bodies: ["ground", "crank", "bar_fe", "plate", "bar_ge", "bar_ag", "bar_he", "bar_ah"],
    joints: [["O", "ground", "crank"], ["F", "crank", "bar_fe"], ["B", "ground", "plate"], ["E_fe", "plate", "bar_fe"], ["E_ge", "plate", "bar_ge"], ["E_he", "plate", "bar_he"],
      ["A_ag", "ground", "bar_ag"], ["A_ah", "ground", "bar_ah"], ["G", "bar_ag", "bar_ge"], ["H", "bar_ah", "bar_he"]].map(([name, a, b]) => [name, "revolute", a, b]),
    groups: [
      ["1R", "driven link", ["crank"], ["O"], ["O.q"], ""],
      ["3R", "dyad RRR", ["bar_fe", "plate"], ["F", "B", "E_fe"], [], "+"],
      ["3R", "dyad RRR", ["bar_ge", "bar_ag"], ["E_ge", "A_ag", "G"], [], "−"],
      ["3R", "dyad RRR", ["bar_he", "bar_ah"], ["E_he", "A_ah", "H"], [], "+"],
    ],
    facts: [{ label: "mobility", value: "1 (Grübler 1, rank 1)" }, { label: "bodies", value: "7" }, { label: "joints", value: "10" }, { label: "loops", value: "3" }],
    branches: ["+−+", "++−", "−+−"],
  });
}

export function wishboneReport() {
  return structureReport("double wishbone", {
    planar: false,
    bodies: ["ground", "lower_arm", "upper_arm", "upright", "wheel"],
    joints: [["lower_hinge", "revolute", "ground", "lower_arm"], ["upper_hinge", "revolute", "ground", "upper_arm"], ["lower_ball", "spherical", "lower_arm", "upright"],
      ["upper_ball", "spherical", "upper_arm", "upright"], ["tie_rod", "rod", "ground", "upright"], ["hub", "revolute", "upright", "wheel"]],
    groups: [
      ["1D2E2R", "", ["lower_arm", "upper_arm", "upright"], ["lower_hinge", "upper_hinge", "lower_ball", "upper_ball", "tie_rod"], ["upright.hub.z"], "+"],
      ["1R", "", ["wheel"], ["hub"], ["hub.q"], ""],
    ],
    facts: [{ label: "mobility", value: "2 (Grübler 2, rank 2)" }, { label: "loops", value: "2" }],
    redundant: ["upper_hinge: mx repeats what lower_hinge says", "upper_hinge: fz repeats what lower_hinge and lower_ball say"],
    idle: ["tie_rod turns about its own line"],
  });
}

/** A crank and dyads: each on the one before and on the ground; every fifth also on the crank. */
export function chainReport({ dyads = 30 } = {}) {
  const bodies = ["ground", "crank"], joints = [["A0", "revolute", "ground", "crank"]];
  const groups = [["1R", "driven link", ["crank"], ["A0"], ["A0.q"], ""]];
  for (let k = 1; k <= dyads; ++k) {
    const own = [`coupler_${k}`, `rocker_${k}`];
    bodies.push(...own);
    const before = k === 1 || k % 5 === 0 ? "crank" : `rocker_${k - 1}`;
    joints.push([`P${k}`, "revolute", before, own[0]], [`Q${k}`, "revolute", own[0], own[1]], [`B${k}`, "revolute", "ground", own[1]]);
    groups.push(["3R", "dyad RRR", own, [`P${k}`, `Q${k}`, `B${k}`], [], k % 2 ? "+" : "−"]);
  }
  return structureReport(`chain of ${dyads} dyads`, { bodies, joints, groups, facts: [{ label: "mobility", value: "1" }] });
}

/** One group of many bodies. */
export function ringReport({ count = 9 } = {}) {
  const links = Array.from({ length: count }, (_, k) => `link ${k + 1}`);
  const joints = links.map((name, k) => [`J${k}`, "revolute", k === 0 ? "ground" : links[k - 1], name]);
  joints.push(["close", "revolute", "ground", links[count - 1]], ["brace", "prismatic", links[1], links[count - 3]]);
  return structureReport("ring", { bodies: ["ground", ...links], joints, groups: [[`${count}R1P`, "", links, joints.map(([name]) => name), ["J0.q"], "+−"]] });
}

export function hostileReport() {
  const name = "</script><img src=x onerror=alert(1)>";
  return structureReport(name, {
    bodies: ["ground", name, "b\"'&amp;"], joints: [[`${name}2`, "revolute", "ground", name], ["J", "prismatic", name, "b\"'&amp;"], ["K", "fixed", "ground", "b\"'&amp;"]],
    groups: [["1R", name, [name], [`${name}2`], [`${name}2.q`], name], ["1P", "", ["b\"'&amp;"], ["J", "K"], [], ""]], redundant: [name], branches: [name],
  });
}
