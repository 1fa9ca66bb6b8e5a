// Corners of deformed bodies: each frame brings those of the bodies that are deformed; all others keep their form.

import * as THREE from "three";
import type { Pack } from "./wire";

export class Deformation {
  /** Corners as in the cast, in body axes. */
  private readonly form: Float32Array;
  /** First corner of every body, and one more. */
  private readonly first: Uint32Array;
  /** Bodies that the frame on show deforms. */
  private shown: number[] = [];

  constructor(private readonly corners: THREE.BufferAttribute, owners: Uint32Array, bodies: number) {
    this.form = (corners.array as Float32Array).slice();
    this.first = new Uint32Array(bodies + 1);
    // corners are packed body by body
    for (const owner of owners) this.first[owner + 1]++;
    for (let i = 0; i < bodies; i++) this.first[i + 1] += this.first[i];
  }

  /** Shows the forms of a frame; `factor` exaggerates the change of form. */
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
