// Lines drawn over the structure: forces, thrust lines, open joints, cables, arrows.

import * as THREE from "three";
import type { Rgb } from "./colours";
import { LINES_FRAGMENT, LINES_VERTEX } from "./shaders";

type Point = ArrayLike<number>;

/** Pieces of lines, drawn in one call. */
export class Lines {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.InstancedBufferGeometry();
  private data = new Float32Array(0);
  private used = 0;
  private buffer = new THREE.InstancedInterleavedBuffer(new Float32Array(11), 11);

  /** `strength` 1 is opaque; with `hidden`, lines are not visible behind blocks. */
  constructor(uniforms: Record<string, THREE.IUniform>, strength = 1, hidden = false) {
    const corners = [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0];
    this.geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3,
      vertexShader: LINES_VERTEX,
      fragmentShader: LINES_FRAGMENT,
      uniforms: { ...uniforms, strength: { value: strength } },
      depthTest: hidden,
      depthWrite: false,
      transparent: true,
      side: THREE.DoubleSide,
    });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 10;
    this.attach();
  }

  clear(): void {
    this.used = 0;
  }

  /** A piece from `a` to `b`, with widths [px] at both ends. */
  add(a: Point, b: Point, widths: [number, number], ink: Rgb): void {
    if (11 * (this.used + 1) > this.data.length) {
      const larger = new Float32Array(Math.max(2 * this.data.length, 11 * 256));
      larger.set(this.data);
      this.data = larger;
    }
    const { data } = this;
    let at = 11 * this.used++;
    for (let k = 0; k < 3; k++) data[at++] = a[k];
    for (let k = 0; k < 3; k++) data[at++] = b[k];
    for (let k = 0; k < 2; k++) data[at++] = widths[k];
    for (let k = 0; k < 3; k++) data[at++] = ink[k] / 255;
  }

  /** An arrow from `a` to `b` [m]; `head` is the part of it that is the head. */
  arrow(a: Point, b: Point, width: number, ink: Rgb, head = 0.35): void {
    const neck = [0, 1, 2].map((k) => b[k] + head * (a[k] - b[k]));
    this.add(a, neck, [width, width], ink);
    this.add(neck, b, [4 * width, 0], ink);
  }

  /** True if there are lines to draw. */
  get any(): boolean {
    return this.used > 0;
  }

  /** Uploads the added lines to the GPU. */
  show(): void {
    if (this.buffer.array.length !== this.data.length) this.attach();
    if (this.used > 0) {
      this.buffer.clearUpdateRanges();
      this.buffer.addUpdateRange(0, 11 * this.used);
      this.buffer.needsUpdate = true;
    }
    this.geometry.instanceCount = this.used;
    this.mesh.visible = this.used > 0;
  }

  private attach(): void {
    if (this.data.length === 0) this.data = new Float32Array(11 * 256);
    this.geometry.dispose();
    this.buffer = new THREE.InstancedInterleavedBuffer(this.data, 11);
    this.buffer.setUsage(THREE.DynamicDrawUsage);
    const part = (size: number, offset: number) => new THREE.InterleavedBufferAttribute(this.buffer, size, offset);
    this.geometry.setAttribute("start", part(3, 0));
    this.geometry.setAttribute("end", part(3, 3));
    this.geometry.setAttribute("widths", part(2, 6));
    this.geometry.setAttribute("ink", part(3, 8));
  }
}
