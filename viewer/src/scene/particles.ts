import {
  Color,
  DoubleSide,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector3,
  type BufferGeometry,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { indexBefore, unpack } from "../numbers.js";
import type { Cloud } from "../report_data.js";
import { type Anatomy, perpendiculars, type Segment, skeleton, vector } from "./anatomy.js";
import type { Drawing, Follower } from "./drawing.js";
import { box, cylinder } from "./solid_parts.js";

const kColumns = 7;

const kVertexShader = `
const float kFaintest = 1.0 / 255.0; // eight bits of colour lose what is fainter
attribute vec3 place;
attribute vec4 turn; // x, y, z, w
attribute float weight;
uniform float strength;
varying float alpha;
void main() {
  vec3 p = position + 2.0 * cross(turn.xyz, cross(turn.xyz, position) + turn.w * position) + place;
  alpha = weight > 0.0 ? max(strength * weight, kFaintest) : 0.0;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(p, 1.0);
}`;
const kFragmentShader = `
uniform vec3 colour;
varying float alpha;
void main() {
  gl_FragColor = vec4(colour, alpha);
  #include <colorspace_fragment>
}`;

interface Instanced {
  body: number;
  geometry: InstancedBufferGeometry;
  place: Float32Array;
  turn: Float32Array;
}

/** All particles of one filter: every body once, drawn as often as there are particles in one call. */
export class Particles implements Follower {
  readonly root = new Group();
  readonly #times: Float64Array;
  readonly #starts: Uint32Array; // (instants + 1) of the first particle
  readonly #weights: Float64Array;
  readonly #poses: readonly Float64Array[];
  readonly #bodies: Instanced[] = [];
  readonly #weight: InstancedBufferAttribute;
  readonly #material: ShaderMaterial;
  #shown = -1;

  constructor(drawing: Drawing, cloud: Cloud, colour: () => string) {
    this.#times = unpack(cloud.times);
    this.#weights = unpack(cloud.weights);
    this.#poses = cloud.poses.map(unpack);
    const counts = unpack(cloud.counts);
    this.#starts = new Uint32Array(counts.length + 1);
    counts.forEach((count, k) => (this.#starts[k + 1] = (this.#starts[k] ?? 0) + count));
    const most = counts.reduce((a, b) => Math.max(a, b), 0);
    this.#weight = new InstancedBufferAttribute(new Float32Array(most), 1);
    this.#material = new ShaderMaterial({
      vertexShader: kVertexShader,
      fragmentShader: kFragmentShader,
      uniforms: { colour: { value: new Color() }, strength: { value: 1 } },
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
    });
    drawing.paints.follow(() => (this.#material.uniforms["colour"]!.value as Color).set(colour()));
    this.root.position.z = drawing.levels.springs - drawing.levels.step; // over bodies, under pins
    for (const anatomy of drawing.bodies) {
      if (anatomy.body > 0) this.#add(anatomy, drawing, most);
    }
  }

  /** Particles that are drawn now. */
  get drawn(): number {
    if (!this.root.visible || this.#shown < 0) return 0;
    return (this.#starts[this.#shown + 1] ?? 0) - (this.#starts[this.#shown] ?? 0);
  }

  /** To the last instant at or before t: between instants particles may change their places by resampling, so nothing is interpolated. */
  follow(t: number): void {
    if (!this.root.visible || this.#times.length === 0) return;
    const instant = indexBefore(this.#times, t);
    if (instant === this.#shown) return;
    this.#shown = instant;
    const start = this.#starts[instant] ?? 0;
    const count = this.drawn;
    for (let k = 0; k < count; ++k) this.#weight.array[k] = this.#weights[start + k] ?? 0;
    this.#weight.needsUpdate = true;
    for (const { body, geometry, place, turn } of this.#bodies) {
      const columns = this.#poses.slice(kColumns * (body - 1), kColumns * body);
      copyColumns(columns.slice(0, 3), start, count, place);
      copyColumns([...columns.slice(4, 7), ...columns.slice(3, 4)], start, count, turn);
      geometry.instanceCount = count;
      for (const name of ["place", "turn"]) geometry.getAttribute(name).needsUpdate = true;
    }
    this.#material.uniforms["strength"]!.value = strengthOf(this.#weights.subarray(start, start + count));
  }

  #add(anatomy: Anatomy, { unit, mechanism }: Drawing, most: number): void {
    const base = particleShape(anatomy, unit, mechanism.planar);
    const geometry = new InstancedBufferGeometry();
    geometry.index = base.index;
    geometry.setAttribute("position", base.getAttribute("position"));
    const place = new Float32Array(3 * most);
    const turn = new Float32Array(4 * most);
    geometry.setAttribute("place", new InstancedBufferAttribute(place, 3));
    geometry.setAttribute("turn", new InstancedBufferAttribute(turn, 4));
    geometry.setAttribute("weight", this.#weight);
    geometry.instanceCount = 0;
    const mesh = new Mesh(geometry, this.#material);
    mesh.frustumCulled = false;
    mesh.renderOrder = 20;
    this.root.add(mesh);
    this.#bodies.push({ body: anatomy.body, geometry, place, turn });
  }
}

/** Opacity of a particle of weight 1; that of the others is in proportion. Many that count lie over each other and are fainter. */
function strengthOf(weights: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const w of weights) [sum, squares] = [sum + w, squares + w * w];
  const effective = squares > 0 ? (sum * sum) / squares : 1; // size of the cloud [Kong 1992]
  return Math.min(0.7, Math.max(0.06, 60 / effective));
}

/** Rows of an instant, interleaved. */
function copyColumns(columns: readonly Float64Array[], start: number, count: number, out: Float32Array): void {
  const width = columns.length;
  columns.forEach((column, c) => {
    for (let k = 0; k < count; ++k) out[width * k + c] = column[start + k] ?? 0;
  });
}

/** A body in few triangles: thin bars along its skeleton, a ring for what is round and carries nothing. */
function particleShape(anatomy: Anatomy, unit: number, planar: boolean): BufferGeometry {
  const bars: Segment[] = skeleton(anatomy);
  const { shape } = anatomy;
  if (bars.length === 0 && (shape?.kind === "disc" || shape?.kind === "cylinder")) {
    const [u, v] = perpendiculars(vector(shape.axis).normalize());
    const corner = (k: number) =>
      vector(shape.centre)
        .addScaledVector(u, shape.radius * Math.cos((k * Math.PI) / 8))
        .addScaledVector(v, shape.radius * Math.sin((k * Math.PI) / 8));
    bars.push([vector(shape.centre), corner(0)]);
    for (let k = 0; k < 16; ++k) bars.push([corner(k), corner(k + 1)]);
  }
  if (bars.length === 0) return box(anatomy.places[0] ?? new Vector3(), new Vector3().setScalar(2 * unit));
  return mergeGeometries(bars.map((bar) => thinBar(bar, unit, planar)));
}

function thinBar([from, to]: Segment, unit: number, planar: boolean): BufferGeometry {
  const along = to.clone().sub(from);
  const middle = from.clone().add(to).divideScalar(2);
  if (!planar) return cylinder(middle, along, 0.35 * unit, along.length(), 4);
  const flat = box(new Vector3(), new Vector3(along.length(), 0.25 * unit, 0));
  flat.setIndex([...(flat.index?.array ?? [])].slice(24, 30)); // the face towards +z alone
  return flat.rotateZ(Math.atan2(along.y, along.x)).translate(middle.x, middle.y, 0);
}
