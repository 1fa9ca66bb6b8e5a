// Soft shadows of bounded bodies on the ground plane.

import * as THREE from "three";
import * as shaders from "./shaders";
import type { Pack } from "./wire";

/** Horizontal shift of a shadow per metre of height, for directions of light close to the one on faces. */
const LIGHTS = [[0.3, 0.12], [0.38, 0.16], [0.26, 0.2], [0.34, 0.06]];

/** Shadows of all bounded bodies, one mesh for each direction of light. */
export function shadows(
  bodies: Pack, corners: THREE.BufferAttribute, owners: THREE.BufferAttribute, shared: Record<string, THREE.IUniform>,
): THREE.Mesh[] {
  const [endless, owner, triangles] = [bodies.u8("endless"), bodies.u32("owners"), bodies.u32("triangles")];
  if (bodies.about.dimension === 2 || !endless.some(Boolean)) return [];
  const solid = new THREE.BufferGeometry();
  solid.setAttribute("position", corners);
  solid.setAttribute("owner", owners);
  const own: number[] = [];
  for (let k = 0; k < triangles.length; k += 3) {
    if (!endless[owner[triangles[k]]]) own.push(triangles[k], triangles[k + 1], triangles[k + 2]);
  }
  solid.setIndex(own);
  return LIGHTS.map(([x, y], index) => {
    const material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: shaders.SHADOW_VERTEX, fragmentShader: shaders.SHADOW_FRAGMENT,
      uniforms: { ...shared, light: { value: new THREE.Vector2(x, y) } }, side: THREE.DoubleSide,
      transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -32,
      // one shadow per pixel and light, for any number of overlapping blocks
      stencilWrite: true, stencilRef: index + 1, stencilFunc: THREE.NotEqualStencilFunc, stencilZPass: THREE.ReplaceStencilOp,
    });
    const mesh = new THREE.Mesh(solid, material);
    mesh.renderOrder = index - LIGHTS.length;
    return mesh;
  });
}
