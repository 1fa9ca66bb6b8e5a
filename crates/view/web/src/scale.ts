// The scale bar of parallel views, and the axes.

import * as THREE from "three";
import { element } from "./dom";
import { quantity as words } from "./numbers";
import type { Viewer } from "./viewer";

/** Longest scale bar [px]. */
const LONGEST = 130;
/** Length of an axis parallel to the view [px]. */
const AXIS = 22;
const AXES: [string, THREE.Vector3, string][] = [
  ["x", new THREE.Vector3(1, 0, 0), "#b3261e"], ["y", new THREE.Vector3(0, 1, 0), "#2e7d32"], ["z", new THREE.Vector3(0, 0, 1), "#1b5fa8"],
];

/** 1, 2 or 5 times a power of ten, at most `value`. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number(([5, 2, 1].find((step) => step * power <= value)! * power).toPrecision(1));
}

/** Length [m] and width [px] of the scale bar; `null` in a view with perspective. */
export function scaleBar(viewer: Viewer): { length: number; width: number } | null {
  const metres = viewer.metresPerPixel;
  if (metres === null || !(metres > 0) || !Number.isFinite(metres)) return null;
  const length = roundBelow(LONGEST * metres);
  return { length, width: length / metres };
}

/** Ends of the axes in the view [px], y downwards; axes that point towards the viewer are omitted. */
export function axes(viewer: Viewer): { name: string; colour: string; x: number; y: number }[] {
  const turn = viewer.camera.quaternion.clone().invert();
  const shown = AXES.slice(0, viewer.isFlat ? 2 : 3).map(([name, axis, colour]) => {
    const seen = axis.clone().applyQuaternion(turn);
    return { name, colour, x: AXIS * seen.x, y: -AXIS * seen.y };
  });
  return shown.filter(({ x, y }) => Math.hypot(x, y) > 0.1 * AXIS);
}

/** Updates the scale bar and the axes of the page with the camera. */
export class ScaleView {
  private told = "";

  constructor(private readonly place: HTMLElement, private readonly viewer: Viewer) {}

  update(): void {
    const [bar, shown] = [scaleBar(this.viewer), axes(this.viewer)];
    const size = this.viewer.extent.toArray().slice(0, this.viewer.isFlat ? 2 : 3).map((length) => words(length, "m"));
    const told = JSON.stringify([size, bar, shown.map(({ x, y }) => [x.toFixed(1), y.toFixed(1)])]);
    if (told === this.told) return;
    this.told = told;
    const parts: Node[] = [];
    if (bar) {
      const text = words(bar.length, "m");
      const drawn = element("div", { class: "length", id: "scale-bar" }, element("span", {}, text));
      drawn.style.width = `${bar.width}px`;
      parts.push(drawn);
    }
    parts.unshift(element("span", { class: "extent", title: "Extent along x, y, z at the start" }, size.join(" × ")));
    parts.push(this.picture(shown));
    this.place.replaceChildren(...parts);
  }

  private picture(shown: ReturnType<typeof axes>): SVGElement {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("viewBox", "-28 -28 56 56");
    for (const { name, colour, x, y } of shown) {
      const line = document.createElementNS(space, "line");
      for (const [key, value] of Object.entries({ x1: 0, y1: 0, x2: x, y2: y, stroke: colour })) line.setAttribute(key, String(value));
      const text = document.createElementNS(space, "text");
      for (const [key, value] of Object.entries({ x: 1.25 * x - 3, y: 1.25 * y + 4 })) text.setAttribute(key, String(value));
      text.textContent = name;
      svg.append(line, text);
    }
    return svg;
  }
}
