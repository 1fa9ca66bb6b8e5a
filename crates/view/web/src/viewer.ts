// The canvas: one camera, one view per run side by side, picking, sections.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Settings } from "./settings";
import type { Structure } from "./structure";

/** Direction of view: azimuth from −y towards +x, elevation [degrees]; as in `voussoir export --view`. */
export const PRESETS: [string, number, number][] = [
  ["iso", -28, 18], ["front", 0, 0], ["back", 180, 0], ["left", -90, 0], ["right", 90, 0], ["top", 0, 89.99], ["bottom", 0, -89.99],
];

/** Time between two drawings above which the resolution is reduced during motion [ms]. */
const SLOW = 40;
/** Time without motion after which the finest picture is drawn [ms]. */
const REST = 300;
/** Tolerance of the plane of a section, relative to the size of the structure. */
const IN_PLANE = 1e-4;
/** Number of blocks above which software rendering starts with the lowest resolution during motion. */
const MANY = 3000;
/** Pixels drawn per pixel of the screen, best first; the last one also omits edges. The first is for pictures at rest. */
const QUALITIES = { card: [1, 1, 0.75, 0.5, 0.5], software: [2, 1, 0.75, 0.5, 0.5] };

export type Pick =
  | { kind: "block"; run: number; body: number }
  | { kind: "joint"; run: number; bodies: [number, number] };

export class Viewer {
  readonly renderer: THREE.WebGLRenderer;
  readonly perspective = new THREE.PerspectiveCamera(30, 1, 0.01, 1000);
  readonly flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  structures: Structure[] = [];
  /** Elevations: parallel lines stay parallel, lengths can be measured. */
  private parallel = false;
  private controls!: OrbitControls;
  private wanted = true;
  private readonly ratios: number[];
  /** Index of the ratio during motion, and of the displayed picture. */
  private quality = 1;
  private shownQuality = 0;
  private slow = 0;
  /** Time of the last drawing during motion [ms]. */
  private last = NaN;
  private dragging = false;
  /** Time of the last motion [ms]. */
  private moved = 0;
  private readonly software: boolean;
  private readonly pickTarget = new THREE.WebGLRenderTarget(1, 1);
  /** Called before every drawing. */
  onDraw: () => void = () => {};
  onPick: (pick: Pick | null) => void = () => {};
  /** Returns true if a tool handles the click. */
  onClick: (x: number, y: number) => boolean = () => false;

