// Discs and spheres: one quad each, on which the graphics card draws a true circle or sphere. Their poses are in the
// same texture as those of all bodies, so that a frame needs no further data for them.

import * as THREE from "three";
import { BALLS_FRAGMENT, BALLS_PICK_FRAGMENT, BALLS_VERTEX } from "./shaders";
import type { Pack } from "./wire";

export class Balls {
  readonly mesh: THREE.Mesh;
  readonly count: number;
  private readonly coloured: THREE.ShaderMaterial;
  private readonly picked: THREE.ShaderMaterial;

  constructor(bodies: Pack, uniforms: Record<string, THREE.IUniform>) {
    const [owner, radius] = [bodies.u32("ball_body"), bodies.f32("ball_radius")];
    this.count = owner.length;
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute("owner", new THREE.InstancedBufferAttribute(Float32Array.from(owner), 1));
    geometry.setAttribute("radius", new THREE.InstancedBufferAttribute(radius, 1));
    geometry.instanceCount = this.count;
    const material = (fragmentShader: string) => new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: BALLS_VERTEX, fragmentShader, uniforms, side: THREE.DoubleSide,
    });
    this.coloured = material(BALLS_FRAGMENT);
    this.picked = material(BALLS_PICK_FRAGMENT);
    this.mesh = new THREE.Mesh(geometry, this.coloured);
    this.mesh.visible = this.count > 0;
  }

  /** Draws indices of bodies instead of colours. */
  picking(on: boolean): void {
    this.mesh.material = on ? this.picked : this.coloured;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.coloured.dispose();
    this.picked.dispose();
  }
}

/** Extends a box by the discs and spheres of a frame. */
export function hold(box: THREE.Box3, bodies: Pack, frame: Pack): void {
  const [owner, radius, position] = [bodies.u32("ball_body"), bodies.f32("ball_radius"), frame.f32("position")];
  const [centre, reach] = [new THREE.Vector3(), new THREE.Vector3()];
  for (let i = 0; i < owner.length; i++) {
    centre.fromArray(position, 3 * owner[i]);
    reach.setScalar(radius[i]);
    box.expandByPoint(centre.clone().add(reach));
    box.expandByPoint(centre.sub(reach));
  }
}
