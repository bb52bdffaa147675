import { Group, type Mesh, Vector3 } from "three";
import type { Mechanism } from "../report_data.js";
import type { Session } from "../session.js";
import { anatomies } from "./anatomy.js";
import { Arrows } from "./arrows.js";
import { beltsOf, drawBelts } from "./belts.js";
import { placedBeside } from "./beside.js";
import { bevelWheels } from "./bevels.js";
import { bodyForms, drawBodies, drawGhost } from "./bodies.js";
import { BodyFrames } from "./body_frames.js";
import { drawCones } from "./cones.js";
import { Contacts } from "./contacts.js";
import { type Drawing, type Follower, hypothesesColour, type Levels } from "./drawing.js";
import { makeRoadRoom, makeRoom, measure, symbolUnit } from "./extent.js";
import { kLevelsPerBody } from "./flat_body.js";
import { drawFlatDriver, drawFlatJoints } from "./flat_joints.js";
import { drawLinearActuators } from "./linear_actuators.js";
import { drawLoads } from "./loads.js";
import { toothedParts } from "./meshes.js";
import { Paints } from "./paints.js";
import { Particles } from "./particles.js";
import { platesOf } from "./plates.js";
import { RoadSurface } from "./road.js";
import { RoadHeights } from "./road_heights.js";
import { drawRods } from "./rods.js";
import { type DrawnSensors, drawSensors } from "./sensors.js";
import { drawSolidCurves } from "./solid_curves.js";
import { drawSolidDriver, drawSolidJoints } from "./solid_joints.js";
import { drawSprings } from "./springs.js";
import { type DrawnStop, drawStops } from "./stops.js";
import { Traces } from "./traces.js";
import { type DrawnTyre, drawTyres } from "./tyres.js";
import { drawVisuals } from "./visuals.js";
import { Way } from "./way.js";

/** Everything that is drawn of a report, apart from the camera and what lies on the page. */
export interface Content {
  drawing: Drawing;
  root: Group;
  ghosts: Map<number, BodyFrames>; // by recording
  bodies: (Mesh | undefined)[];
  sensors: DrawnSensors;
  stops: DrawnStop[];
  traces: Traces;
  arrows: Arrows;
  tyres: DrawnTyre[];
  contacts: Contacts;
  road: RoadSurface | undefined;
  particles: { recording: number; cloud: Particles }[];
  followers: Follower[];
}

/** Undefined when no recording tells where the bodies are. */
export function makeContent(session: Session, mechanism: Mechanism): Content | undefined {
  const { report, tracks } = session;
  const solid = tracks.findIndex((track) => track !== undefined && track.times.length > 0);
  const track = tracks[solid];
  if (!track) return undefined;
  const heights = report.road && !mechanism.planar ? new RoadHeights(report.road) : undefined;
  const drawing = makeDrawing(session, mechanism, new BodyFrames(mechanism.bodies.length, track), solid, heights);
  const root = new Group();
  root.add(drawing.frames.root);
  drawing.frames.show(track.begin);
  const forms = bodyForms(drawing);
  const bodies = drawBodies(drawing, forms);
  drawVisuals(drawing);
  const tyres = mechanism.planar ? [] : drawTyres(drawing);
  const followers: Follower[] = [...drawRods(drawing), ...drawLinearActuators(drawing), ...drawSprings(drawing)];
  if (mechanism.planar) drawFlatJoints(drawing);
  else {
    drawSolidCurves(drawing);
    drawSolidJoints(drawing);
  }
  drawBelts(drawing, beltsOf(mechanism));
  const driven = new Set(mechanism.drivers.map((driver) => driver.joint).filter((joint) => joint !== undefined));
  for (const joint of driven) (mechanism.planar ? drawFlatDriver : drawSolidDriver)(drawing, joint);
  drawLoads(drawing);
  const stops = drawStops(drawing);
  const sensors = drawSensors(drawing);
  const traces = new Traces(drawing);
  const arrows = new Arrows(drawing, report.recordings[solid]?.arrows ?? []);
  const contacts = new Contacts(drawing, report.recordings[solid]?.contacts ?? [], heights);
  const road = report.road && heights && new RoadSurface(drawing, report.road, heights);
  if (report.cones) root.add(drawCones(drawing, report.cones));
  const ghosts = new Map<number, BodyFrames>();
  tracks.forEach((other, recording) => {
    if (!other || recording === solid || other.times.length === 0) return;
    const frames = new BodyFrames(mechanism.bodies.length, other);
    root.add(drawGhost(drawing, frames, forms, () => session.recordingColour(recording)));
    ghosts.set(recording, frames);
  });
  const particles = report.clouds.map((cloud) => {
    const recording = report.recordings.findIndex(({ name }) => name === cloud.name);
    return { recording, cloud: new Particles(drawing, cloud, () => hypothesesColour(drawing, recording)) };
  });
  root.add(traces.root, arrows.root, contacts.root, ...(road ? [road.root] : []), ...particles.map(({ cloud }) => cloud.root));
  followers.push(...sensors.followers, traces, arrows, contacts, ...(road ? [road] : []), ...particles.map(({ cloud }) => cloud));
  return { drawing, root, ghosts, bodies, sensors, stops, traces, arrows, tyres, contacts, road, particles, followers };
}

/** Of their own size: what tyres go farther than that is looked at by an eye that goes along. */
const kFar = 1;

function makeDrawing(session: Session, mechanism: Mechanism, frames: BodyFrames, solid: number, road: RoadHeights | undefined): Drawing {
  const several = session.report.clouds.length > 0 || session.tracks.some((track, k) => k !== solid && track !== undefined);
  const bodies = anatomies(mechanism, {
    toothed: [...toothedParts(mechanism, frames.track), ...beltsOf(mechanism).flatMap(({ pulleys }) => pulleys)],
    bevels: bevelWheels(mechanism, frames.track),
    plates: platesOf(mechanism, frames.track),
  });
  const whole = measure(frames.track, bodies, mechanism.size, placedBeside(session, solid));
  const { tyres = [], planar } = mechanism;
  const along = tyres.length > 0 && !planar ? new Way(frames.track, tyres, road) : undefined;
  const own = along && measure(frames.track, bodies, mechanism.size, [], along);
  const way = along && own && along.reach > kFar * own.size ? along : undefined;
  const extent = way && own ? own : whole;
  const unit = symbolUnit(bodies, extent, mechanism.planar);
  makeRoom(extent, 5 * unit);
  if (road) makeRoadRoom(extent);
  const up = new Vector3(...mechanism.gravity).negate();
  if (up.lengthSq() === 0) up.set(0, 0, 1);
  up.normalize();
  if (mechanism.planar) up.set(0, 1, 0);
  const levels = makeLevels(mechanism, extent.size);
  return { session, mechanism, frames, solid, several, paints: new Paints(), bodies, extent, whole, way, unit, levels, up };
}

/** Thin enough that nobody sees it, thick enough that nothing flickers. */
function makeLevels({ planar, bodies }: Mechanism, size: number): Levels {
  if (!planar) return { step: 0, ghosts: 0, springs: 0, supports: 0, joints: 0, sensors: 0, arrows: 0 };
  const step = 5e-5 * size;
  const top = (kLevelsPerBody * bodies.length + 2) * step;
  const above = (level: number) => 2 * top + 6 * level * step;
  return { step, ghosts: top, springs: above(0), supports: above(1), joints: above(2), sensors: above(3), arrows: above(4) };
}
