import { AmbientLight, DirectionalLight, OrthographicCamera, PerspectiveCamera, Scene, Vector3, WebGLRenderer, MOUSE, TOUCH } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Extent } from "./extent.js";
import { frameOrthographic, framePerspective } from "./framing.js";

export type Direction = "front" | "side" | "top" | "iso";
export const kFlatDirections = ["front", "side", "top"] as const;

/** Renderer, cameras and the hand on them. A planar mechanism is seen from +z without perspective; one in space in perspective, and along
 * the axes of the world without. */
export class Stage {
  readonly scene = new Scene();
  readonly #flat = new OrthographicCamera();
  readonly #deep = new PerspectiveCamera(26);
  readonly canvas: HTMLCanvasElement;
  width = 0; // [px] of the page
  height = 0;
  readonly #renderer: WebGLRenderer;
  readonly #controls: OrbitControls;
  readonly #sun = new DirectionalLight(0xffffff, 1.8);
  #turnable: boolean;
  #direction: Direction = "iso";
  #moved = false; // by the user: a new size does not fit again
  readonly #gone = new Vector3(); // the way of what is looked at

  /** Fails where there is no WebGL: ask webGlContext first. */
  constructor(
    context: WebGL2RenderingContext,
    private readonly planar: boolean,
    private readonly up: Vector3,
    private extent: Extent,
    private readonly unit: number,
    onChange: () => void,
  ) {
    this.canvas = context.canvas as HTMLCanvasElement;
    this.#renderer = new WebGLRenderer({ canvas: this.canvas, context, antialias: true });
    this.#renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.#flat.up.copy(planar ? new Vector3(0, 1, 0) : mainAxis(up));
    this.#deep.up.copy(up);
    this.#sun.position.copy(up).add(new Vector3(0.3, -0.4, 0.5));
    this.#deep.add(this.#sun.target);
    this.scene.add(this.#flat, this.#deep, new AmbientLight(0xffffff, 2), this.#sun);
    this.#turnable = !planar;
    this.#controls = new OrbitControls(this.camera, this.canvas);
    this.#controls.zoomToCursor = true;
    this.#controls.addEventListener("change", onChange);
    this.#controls.addEventListener("start", () => (this.#moved = true));
    this.canvas.addEventListener("webglcontextrestored", onChange);
    this.#setHands();
  }

  get camera(): OrthographicCamera | PerspectiveCamera {
    return this.planar || this.#direction !== "iso" ? this.#flat : this.#deep;
  }
  get isFlat(): boolean {
    return this.camera === this.#flat;
  }
  /** The plane of the world that a flat view shows: "xz". */
  planeOf(direction: Direction): string {
    const from = mainAxis(this.#from(direction));
    return [..."xyz"].filter((_, k) => Math.abs(from.getComponent(k)) < 0.5).join("");
  }
  /** On paper one finger or button moves the sheet, until it is to be turned. */
  get turnable(): boolean {
    return this.#turnable;
  }
  set turnable(on: boolean) {
    this.#turnable = on;
    this.#setHands();
    if (!on && this.planar) this.fit();
  }
  setBackground(colour: string): void {
    this.#renderer.setClearColor(colour);
  }
  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    [this.width, this.height] = [width, height];
    this.#renderer.setSize(width, height);
    this.#deep.aspect = width / height;
    this.#flat.left = (-this.#flat.top * width) / height;
    this.#flat.right = (this.#flat.top * width) / height;
    for (const camera of [this.#deep, this.#flat]) camera.updateProjectionMatrix();
    if (!this.#moved) this.#frame();
  }
  render(): void {
    // The light comes over the shoulder of who looks.
    this.#sun.position.copy(this.camera.position).sub(this.#controls.target).normalize().addScaledVector(this.up, 0.8);
    this.#sun.position.add(new Vector3(0.35, 0.1, 0).applyQuaternion(this.camera.quaternion));
    this.#renderer.render(this.scene, this.camera);
  }
  /** Everything into view, as at the beginning. */
  fit(): void {
    this.look("iso");
  }
  get direction(): Direction {
    return this.#direction;
  }
  /** What fits into view from now on. */
  show(extent: Extent): void {
    this.extent = extent;
    this.look(this.#direction);
  }
  /** Goes along with what is looked at, from where everything fits into view. */
  follow(gone: Vector3): void {
    const step = gone.clone().sub(this.#gone);
    this.#gone.copy(gone);
    this.camera.position.add(step);
    this.#controls.target.add(step);
  }
  look(direction: Direction): void {
    this.#direction = direction;
    this.#controls.object = this.camera;
    this.#moved = false;
    this.#frame();
  }
  zoomBy(factor: number): void {
    this.#moved = true;
    if (this.camera instanceof OrthographicCamera) {
      this.camera.zoom *= factor;
      this.camera.updateProjectionMatrix();
    } else this.camera.position.sub(this.#controls.target).divideScalar(factor).add(this.#controls.target);
    this.#controls.update();
  }
  /** Metres that a pixel shows at a place. */
  metresPerPixel(at: Vector3): number {
    const { camera } = this;
    if (camera instanceof OrthographicCamera) return (camera.top - camera.bottom) / camera.zoom / Math.max(1, this.height);
    const depth = Math.max(camera.near, this.#depth(at));
    return (2 * depth * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, this.height);
  }
  /** A place of the world in pixels from the upper left corner; out.z beyond 1 or before −1: not in view. */
  project(at: Vector3, out: Vector3): Vector3 {
    out.copy(at).project(this.camera);
    return out.set(((out.x + 1) * this.width) / 2, ((1 - out.y) * this.height) / 2, out.z);
  }

  #depth(at: Vector3): number {
    return -new Vector3().copy(at).applyMatrix4(this.camera.matrixWorldInverse).z;
  }
  #setHands(): void {
    const [first, second] = this.#turnable ? [MOUSE.ROTATE, MOUSE.PAN] : [MOUSE.PAN, MOUSE.ROTATE];
    this.#controls.mouseButtons = { LEFT: first, MIDDLE: MOUSE.DOLLY, RIGHT: second };
    this.#controls.touches = { ONE: this.#turnable ? TOUCH.ROTATE : TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    this.#controls.enableRotate = this.#turnable;
  }
  #frame(): void {
    if (this.width < 1 || this.height < 1) return;
    const { camera, extent, unit, width, height } = this;
    const from = this.planar ? new Vector3(0, 0, 1) : this.#from(this.#direction);
    const sight = { target: this.#controls.target, extent, from, unit, width, height };
    if (camera instanceof OrthographicCamera) frameOrthographic(camera, sight);
    else framePerspective(camera, sight);
    camera.position.add(this.#gone);
    this.#controls.target.add(this.#gone);
    this.#controls.update();
  }
  /** From where a view looks: the flat ones along axes of the world. */
  #from(direction: Direction): Vector3 {
    const over = direction === "iso" ? this.up : mainAxis(this.up);
    const [right, back] = axesAbout(over);
    if (direction === "front") return back.negate();
    if (direction === "side") return right;
    if (direction === "top") return over.clone().addScaledVector(back, -1e-4).normalize();
    const oblique = (x: number, y: number) =>
      this.up.clone().multiplyScalar(0.62).addScaledVector(right, x).addScaledVector(back, y).normalize();
    // In a wide picture what is long stands across.
    const edges = this.extent.box.getSize(new Vector3());
    const reach = (axis: Vector3) => Math.abs(axis.x) * edges.x + Math.abs(axis.y) * edges.y + Math.abs(axis.z) * edges.z;
    const across = this.width > 1.5 * this.height && reach(back) > 1.5 * reach(right);
    return across ? oblique(1.1, -0.6) : oblique(0.75, -1);
  }
}

/** The axis of the world that a direction is nearest to, with its sign. */
function mainAxis(direction: Vector3): Vector3 {
  const sizes = direction.toArray().map(Math.abs);
  const k = sizes.indexOf(Math.max(...sizes));
  return new Vector3().setComponent(k, Math.sign(direction.getComponent(k)) || 1);
}

/** To the right and to the back, seen from the front, when this is up: for z up x and y. */
function axesAbout(up: Vector3): [Vector3, Vector3] {
  const some = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const right = some.addScaledVector(up, -some.dot(up)).normalize();
  return [right, new Vector3().crossVectors(up, right)];
}

/** What a canvas draws with; undefined where there is none. The picture stays readable: it can be saved from the browser's menu. */
export function webGlContext(canvas: HTMLCanvasElement): WebGL2RenderingContext | undefined {
  const options = { antialias: true, alpha: false, preserveDrawingBuffer: true, powerPreference: "high-performance" };
  return (canvas.getContext("webgl2", options) as WebGL2RenderingContext | null) ?? undefined;
}
