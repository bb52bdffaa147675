import { Vector3 } from "three";
import type { Attachment, JointEnd, Mechanism } from "../report_data.js";
import { type Drawing, inkOf, jointFrame } from "./drawing.js";
import { hang } from "./forms.js";
import { farEnd } from "./meshes.js";
import { mixed } from "./paints.js";
import { cylinder, solidForm } from "./solid_parts.js";
import { travelAlong } from "./travel.js";

const kRadius = 0.9; // of a spindle, in symbol units
const kFinest = 0.7; // pitch that can be seen, in symbol units
const kEnds = 8; // of a spindle beyond the way of its nut, in symbol units
const kSteps = 24; // of a turn

/** Of a helical joint, or where a screw couples a turn with a way. */
interface Screw {
  joint: number; // the one that turns
  spindle: JointEnd; // z is its axis
  nut: Attachment;
  lead: number; // [m] per turn, of a left-hand thread negative
}

/** Spindles as long as the ways of their nuts, with threads of their leads, or coarser ones that can be seen. */
export function drawThreads({ mechanism, frames, paints, session, unit }: Drawing): void {
  for (const { joint, spindle, nut, lead } of screwsOf(mechanism)) {
    const metal = inkOf(session, "joint", joint, () => mixed(session.theme.palette.ink, session.theme.palette.ground, 0.75));
    const [least, most] = travelAlong(frames.track, spindle, nut, 2);
    const [bottom, top] = [least - kEnds * unit, most + kEnds * unit];
    const shaft = cylinder(new Vector3(0, 0, (bottom + top) / 2), new Vector3(0, 0, 1), kRadius * unit, top - bottom);
    const pitch = Math.sign(lead) * Math.max(Math.abs(lead), kFinest * unit);
    const form = solidForm([], [shaft], thread(bottom, top, pitch, 1.02 * kRadius * unit));
    hang(jointFrame(frames.frame(spindle.body), spindle), form, paints.lit(metal), paints.stroke(() => session.theme.palette.background, { width: () => 1.2 }));
  }
}

/** A helical joint has its nut on the ground where there is a choice, else on the second body. A coupled screw turns where it is, and its nut goes
 * along its axis: by a left-hand thread when a positive turn makes it go forward. */
function screwsOf({ joints, couplings = [] }: Mechanism): Screw[] {
  const helical = joints.flatMap(({ kind, ends: [first, second], length }, joint): Screw[] => {
    if (kind !== "helical") return [];
    return first.body === 0 ? [{ joint, spindle: second, nut: first, lead: length }] : [{ joint, spindle: first, nut: second, lead: length }];
  });
  const coupled = couplings.flatMap(({ kind, joints: [turn = -1, slide = -1], numbers: [lead = 0] }): Screw[] => {
    const [turning, sliding] = [joints[turn], joints[slide]];
    if (kind !== "screw" || turning?.kind !== "revolute" || !sliding) return [];
    return [{ joint: turn, spindle: farEnd(sliding, turning), nut: farEnd(turning, sliding), lead: -lead }];
  });
  return [...helical, ...coupled];
}

/** Pairs of points of a helix about z. */
function thread(bottom: number, top: number, pitch: number, radius: number): Vector3[] {
  const count = Math.ceil(((top - bottom) / Math.abs(pitch)) * kSteps);
  const at = (k: number) => {
    const z = bottom + ((top - bottom) * k) / count;
    const angle = (2 * Math.PI * z) / pitch;
    return new Vector3(radius * Math.cos(angle), radius * Math.sin(angle), z);
  };
  return Array.from({ length: count }, (_, k) => [at(k), at(k + 1)]).flat();
}
