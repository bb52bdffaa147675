import { BufferAttribute, BufferGeometry, Color, Group, Mesh, ShaderMaterial, Vector2, Vector3 } from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Road } from "../report_data.js";
import { roundLength } from "./corner.js";
import type { Drawing, Follower } from "./drawing.js";
import { mixed } from "./paints.js";
import type { RoadHeights } from "./road_heights.js";
import type { Direction } from "./stage.js";

const kNear = 1.2; // of the size of the vehicle: up to there the road is seen as a whole …
const kFar = 5; // … and from there on not at all
const kCells = 3; // lines of the grid over the size of the vehicle
const kFewPlaces = 400; // of a cut

/** The surface that tyres stand on, as far as it is near: with lines at round places of the world, lit so that low bumps are seen, and tinted
 * where it is higher or lower than its plane, or more slippery on one half. From below it is not seen. In flat views it is seen edge on: there it is cut below the
 * wheels. */
export class RoadSurface implements Follower {
  readonly root = new Group();
  /** Length of a cell of its lines [m]. */
  readonly cell: number;
  readonly mesh: Mesh;
  readonly #cuts: LineSegments2;
  readonly #paint: ShaderMaterial;
  readonly #at = new Vector3();
  #direction: Direction = "iso";

  constructor(
    private readonly drawing: Drawing,
    private readonly road: Road,
    private readonly heights: RoadHeights,
  ) {
    const { paints, extent, session, mechanism } = drawing;
    this.cell = roundLength(extent.size / kCells);
    const [ox = 0, oy = 0] = mechanism.bodies[0]?.origin ?? [];
    this.#paint = roadPaint({
      origin: { value: new Vector2(-ox, -oy) },
      cell: { value: this.cell },
      near: { value: kNear * extent.size },
      far: { value: kFar * extent.size },
      highest: { value: Math.max(heights.highest, 1e-9) },
      relief: { value: heights.highest > 0 ? 1 : 0 },
      plane: { value: new Vector3(-road.plane[1], -road.plane[2], 1).normalize() },
      below: { value: road.right?.below ?? -1e9 },
      middle: { value: new Vector3() },
      ...Object.fromEntries(["left", "right", "line", "high", "background"].map((name) => [name, { value: new Color() }])),
    });
    paints.follow(() => this.#recolour());
    this.mesh = new Mesh(surfaceGeometry(heights), this.#paint);
    this.mesh.renderOrder = -10;
    this.#cuts = new LineSegments2(new LineSegmentsGeometry(), paints.stroke(() => mixed(session.theme.palette.ground, session.theme.palette.ink, 0.4), { width: () => 2 }));
    this.#cuts.material.depthTest = false;
    for (const part of [this.mesh, this.#cuts]) part.frustumCulled = false;
    this.#cuts.renderOrder = 4;
    this.root.add(this.mesh, this.#cuts);
  }

  /** What of it is seen: about a vehicle of this size, or about a whole way. */
  set size(size: number) {
    this.#paint.uniforms["near"]!.value = kNear * size;
    this.#paint.uniforms["far"]!.value = kFar * size;
  }
  /** From where it is looked at. */
  set direction(direction: Direction) {
    this.#direction = direction;
    this.follow();
  }

  follow(): void {
    const tyres = this.drawing.mechanism.tyres ?? [];
    const middle = (this.#paint.uniforms["middle"]!.value as Vector3).set(0, 0, 0);
    for (const { place } of tyres) middle.add(this.drawing.frames.world(place, this.#at));
    middle.divideScalar(Math.max(1, tyres.length));
    const axis = this.#direction === "front" ? 0 : this.#direction === "side" ? 1 : undefined;
    this.#cuts.visible = axis !== undefined;
    this.mesh.visible = axis === undefined;
    if (axis === undefined) return;
    const cuts = tyres.flatMap(({ place }) => this.#cut(this.drawing.frames.world(place, this.#at), axis));
    this.#cuts.geometry.dispose();
    this.#cuts.geometry = new LineSegmentsGeometry().setPositions(cuts);
  }

  /** The road along an axis of the world through a place, pairs of ends. */
  #cut({ x, y }: Vector3, axis: 0 | 1): number[] {
    const [middle, aside] = axis === 0 ? [x, y] : [y, x];
    const reach = kFar * this.drawing.extent.size;
    const inside = (axis === 0 ? this.heights.x : this.heights.y).filter((at) => Math.abs(at - middle) < reach);
    const stride = Math.max(1, Math.ceil(inside.length / kFewPlaces));
    const places = [middle - reach, ...inside.filter((_, k) => k % stride === 0), middle + reach];
    const corner = (at: number) => (axis === 0 ? [at, aside, this.heights.at(at, aside)] : [aside, at, this.heights.at(aside, at)]);
    return places.slice(1).flatMap((at, k) => [...corner(places[k]!), ...corner(at)]);
  }
  #recolour(): void {
    const { palette, name } = this.drawing.session.theme;
    const plain = mixed(palette.background, palette.ground, name === "dark" ? 0.28 : 0.34);
    const slippery = mixed(plain, name === "dark" ? "#3bc9db" : "#1098ad", 0.26);
    const { friction, right } = this.road;
    const set = (uniform: string, colour: string) => (this.#paint.uniforms[uniform]!.value as Color).set(colour);
    set("left", right && friction < right.friction ? slippery : plain);
    set("right", right && right.friction < friction ? slippery : plain);
    set("line", mixed(plain, palette.ink, 0.22));
    set("high", name === "dark" ? "#d6a01e" : "#f08c00");
    set("background", palette.background);
  }
}

/** Colour of the half with less friction. */
export function slipperyColour({ session }: Drawing): string {
  return session.theme.name === "dark" ? "#3bc9db" : "#1098ad";
}

function surfaceGeometry(heights: RoadHeights): BufferGeometry {
  const { x, y } = heights;
  const [nx, ny] = [x.length, y.length];
  const positions = new Float32Array(3 * nx * ny);
  const over = new Float32Array(nx * ny);
  const triangles: number[] = [];
  for (let i = 0; i < nx; ++i)
    for (let j = 0; j < ny; ++j) {
      const k = i * ny + j;
      over[k] = heights.over(i, j);
      positions.set([x[i]!, y[j]!, heights.plane(x[i]!, y[j]!) + over[k]!], 3 * k);
      if (i + 1 < nx && j + 1 < ny) triangles.push(k, k + ny, k + 1, k + 1, k + ny, k + ny + 1);
    }
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(positions, 3));
  made.setAttribute("over", new BufferAttribute(over, 1));
  made.setIndex(triangles);
  made.computeVertexNormals();
  return made;
}

function roadPaint(uniforms: Record<string, { value: unknown }>): ShaderMaterial {
  const paint = new ShaderMaterial({ uniforms, vertexShader: kVertex, fragmentShader: kFragment });
  // What stands on it stands before it.
  paint.polygonOffset = true;
  paint.polygonOffsetFactor = 1;
  paint.polygonOffsetUnits = 2;
  return paint;
}

const kVertex = /* glsl */ `
attribute float over;
varying vec3 place;
varying vec3 turned;
varying float above;
void main() {
  place = position;
  turned = normal;
  above = over;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const kFragment = /* glsl */ `
uniform vec2 origin;
uniform float cell, near, far, highest, relief, below;
uniform vec3 middle, plane, left, right, line, high, background;
varying vec3 place;
varying vec3 turned;
varying float above;

// How much of a pixel lies on a line of the grid: w pixels broad, gone where lines are nearer to each other than pixels.
float onLine(vec2 at, float w) {
  vec2 pixel = max(fwidth(at), vec2(1e-6));
  vec2 distance = abs(fract(at - 0.5) - 0.5) / pixel;
  vec2 on = clamp(0.5 * w + 0.5 - distance, 0.0, 1.0) * (1.0 - smoothstep(0.2, 0.5, pixel));
  return max(on.x, on.y);
}

void main() {
  float fade = 1.0 - smoothstep(near, far, length(place.xy - middle.xy));
  if (fade <= 0.0) discard;
  vec3 colour = mix(left, right, step(place.y, below));
  colour = mix(colour, high, 0.3 * relief * clamp(abs(above) / highest, 0.0, 1.0));
  // Slopes of the relief are shown three times as steep, in a light from the side.
  vec3 n = normalize(turned);
  vec3 steep = normalize(plane + 3.0 * (n - plane));
  vec3 light = normalize(vec3(-0.75, 0.35, 0.8));
  colour *= clamp(dot(steep, light) / max(dot(plane, light), 0.1), 0.6, 1.35);
  colour = mix(colour, line, 0.55 * onLine((place.xy - origin) / cell, 1.0));
  float seam = 1.0 - clamp(abs(place.y - below) / max(fwidth(place.y), 1e-6) - 0.5, 0.0, 1.0);
  colour = mix(colour, line, 0.8 * seam);
  gl_FragColor = vec4(mix(background, colour, fade), 1.0);
  #include <colorspace_fragment>
}`;