  constructor(readonly canvas: HTMLCanvasElement, private readonly settings: Settings) {
    // without a GPU, antialiasing needs several times the pixels and is used at rest only
    const software = (this.software = drawsInSoftware());
    const most = software ? 1 : Math.min(window.devicePixelRatio, 2);
    this.ratios = (software ? QUALITIES.software : QUALITIES.card).map((ratio) => ratio * most);
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !software, preserveDrawingBuffer: true, stencil: true });
    this.renderer.autoClear = false;
    // querying the compilation status blocks the page; tests check the pixels instead
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.setPixelRatio(this.ratios[0]);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.listen();
  }

  /** Sets the structures of all runs. */
  take(structures: Structure[]): void {
    this.structures.forEach((old) => old.dispose());
    this.structures = structures;
    this.moved = performance.now();
    const blocks = structures.reduce((sum, structure) => sum + structure.run.count, 0);
    if (this.software && blocks > MANY) this.quality = this.ratios.length - 1;
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomToCursor = true;
    this.controls.enableRotate = !this.isFlat;
    if (this.isFlat) this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
    if (this.isFlat) this.controls.touches.ONE = THREE.TOUCH.PAN;
    this.controls.addEventListener("change", () => this.redraw());
    this.controls.addEventListener("start", () => (this.dragging = true));
    this.controls.addEventListener("end", () => (this.dragging = false));
    this.resize();
  }

  /** Replaces the structures by structures with more bodies; the view is kept. */
  replace(structures: Structure[]): void {
    structures.forEach((structure, index) => {
      const old = this.structures[index];
      structure.hidden.set(old.hidden.subarray(0, structure.hidden.length));
      old.dispose();
    });
    this.structures = structures;
    this.redraw();
  }

  /** All runs are in the plane. */
  get isFlat(): boolean {
    return this.structures.length > 0 && this.structures.every((s) => s.run.bodies.about.dimension === 2);
  }

  /** True when lengths have one scale over the whole view. */
  get isParallel(): boolean {
    return this.isFlat || this.parallel;
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.isParallel ? this.flat : this.perspective;
  }

  /** Switches between parallel and central projection; the scale at the centre of the view is kept. */
  project(parallel: boolean): void {
    if (this.isFlat || parallel === this.parallel) return;
    const { target } = this.controls;
    const arm = this.camera.position.clone().sub(target);
    const slope = Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2));
    if (parallel) {
      this.flat.up.set(0, 0, 1);
      this.flat.position.copy(this.perspective.position);
      this.flat.zoom = 1 / (slope * arm.length());
      this.fitFlat();
    } else {
      this.perspective.up.set(0, 0, 1);
      this.perspective.position.copy(target).add(arm.setLength(1 / (slope * this.flat.zoom)));
    }
    this.parallel = parallel;
    this.controls.object = this.camera;
    this.controls.update();
    this.redraw();
  }

  redraw(): void {
    this.wanted = true;
  }

  /** The box around all structures. */
  private get box(): THREE.Box3 {
    return this.structures.reduce((box, s) => box.union(s.box), new THREE.Box3());
  }

  /** Shows the whole structure from a direction. */
  look(azimuth: number, elevation: number): void {
    const box = this.box;
    if (box.isEmpty()) return;
    const centre = box.getCenter(new THREE.Vector3());
    if (this.isFlat) {
      this.flat.position.set(centre.x, centre.y, 100);
      this.flat.up.set(0, 1, 0);
      const size = box.getSize(new THREE.Vector3());
      const half = 0.6 * Math.max(size.y, size.x / this.aspect);
      this.flat.zoom = 1 / Math.max(half, 1e-9);
      this.fitFlat();
    } else {
      const [a, e] = [THREE.MathUtils.degToRad(azimuth), THREE.MathUtils.degToRad(elevation)];
      const towards = new THREE.Vector3(Math.cos(e) * Math.sin(a), -Math.cos(e) * Math.cos(a), Math.sin(e));
      this.camera.up.set(0, 0, 1);
      // far enough for all corners of the box
      const right = new THREE.Vector3(Math.cos(a), Math.sin(a), 0);
      const up = towards.clone().cross(right);
      const slope = Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2)) * 0.8;
      let [distance, half] = [0, 0];
      for (let corner = 0; corner < 8; corner++) {
        const point = new THREE.Vector3(
          corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z,
        ).sub(centre);
        const [x, y, z] = [Math.abs(point.dot(right)), Math.abs(point.dot(up)), point.dot(towards)];
        distance = Math.max(distance, z + Math.max(y / slope, x / (slope * this.aspect)));
        half = Math.max(half, 1.2 * Math.max(y, x / this.aspect));
      }
      this.camera.position.copy(centre).addScaledVector(towards, distance);
      if (this.parallel) {
        this.flat.zoom = 1 / Math.max(half, 1e-9);
        this.fitFlat();
      }
    }
    this.controls.target.copy(centre);
    this.controls.update();
    this.redraw();
  }

  /** Rotates about the structure, or moves in the plane [fractions of a turn, of the view]. */
  orbit(sideways: number, upwards: number): void {
    const { target } = this.controls;
    if (this.isFlat) {
      const shift = new THREE.Vector3((-sideways * 2 * this.aspect) / this.flat.zoom, (-upwards * 2) / this.flat.zoom, 0);
      this.flat.position.add(shift);
      target.add(shift);
    } else {
      const arm = this.camera.position.clone().sub(target).applyAxisAngle(new THREE.Vector3(0, 0, 1), -sideways * 2 * Math.PI);
      const side = arm.clone().cross(new THREE.Vector3(0, 0, 1)).normalize();
      const lifted = arm.clone().applyAxisAngle(side, -upwards * 2 * Math.PI);
      const steep = Math.abs(lifted.clone().normalize().z) > 0.999;
      this.camera.position.copy(target).add(steep ? arm : lifted);
    }
    this.controls.update();
    this.redraw();
  }

  zoom(factor: number): void {
    if (this.isParallel) {
      this.flat.zoom *= factor;
      this.fitFlat();
    } else {
      const arm = this.perspective.position.clone().sub(this.controls.target);
      this.perspective.position.copy(this.controls.target).addScaledVector(arm, 1 / factor);
    }
    this.controls.update();
    this.redraw();
  }

  private fitFlat(): void {
    [this.flat.left, this.flat.right, this.flat.top, this.flat.bottom] = [-this.aspect, this.aspect, 1, -1];
    this.flat.updateProjectionMatrix();
  }

  /** Views: left, top, width, height [px]; beside each other, or above each other on narrow screens. */
  views(): [number, number, number, number][] {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    if (this.structures.length < 2) return [[0, 0, w, h]];
    return w >= h
      ? [[0, 0, Math.floor(w / 2), h], [Math.ceil(w / 2), 0, Math.floor(w / 2), h]]
      : [[0, 0, w, Math.floor(h / 2)], [0, Math.ceil(h / 2), w, Math.floor(h / 2)]];
  }

  private get aspect(): number {
    const [, , w, h] = this.views()[0];
    return Math.max(w, 1) / Math.max(h, 1);
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement!;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.canvas.style.width = `${clientWidth}px`;
    this.canvas.style.height = `${clientHeight}px`;
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    this.fitFlat();
    this.redraw();
  }

  /** The section plane: points with n·x > w are omitted. */
  private cut(structure: Structure): THREE.Vector4 {
    const section = this.settings.section;
    if (!section) return new THREE.Vector4(0, 0, 0, 1);
    const normal = new THREE.Vector3(+(section.axis === "x"), +(section.axis === "y"), +(section.axis === "z"));
    const [low, high] = [structure.box.min.dot(normal), structure.box.max.dot(normal)];
    const place = low + section.part * (high - low);
    const sign = section.flip ? -1 : 1;
    // forces and thrust lines in the plane are visible
    const w = sign * place + IN_PLANE * (high - low);
    return new THREE.Vector4(sign * normal.x, sign * normal.y, sign * normal.z, w);
  }

  /** Draws if the view has changed; pictures during playback may be coarser. */
  draw(playing: boolean): void {
    const moving = playing || this.dragging;
    const now = performance.now();
    if (moving || !this.structures.length) this.moved = now;
    // the finest picture is drawn at rest, so that it does not delay the motion
    if (moving) this.takeQuality(this.quality);
    else if (now - this.moved > REST) this.takeQuality(0);
    else if (this.shownQuality === 0) this.takeQuality(1);
    if (!moving) this.last = NaN;
    if (!this.wanted) return;
    this.wanted = false;
    this.onDraw();
    this.paint();
    if (moving) this.adapt();
  }

  /** Near and far planes: the near plane is as close to the structure as possible, for the resolution of depths. */
  private clip(): void {
    const box = this.box;
    if (this.isFlat || box.isEmpty()) return;
    const size = box.getSize(new THREE.Vector3()).length();
    if (this.parallel) {
      const middle = this.flat.position.distanceTo(box.getCenter(new THREE.Vector3()));
      [this.flat.near, this.flat.far] = [middle - 14 * size, middle + 14 * size];
      this.flat.updateProjectionMatrix();
      return;
    }
    const away = box.distanceToPoint(this.perspective.position);
    this.perspective.near = Math.max(0.3 * away, 1e-3 * size);
    this.perspective.far = away + 14 * size;
    this.perspective.updateProjectionMatrix();
  }

  paint(): void {
    this.clip();
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, width, height);
    this.renderer.setClearColor(this.settings.dark ? 0x17191c : 0xffffff, 1);
    this.renderer.clear();
    this.renderer.setScissorTest(true);
    this.views().forEach(([left, top, w, h], index) => {
      const structure = this.structures[index];
      if (!structure) return;
      this.renderer.setViewport(left, height - top - h, w, h);
      this.renderer.setScissor(left, height - top - h, w, h);
      const edges = this.settings.edges && this.shownQuality < this.ratios.length - 1;
      structure.style(this.settings.dark, this.cut(structure), new THREE.Vector2(w, h), edges ? this.edgeStrength(structure, h) : 0, this.pixel(h));
      structure.shade(this.shownQuality === 0 || !this.software);
      this.renderer.render(structure.scene, this.camera);
    });
    this.renderer.setScissorTest(false);
  }

  /** The point of a block under a pixel of the canvas, or its corner within `snap` pixels. */
  pointAt(x: number, y: number, snap: number): THREE.Vector3 | null {
    const pick = this.pick(x, y, false);
    if (!pick || pick.kind !== "block") return null;
    const [left, top, w, h] = this.views()[pick.run];
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2((2 * (x - left)) / w - 1, 1 - (2 * (y - top)) / h), this.camera);
    const near = (point: THREE.Vector3) => {
      const [u, v] = this.onScreen(point, pick.run);
      return Math.hypot(u - x, v - y) <= snap;
    };
    return this.structures[pick.run].pointOf(pick.body, caster.ray, near);
  }

  /** Position of a point of the world on the canvas [px]. */
  onScreen(point: THREE.Vector3, run = 0): [number, number] {
    const [left, top, w, h] = this.views()[run];
    const seen = point.clone().project(this.camera);
    return [left + ((seen.x + 1) / 2) * w, top + ((1 - seen.y) / 2) * h];
  }

  /** Sizes of the box around all bounded bodies [m]. */
  get extent(): THREE.Vector3 {
    return this.box.getSize(new THREE.Vector3());
  }

  /** Metres per pixel of the screen, if the view has one scale. */
  get metresPerPixel(): number | null {
    return this.isParallel ? 2 / (this.flat.zoom * this.views()[0][3]) : null;
  }

  /** Draws the finest picture immediately, for saving it. */
  settle(): void {
    this.takeQuality(0);
    this.moved = -Infinity;
  }

  /** Size of a drawn pixel, seen from one metre, or in the plane [m]. */
  private pixel(height: number): number {
    const half = this.isParallel ? 1 / this.flat.zoom : Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2));
    return (2 * half) / (height * this.renderer.getPixelRatio());
  }

  /** Strength of edges, as in pictures: weak if blocks are a few pixels large. */
  private edgeStrength(structure: Structure, height: number): number {
    const arm = this.perspective.position.distanceTo(this.controls.target);
    const half = this.isParallel ? 1 / this.flat.zoom : Math.tan(THREE.MathUtils.degToRad(this.perspective.fov / 2)) * arm;
    const block = (structure.run.bodies.about.block * height) / (2 * half);
    return Math.min(Math.max((block - 2) / 16, 0.12), 1);
  }

  /** Slow machines reduce the resolution during motion, so that rotation and playback stay smooth. */
  private adapt(): void {
    const now = performance.now();
    const apart = now - this.last;
    this.last = now;
    // slower machines reduce earlier
    this.slow = apart > SLOW ? this.slow + apart / SLOW : Math.max(0, this.slow - 1);
    if (this.slow > 8 && this.quality < this.ratios.length - 1) {
      this.quality++;
      this.slow = 0;
    }
  }

  private takeQuality(quality: number): void {
    if (quality === this.shownQuality) return;
    this.shownQuality = quality;
    // 0 is the finest picture, drawn at rest
    this.canvas.dataset.quality = String(quality);
    this.renderer.setPixelRatio(this.ratios[quality]);
    this.resize();
  }

  /** The body or joint at a point of the canvas [px]. */
  pick(x: number, y: number, joints = true): Pick | null {
    const run = this.views().findIndex(([left, top, w, h]) => x >= left && x < left + w && y >= top && y < top + h);
    const structure = this.structures[run];
    if (!structure) return null;
    const [left, top, w, h] = this.views()[run];
    const joint = joints && structure.jointNear(x - left, y - top, this.camera, new THREE.Vector2(w, h), 7);
    if (joint) return { kind: "joint", run, bodies: joint };
    // one pixel with the index of a body
    this.camera.setViewOffset(w, h, x - left, y - top, 1, 1);
    structure.picking(true);
    structure.style(this.settings.dark, this.cut(structure), new THREE.Vector2(w, h), 0, 0);
    structure.picking(true);
    const before = this.renderer.getRenderTarget();
    this.renderer.setRenderTarget(this.pickTarget);
    this.renderer.setClearColor(0, 0);
    this.renderer.clear();
    this.renderer.render(structure.scene, this.camera);
    const pixel = new Uint8Array(4);
    this.renderer.readRenderTargetPixels(this.pickTarget, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(before);
    this.camera.clearViewOffset();
    structure.picking(false);
    this.redraw();
    const body = pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
    return body >= 0 && body < structure.run.count ? { kind: "block", run, body } : null;
  }

  /** A click that is not the end of a drag picks. */
  private listen(): void {
    let [x, y] = [NaN, NaN];
    this.canvas.addEventListener("pointerdown", (event) => ([x, y] = [event.offsetX, event.offsetY]));
    this.canvas.addEventListener("pointerup", (event) => {
      if (event.button === 0 && Math.hypot(event.offsetX - x, event.offsetY - y) < 5) {
        if (this.onClick(event.offsetX, event.offsetY)) return;
        this.onPick(this.pick(event.offsetX, event.offsetY));
      }
    });
  }
}

/** True for software rendering; some browsers report it without the creation of a context. */
function drawsInSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (!context) return true;
  const about = context?.getExtension("WEBGL_debug_renderer_info");
  const name = String((about && context!.getParameter(about.UNMASKED_RENDERER_WEBGL)) ?? "");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
