// A run in three.js: one mesh of all faces, one of all edges, and the lines drawn over them.

import * as THREE from "three";
import { Balls, hold } from "./balls";
import { INKS, NO_VALUE, PLANES, STONES, SUPPORT, isNamed, ramp, stageColour, type Quantity, type Rgb } from "./colours";
import { Deformation, exaggerate } from "./deformed";
import { Lines } from "./lines";
import { closeAbove, digits } from "./numbers";
import type { Run } from "./run";
import type { Settings } from "./settings";
import * as shaders from "./shaders";
import { shadows } from "./shadows";
import type { Pack } from "./wire";

/** Forces below this part of the largest are not drawn. */
const SMALLEST = 5e-3;

/** Number of blocks above which forces have no arrowheads. */
const MANY_ARROWS = 1000;

/** Largest values of the quantities shown as lines; shared by runs side by side, so that their lines are comparable. */
export interface Strengths {
  force: number;
  contact: number;
  speed: number;
  load: number;
  cable: number;
  opening: number;
}

/** Meaning of the lines of a frame, for the legend. */
export interface Sign {
  label: string;
  unit: string;
  value: number | null;
  ink: Rgb;
}

export class Structure {
  readonly scene = new THREE.Scene();
  readonly box = new THREE.Box3();
  signs: Sign[] = [];
  hidden: Uint8Array;
  /** The displayed frame, if lines of its interfaces are drawn. */
  private joints: Pack | null = null;
  private readonly poses: THREE.DataTexture;
  private readonly colours: THREE.DataTexture;
  private readonly faces: THREE.Mesh;
  private readonly edges: THREE.LineSegments;
  private readonly balls: Balls;
  private readonly shadows: THREE.Mesh[];
  private readonly deformation: Deformation;
  private readonly lines: Lines;
  /** Cables, pale where they are inside or behind blocks. */
  private readonly cables: [Lines, Lines];
  private readonly coloured: THREE.ShaderMaterial;
  private readonly pickMaterial: THREE.ShaderMaterial;
  private readonly shared: Record<string, THREE.IUniform>;
  /** Meaning of the displayed colours, if it does not depend on the frame. */
  private painted = "";
  private shown: { position: Float32Array; rotation: Float32Array } | null = null;

