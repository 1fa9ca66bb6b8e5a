// Corners of deformed bodies, and exaggerated motion. A frame has the corners of its deformed bodies; all others keep
// their shape.

import * as THREE from "three";
import type { Pack } from "./wire";

export class Deformation {
  /** Corners as in the cast, in body axes. */
  private readonly form: Float32Array;
  /** First corner of every body, and one more. */
  private readonly first: Uint32Array;
  /** Deformed bodies of the displayed frame. */
  private shown: number[] = [];

  constructor(private readonly corners: THREE.BufferAttribute, owners: Uint32Array, bodies: number) {
    this.form = (corners.array as Float32Array).slice();
    this.first = new Uint32Array(bodies + 1);
    // corners are packed body by body
    for (const owner of owners) this.first[owner + 1]++;
    for (let i = 0; i < bodies; i++) this.first[i + 1] += this.first[i];
  }

  /** Shows the shapes of a frame; `factor` exaggerates the deformation. */
  show(frame: Pack, factor: number): void {
    const [bodies, points] = [frame.u32("deformed_body"), frame.f32("deformed_points")];
    if (bodies.length === 0 && this.shown.length === 0) return;
    const values = this.corners.array as Float32Array;
    for (const body of this.shown) {
      const [from, to] = [3 * this.first[body], 3 * this.first[body + 1]];
      values.set(this.form.subarray(from, to), from);
    }
    let at = 0;
    for (const body of bodies) {
      for (let k = 3 * this.first[body]; k < 3 * this.first[body + 1]; k++) {
        values[k] = this.form[k] + factor * (points[at++] - this.form[k]);
      }
    }
    this.shown = [...bodies];
    this.corners.needsUpdate = true;
  }
}

/** Exaggerates the motion of bodies: p₀ + s (p − p₀), and s times the angle about the same axis. */
export function exaggerate(position: Float32Array, rotation: Float32Array, first: Pack, factor: number): void {
  const [from, turned] = [first.f32("position"), first.f32("rotation")];
  const [then, now, axis] = [new THREE.Quaternion(), new THREE.Quaternion(), new THREE.Vector3()];
  for (let k = 0; k < position.length; k++) position[k] = from[k] + factor * (position[k] - from[k]);
  for (let i = 0; 4 * i < rotation.length; i++) {
    then.fromArray(turned, 4 * i);
    now.fromArray(rotation, 4 * i);
    const change = now.multiply(then.clone().invert());
    if (change.w < 0) change.set(-change.x, -change.y, -change.z, -change.w);
    axis.set(change.x, change.y, change.z);
    const sine = axis.length();
    if (sine === 0) continue;
    const angle = 2 * Math.atan2(sine, change.w) * factor;
    change.setFromAxisAngle(axis.divideScalar(sine), angle).multiply(then).toArray(rotation, 4 * i);
  }
}
