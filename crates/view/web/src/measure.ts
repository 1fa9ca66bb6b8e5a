// The measuring tool: two clicks on blocks, and the distance between them. A click near a corner selects the corner.

import * as THREE from "three";
import { byId, element } from "./dom";
import { quantity as words } from "./numbers";
import type { Viewer } from "./viewer";

/** Distance within which a click selects a corner [px]. */
const SNAP = 9;

export class MeasuringTool {
  private on = false;
  private points: THREE.Vector3[] = [];
  private told = "";

  constructor(private readonly place: HTMLElement, private readonly viewer: Viewer) {}

  /** Starts or ends measuring. */
  toggle(on = !this.on): void {
    this.on = on;
    this.points = [];
    byId("canvas").style.cursor = on ? "crosshair" : "";
    const box = document.getElementById("measure") as HTMLInputElement | null;
    if (box) box.checked = on;
    this.viewer.redraw();
  }

  /** Handles a click [px]; false if the tool is off. */
  click(x: number, y: number): boolean {
    if (!this.on) return false;
    const point = this.viewer.pointAt(x, y, SNAP);
    if (point) {
      if (this.points.length === 2) this.points = [];
      this.points.push(point);
    }
    this.viewer.redraw();
    return true;
  }

  /** Draws the line and its numbers over the view. */
  update(): void {
    const seen = this.points.map((point) => this.viewer.onScreen(point));
    const told = JSON.stringify([this.on, seen, this.points]);
    if (told === this.told) return;
    this.told = told;
    if (!this.on) {
      this.place.replaceChildren();
      return;
    }
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const shape = (name: string, keys: Record<string, string | number>) => {
      const part = document.createElementNS(space, name);
      for (const [key, value] of Object.entries(keys)) part.setAttribute(key, String(value));
      svg.append(part);
    };
    if (seen.length === 2) shape("line", { x1: seen[0][0], y1: seen[0][1], x2: seen[1][0], y2: seen[1][1] });
    for (const [x, y] of seen) shape("circle", { cx: x, cy: y, r: 4 });
    this.place.replaceChildren(svg, element("output", { id: "measured" }, this.text()));
  }

  private text(): string {
    const [a, b] = this.points;
    const axes = this.viewer.isFlat ? ["x", "y"] : ["x", "y", "z"];
    const at = (point: THREE.Vector3) => axes.map((axis, k) => `${axis} ${point.getComponent(k).toFixed(3)}`).join(", ");
    if (!a) return "Click two points of blocks; a click near a corner takes the corner.";
    if (!b) return `${at(a)} m; click a second point.`;
    const apart = b.clone().sub(a);
    const parts = axes.map((axis, k) => `Δ${axis} ${words(apart.getComponent(k), "m")}`).join(", ");
    return `${words(apart.length(), "m")} (${parts})`;
  }
}