  constructor(readonly run: Run, private readonly settings: Settings) {
    const bodies = run.bodies;
    const rows = Math.max(1, Math.ceil(run.count / shaders.ROW));
    const nearest = (texture: THREE.DataTexture) => {
      texture.minFilter = texture.magFilter = THREE.NearestFilter;
      texture.generateMipmaps = false;
      return texture;
    };
    this.poses = nearest(new THREE.DataTexture(
      new Float32Array(8 * shaders.ROW * rows), 2 * shaders.ROW, rows, THREE.RGBAFormat, THREE.FloatType));
    this.colours = nearest(new THREE.DataTexture(new Uint8Array(4 * shaders.ROW * rows), shaders.ROW, rows));
    this.hidden = new Uint8Array(run.count);
    this.shared = {
      poses: { value: this.poses },
      colours: { value: this.colours },
      cut: { value: new THREE.Vector4(0, 0, 0, 1) },
      darkest: { value: 0.62 },
      flatness: { value: bodies.about.dimension === 2 ? 1 : 0 },
      ink: { value: new THREE.Vector4(0.29, 0.25, 0.21, 1) },
      rim: { value: new THREE.Vector4(1, 1, 1, 0) },
      page: { value: new THREE.Vector2(1, 1) },
      lift: { value: new THREE.Vector2(0, 0) },
      ground: { value: new THREE.Vector2(-1e9, 1) },
    };
    const material = (vertexShader: string, fragmentShader: string) => new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader, fragmentShader, uniforms: this.shared, side: THREE.DoubleSide,
      polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 16,
    });
    this.coloured = material(shaders.FACES_VERTEX, shaders.FACES_FRAGMENT);
    this.pickMaterial = material(shaders.PICK_VERTEX, shaders.PICK_FRAGMENT);

    const solid = new THREE.BufferGeometry();
    const corners = new THREE.BufferAttribute(bodies.f32("points"), 3);
    const owners = new THREE.BufferAttribute(Float32Array.from(bodies.u32("owners")), 1);
    solid.setAttribute("position", corners);
    solid.setAttribute("owner", owners);
    solid.setIndex(new THREE.BufferAttribute(bodies.u32("triangles"), 1));
    this.faces = new THREE.Mesh(solid, this.coloured);
    const wires = new THREE.BufferGeometry();
    wires.setAttribute("position", corners);
    wires.setAttribute("owner", owners);
    wires.setIndex(new THREE.BufferAttribute(bodies.u32("edges"), 1));
    this.balls = new Balls(bodies, this.shared);
    this.deformation = new Deformation(corners, bodies.u32("owners"), run.count);
    this.edges = new THREE.LineSegments(wires, material(shaders.EDGES_VERTEX, shaders.EDGES_FRAGMENT));
    (this.edges.material as THREE.Material).transparent = true;
    this.cables = [new Lines(this.shared, 0.4), new Lines(this.shared, 1, true)];
    this.lines = new Lines(this.shared);
    this.shadows = shadows(bodies, corners, owners, this.shared);
    for (const part of [...this.shadows, this.faces, this.edges, this.balls.mesh, ...this.cables.map((lines) => lines.mesh), this.lines.mesh]) {
      part.frustumCulled = false;
      this.scene.add(part);
    }
  }

  /** Diagonal of the structure [m]. */
  get size(): number {
    return Math.max(this.box.getSize(new THREE.Vector3()).length(), 1e-6);
  }

  /** Shows a frame; `first` is the reference of displacements. */
  show(frame: Pack, first: Pack, quantity: Quantity, range: [number, number], chosen: number, strengths: Strengths): void {
    this.pose(frame, first);
    this.paint(frame, first, quantity, range, chosen);
    this.draw(frame, strengths);
  }

  /** The largest forces, speeds and openings of a frame. */
  strengths(frame: Pack): Strengths {
    const support = this.run.bodies.u8("support");
    const most = (values: Float32Array, width: number, counts: (i: number) => boolean = () => true) => {
      let found = 0;
      for (let i = 0; width * i < values.length; i++) {
        let sum = 0;
        for (let k = 0; k < width; k++) sum += values[width * i + k] ** 2;
        if (sum > found && counts(i)) found = sum;
      }
      return Math.sqrt(found);
    };
    return {
      force: most(frame.f32("joint_force"), 3),
      contact: most(frame.f32("contact_force"), 3),
      speed: most(frame.f32("velocity"), 3, (i) => !support[i]),
      load: most(frame.f32("load_force"), 3),
      cable: most(frame.f32("cable_force"), 1),
      opening: most(frame.f32("crack_opening"), 1),
    };
  }

  private pose(frame: Pack, first: Pack): void {
    let [position, rotation] = [frame.f32("position"), frame.f32("rotation")];
    const factor = this.settings.exaggeration;
    if (factor !== 1) {
      [position, rotation] = [position.slice(), rotation.slice()];
      exaggerate(position, rotation, first, factor);
    }
    this.shown = { position, rotation };
    this.deformation.show(frame, factor);
    const endless = this.run.bodies.u8("endless");
    const there = frame.u8("there");
    const texels = this.poses.image.data as Float32Array;
    const { ground } = this.settings;
    for (let i = 0, p = 0, q = 0, t = 0; i < this.run.count; i++) {
      texels[t++] = position[p++];
      texels[t++] = position[p++];
      texels[t++] = position[p++];
      texels[t++] = this.hidden[i] || !there[i] || (endless[i] && !ground) ? 0 : 1;
      texels[t++] = rotation[q++];
      texels[t++] = rotation[q++];
      texels[t++] = rotation[q++];
      texels[t++] = rotation[q++];
    }
    this.poses.needsUpdate = true;
    if (this.box.isEmpty()) this.measure(first);
  }

  /** The box around all bounded bodies in the first frame. */
  private measure(first: Pack): void {
    const { bodies } = this.run;
    const [points, owners, endless] = [bodies.f32("points"), bodies.u32("owners"), bodies.u8("endless")];
    const [position, rotation] = [first.f32("position"), first.f32("rotation")];
    const [point, turn] = [new THREE.Vector3(), new THREE.Quaternion()];
    for (let i = 0; i < owners.length; i++) {
      const body = owners[i];
      if (endless[body]) continue;
      turn.fromArray(rotation, 4 * body);
      point.fromArray(points, 3 * i).applyQuaternion(turn);
      point.x += position[3 * body];
      point.y += position[3 * body + 1];
      point.z += position[3 * body + 2];
      this.box.expandByPoint(point);
    }
    hold(this.box, bodies, first);
    if (this.box.isEmpty()) this.box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    // the highest plane is the ground that shadows fall on
    const planes = [...endless.keys()].filter((body) => endless[body]).map((body) => position[3 * body + 2]);
    if (planes.length) this.shared.ground.value.set(Math.max(...planes), bodies.about.block);
  }

  private paint(frame: Pack, first: Pack, quantity: Quantity, range: [number, number], chosen: number): void {
    const { bodies, count } = this.run;
    // colours that represent names do not change from frame to frame
    const same = isNamed(quantity) ? `${quantity.name} ${chosen} ${this.settings.dark} ${this.run.stagesNow !== null}` : "";
    if (same !== "" && same === this.painted) return;
    this.painted = same;
    const [material, support, endless] = [bodies.u32("material"), bodies.u8("support"), bodies.u8("endless")];
    const values = isNamed(quantity) ? null : this.run.values(quantity, frame, first);
    const stage = quantity.name === "stage" ? this.run.stagesNow?.stage : null;
    const texels = this.colours.image.data as Uint8Array;
    for (let i = 0; i < count; i++) {
      let colour: Rgb;
      if (values && !Number.isNaN(values[i])) colour = ramp((values[i] - range[0]) / (range[1] - range[0]));
      else if (endless[i]) colour = PLANES[Number(this.settings.dark)];
      else if (support[i]) colour = SUPPORT;
      else if (values) colour = NO_VALUE;
      else if (stage) colour = stage[i] < 0 ? NO_VALUE : stageColour(stage[i], this.run.stagesNow!.names.length);
      else colour = STONES[material[i] % STONES.length];
      for (let k = 0; k < 3; k++) texels[4 * i + k] = colour[k];
      texels[4 * i + 3] = i === chosen ? 90 : 255;
    }
    this.colours.needsUpdate = true;
    this.shared.darkest.value = values ? 0.82 : 0.62;
  }

  /** Displayed position of a point that moves with a body. */
  private follow(point: THREE.Vector3, body: number, frame: Pack): THREE.Vector3 {
    if (this.settings.exaggeration === 1 || !this.shown) return point;
    const turn = new THREE.Quaternion().fromArray(frame.f32("rotation"), 4 * body).invert();
    const local = point.clone().sub(new THREE.Vector3().fromArray(frame.f32("position"), 3 * body)).applyQuaternion(turn);
    local.applyQuaternion(turn.fromArray(this.shown.rotation, 4 * body));
    return local.add(new THREE.Vector3().fromArray(this.shown.position, 3 * body));
  }

  private draw(frame: Pack, strengths: Strengths): void {
    const { lines, settings, run } = this;
    const show = settings.show;
    const block: number = run.bodies.about.block;
    const reach: number = run.bodies.about.reach;
    for (const some of [lines, ...this.cables]) some.clear();
    this.signs = [];
    this.joints = null;
    if (!Object.values(show).some(Boolean)) {
      for (const some of [lines, ...this.cables]) some.show();
      return;
    }
    const seen = (body: number) => !this.hidden[body];
    const at = (values: Float32Array, i: number) => new THREE.Vector3().fromArray(values, 3 * i);
    const [bodies, centre, force] = [frame.u32("joint_bodies"), frame.f32("joint_centre"), frame.f32("joint_force")];
    const joints = bodies.length / 2;
    const sizes = new Float32Array(joints);
    for (let i = 0; i < joints; i++) sizes[i] = Math.hypot(force[3 * i], force[3 * i + 1], force[3 * i + 2]);
    const strongest = strengths.force;
    const scale = closeAbove(strongest);

    if (show.cracks) this.drawCracks(frame, strengths.opening, seen);
    if (show.network && strongest > 0) {
      const support = run.bodies.u8("support");
      for (let i = 0; i < joints; i++) {
        const [a, b] = [bodies[2 * i], bodies[2 * i + 1]];
        if (sizes[i] < SMALLEST * strongest || !seen(a) || !seen(b)) continue;
        const width = Math.max(1, (9 * sizes[i]) / scale);
        // the line ends at the joint with a support: the centroid of a support has no meaning
        const place = this.follow(at(centre, i), support[a] ? b : a, frame).toArray();
        const end = (body: number) => (support[body] ? place : at(this.shown!.position, body).toArray());
        lines.add(end(a), place, [width, width], INKS.force);
        lines.add(place, end(b), [width, width], INKS.force);
      }
      this.signs.push({ label: "force network, thickest", unit: "N", value: scale, ink: INKS.force });
    }
    // tens of thousands in large structures: objects are reused
    const [middle, half] = [new THREE.Vector3(), new THREE.Vector3()];
    const [from, to, widths]: [number[], number[], [number, number]] = [[0, 0, 0], [0, 0, 0], [0, 0]];
    const drawn = show.resultants || show.centres;
    for (let i = 0; drawn && i < joints; i++) {
      if (!seen(bodies[2 * i]) && !seen(bodies[2 * i + 1])) continue;
      const place = this.follow(middle.fromArray(centre, 3 * i), bodies[2 * i], frame);
      if (show.resultants && strongest > 0 && sizes[i] >= SMALLEST * strongest) {
        half.fromArray(force, 3 * i).multiplyScalar((0.5 * reach) / scale);
        widths[0] = widths[1] = 1 + 2.2 * Math.sqrt(sizes[i] / scale);
        from[0] = place.x - half.x, from[1] = place.y - half.y, from[2] = place.z - half.z;
        to[0] = place.x + half.x, to[1] = place.y + half.y, to[2] = place.z + half.z;
        if (run.count > MANY_ARROWS) lines.add(from, to, widths, INKS.force);
        else {
          // the forces on both sides of the joint
          const joint = place.toArray();
          lines.arrow(from, joint, widths[0], INKS.force, 0.3);
          lines.arrow(to, joint, widths[0], INKS.force, 0.3);
        }
      }
      if (show.centres) {
        place.toArray(from);
        // in large walls, dots of the size of blocks would hide them
        widths[0] = widths[1] = run.count > 1000 ? 1 : 4;
        lines.add(from, from, widths, sizes[i] > 0 ? INKS.centre : INKS.crack);
      }
    }
    this.joints = show.resultants || show.centres || show.thrust || show.network ? frame : null;
    if (show.resultants && strongest > 0) {
      this.signs.push({ label: "force between blocks, longest", unit: "N", value: scale, ink: INKS.force });
    }
    if (show.centres) this.signs.push({ label: "centre of pressure", unit: "", value: null, ink: INKS.centre });
    if (show.contacts) this.drawContacts(frame, reach, strengths.contact, seen);
    if (show.thrust) this.pieces(frame.f32("thrust"), () => 3, INKS.thrust, "thrust line", "", () => null);
    if (show.cables) this.drawCables(frame, strengths.cable);
    if (show.motion) this.drawMotion(frame, block, strengths.speed, seen);
    if (show.loads) this.drawLoads(frame, block, strengths.load);
    if (show.flows) this.drawFlows(frame);
    for (const some of [lines, ...this.cables]) some.show();
  }

  private drawCables(frame: Pack, most: number): void {
    const [ends, tension] = [frame.f32("cable"), frame.f32("cable_force")];
    const end = (at: number) => {
      const point = new THREE.Vector3().fromArray(ends, at);
      return this.settings.exaggeration === 1 ? point : this.follow(point, this.nearest(point, frame), frame);
    };
    for (let i = 0; 6 * i < ends.length; i++) {
      const width = 2 + (most > 0 ? (3 * Math.abs(tension[i])) / most : 0);
      const [a, b] = [end(6 * i).toArray(), end(6 * i + 3).toArray()];
      for (const lines of this.cables) lines.add(a, b, [width, width], INKS.cable);
      for (const anchor of [a, b]) this.cables[0].add(anchor, anchor, [width + 2, width + 2], INKS.cable);
    }
    if (ends.length > 0) this.signs.push({ label: "cable, up to", unit: "N", value: most, ink: INKS.cable });
  }

  /** The bounded body whose centroid is nearest to a point. */
  private nearest(point: THREE.Vector3, frame: Pack): number {
    const [position, endless] = [frame.f32("position"), this.run.bodies.u8("endless")];
    let [best, found] = [Infinity, 0];
    for (let i = 0; i < this.run.count; i++) {
      const distance = (position[3 * i] - point.x) ** 2 + (position[3 * i + 1] - point.y) ** 2 + (position[3 * i + 2] - point.z) ** 2;
      if (!endless[i] && distance < best) [best, found] = [distance, i];
    }
    return found;
  }

  private pieces(
    ends: Float32Array, width: (i: number) => number, ink: Rgb, label: string, unit: string, value: () => number | null,
  ): void {
    for (let i = 0; 6 * i < ends.length; i++) {
      const w = width(i);
      this.lines.add(ends.subarray(6 * i, 6 * i + 3), ends.subarray(6 * i + 3, 6 * i + 6), [w, w], ink);
    }
    if (ends.length > 0) this.signs.push({ label, unit, value: value(), ink });
  }

  private drawCracks(frame: Pack, most: number, seen: (body: number) => boolean): void {
    const [ends, gaps, owners] = [frame.f32("crack"), frame.f32("crack_opening"), frame.u32("crack_body")];
    const least = this.settings.crack;
    for (let i = 0; i < gaps.length; i++) {
      if (gaps[i] < least || !seen(owners[i])) continue;
      const width = 1.2 + 2.6 * Math.sqrt(gaps[i] / most);
      const end = (k: number) => {
        const point = new THREE.Vector3().fromArray(ends, 6 * i + k);
        return this.follow(point, owners[i], frame).toArray();
      };
      this.lines.add(end(0), end(3), [width, width], INKS.crack);
    }
    const label = `joint open by more than ${digits(1000 * least)} mm, up to`;
    if (most >= least) this.signs.push({ label, unit: "m", value: most, ink: INKS.crack });
  }

  private drawContacts(frame: Pack, reach: number, strongest: number, seen: (body: number) => boolean): void {
    const [place, force, owner] = [frame.f32("contact_place"), frame.f32("contact_force"), frame.u32("contact_body")];
    const size = (i: number) => Math.hypot(force[3 * i], force[3 * i + 1], force[3 * i + 2]);
    if (strongest === 0) return;
    const scale = closeAbove(strongest);
    for (let i = 0; i < owner.length; i++) {
      if (size(i) < SMALLEST * strongest || !seen(owner[i])) continue;
      const middle = this.follow(new THREE.Vector3().fromArray(place, 3 * i), owner[i], frame);
      const half = new THREE.Vector3().fromArray(force, 3 * i).multiplyScalar((0.35 * reach) / scale);
      this.lines.add(middle.clone().sub(half).toArray(), middle.add(half).toArray(), [1.4, 1.4], INKS.force);
    }
    this.signs.push({ label: "contact force, longest", unit: "N", value: scale, ink: INKS.force });
  }

  private drawMotion(frame: Pack, block: number, fastest: number, seen: (body: number) => boolean): void {
    const velocity = frame.f32("velocity");
    const support = this.run.bodies.u8("support");
    const speed = (i: number) => Math.hypot(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]);
    if (!(fastest > 1e-5)) return;
    const scale = closeAbove(fastest);
    for (let i = 0; i < this.run.count; i++) {
      if (support[i] || !seen(i) || speed(i) < 0.02 * fastest) continue;
      const start = new THREE.Vector3().fromArray(this.shown!.position, 3 * i);
      const tip = new THREE.Vector3().fromArray(velocity, 3 * i).multiplyScalar((1.5 * block) / scale).add(start);
      this.lines.arrow(start.toArray(), tip.toArray(), 2, INKS.motion);
    }
    this.signs.push({ label: "velocity, longest", unit: "m/s", value: scale, ink: INKS.motion });
  }

  /** Wind and current around their points, with lengths proportional to the speed. */
  private drawFlows(frame: Pack): void {
    const [place, velocity, wind] = [frame.f32("flow_place"), frame.f32("flow_velocity"), frame.u8("flow_wind")];
    const speed = (i: number) => Math.hypot(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]);
    for (const [kind, label, ink] of [[1, "wind, longest", INKS.wind], [0, "current, longest", INKS.current]] as const) {
      let fastest = 0;
      for (let i = 0; i < wind.length; i++) if (wind[i] === kind) fastest = Math.max(fastest, speed(i));
      if (!(fastest > 0)) continue;
      for (let i = 0; i < wind.length; i++) {
        if (wind[i] !== kind || speed(i) < SMALLEST * fastest) continue;
        const half = new THREE.Vector3().fromArray(velocity, 3 * i).multiplyScalar((0.02 * this.size) / fastest);
        const middle = new THREE.Vector3().fromArray(place, 3 * i);
        this.lines.arrow(middle.clone().sub(half).toArray(), middle.clone().add(half).toArray(), 1.5, ink);
      }
      this.signs.push({ label, unit: "m/s", value: fastest, ink });
    }
  }

  private drawLoads(frame: Pack, block: number, strongest: number): void {
    const [place, force] = [frame.f32("load_place"), frame.f32("load_force")];
    if (strongest === 0) return;
    for (let i = 0; i < force.length; i += 3) {
      const tip = new THREE.Vector3().fromArray(place, i);
      const along = new THREE.Vector3().fromArray(force, i);
      const part = along.length() / strongest;
      if (part < SMALLEST) continue;
      const reach = Math.min(block, 0.12 * this.size) * (0.15 + 1.5 * part);
      this.lines.arrow(tip.clone().sub(along.setLength(reach)).toArray(), tip.toArray(), 3.5, INKS.load, 0.25);
    }
    this.signs.push({ label: "load, up to", unit: "N", value: strongest, ink: INKS.load });
  }

  /** Settings of the picture that change without a new frame; `pixel` is the size of a pixel, seen from one metre [m]. */
  style(dark: boolean, cut: THREE.Vector4, page: THREE.Vector2, edges: number, pixel: number): void {
    this.shared.cut.value.copy(cut);
    this.shared.lift.value.set(12 * pixel, 0.25 * this.run.bodies.about.block);
    this.shared.page.value.copy(page);
    // lines need a rim on coloured blocks, not on plain stone
    const paper = dark ? 0.08 : 1;
    this.shared.rim.value.set(paper, paper, paper, dark || !isNamed(this.settings.quantity) ? 0.75 : 0);
    this.edges.visible = edges > 0;
    this.shared.ink.value.w = edges;
    // the inside is visible where blocks are cut; the back of a plane is never visible
    const both = this.settings.section !== null || this.run.bodies.about.dimension === 2;
    this.coloured.side = this.pickMaterial.side = both ? THREE.DoubleSide : THREE.FrontSide;
    INKS.crack = dark ? [235, 235, 235] : [17, 17, 17];
  }

  /** Shadows are drawn when the view is at rest. */
  shade(on: boolean): void {
    for (const shadow of this.shadows) shadow.visible = on && this.settings.shadows && this.settings.ground;
  }

  /** The first intersection of a ray with a body, or the corner of the body nearest to the ray on the screen. */
  pointOf(body: number, ray: THREE.Ray, corner: (point: THREE.Vector3) => boolean): THREE.Vector3 | null {
    const { bodies } = this.run;
    const [points, owners, triangles] = [bodies.f32("points"), bodies.u32("owners"), bodies.u32("triangles")];
    if (!this.shown) return null;
    const turn = new THREE.Quaternion().fromArray(this.shown.rotation, 4 * body);
    const place = new THREE.Vector3().fromArray(this.shown.position, 3 * body);
    const at = (i: number) => new THREE.Vector3().fromArray(points, 3 * i).applyQuaternion(turn).add(place);
    let [best, found]: [number, THREE.Vector3 | null] = [Infinity, null];
    const hit = new THREE.Vector3();
    for (let k = 0; k < triangles.length; k += 3) {
      if (owners[triangles[k]] !== body) continue;
      const [a, b, c] = [at(triangles[k]), at(triangles[k + 1]), at(triangles[k + 2])];
      if (!ray.intersectTriangle(a, b, c, false, hit)) continue;
      const away = hit.distanceTo(ray.origin);
      if (away >= best) continue;
      [best, found] = [away, [a, b, c].find(corner) ?? hit.clone()];
    }
    return found;
  }

  /** Draws indices of bodies instead of colours. */
  picking(on: boolean): void {
    if (on) this.shade(false);
    this.faces.material = on ? this.pickMaterial : this.coloured;
    this.balls.picking(on);
    this.edges.visible = !on && this.settings.edges;
    for (const lines of [this.lines, ...this.cables]) lines.mesh.visible = !on && lines.any;
  }

  /** The joint nearest to a point of the view, within some pixels. */
  jointNear(x: number, y: number, camera: THREE.Camera, page: THREE.Vector2, within: number): [number, number] | null {
    let [best, found]: [number, [number, number] | null] = [within, null];
    if (!this.joints) return null;
    const [bodies, centre] = [this.joints.u32("joint_bodies"), this.joints.f32("joint_centre")];
    for (let i = 0; 2 * i < bodies.length; i++) {
      const [a, b] = [bodies[2 * i], bodies[2 * i + 1]];
      if (this.hidden[a] && this.hidden[b]) continue;
      const spot = this.follow(new THREE.Vector3().fromArray(centre, 3 * i), a, this.joints).project(camera);
      const distance = Math.hypot(((spot.x + 1) / 2) * page.x - x, ((1 - spot.y) / 2) * page.y - y);
      if (distance < best) [best, found] = [distance, [a, b]];
    }
    return found;
  }

  dispose(): void {
    this.faces.geometry.dispose();
    this.edges.geometry.dispose();
    this.balls.dispose();
    this.poses.dispose();
    this.colours.dispose();
  }
}
