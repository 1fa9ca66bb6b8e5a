// All settings of the viewer.

import { QUANTITIES, type Quantity } from "./colours";
import type { Part } from "./run";

/** Items drawn over the structure; names as in `voussoir export --show`. */
export const LAYERS = {
  resultants: "forces between blocks",
  contacts: "contact forces",
  centres: "centres of pressure",
  thrust: "thrust lines",
  network: "force network",
  cracks: "open joints",
  motion: "velocities",
  cables: "cables",
  loads: "loads",
  flows: "wind and current",
} as const;

export type Layer = keyof typeof LAYERS;

export type Axis = "x" | "y" | "z";

export class Settings {
  quantity: Quantity = QUANTITIES[0];
  /** Both ends of the colour bar, if set by the viewer. */
  range: [number, number] | null = null;
  show: Record<Layer, boolean> = {
    resultants: true, contacts: false, centres: false, thrust: false, network: false, cracks: false, motion: false,
    cables: true, loads: true, flows: true,
  };
  /** Smallest opening of joints that are shown as open [m]. */
  crack = 5e-4;
  edges = true;
  ground = true;
  shadows = true;
  exaggeration = 1;
  section: { axis: Axis; part: number; flip: boolean } | null = null;
  speed = 1;
  follow = false;
  dark = false;

  /** Parts of a frame that must be fetched. */
  parts(): Set<Part> {
    const parts = new Set<Part>();
    if (this.quantity.part) parts.add(this.quantity.part);
    const { resultants, centres, network, ...own } = this.show;
    if (resultants || centres || network) parts.add("joints");
    for (const [layer, on] of Object.entries(own)) if (on) parts.add(layer as Part);
    // a click near the centre of a joint selects it if lines of joints are drawn
    if (own.thrust) parts.add("joints");
    return parts;
  }
}
