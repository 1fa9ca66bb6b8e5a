// Colours: a perceptually uniform map for numbers, muted ones for materials, and the colours of all symbols. The same
// as in pictures (results/src/picture/colour.rs).

import type { Part } from "./run";

export type Rgb = [number, number, number];

export const SUPPORT: Rgb = [150, 154, 160];
/** Ground and other planes, on light and on dark paper. */
export const PLANES: [Rgb, Rgb] = [[240, 238, 232], [52, 55, 61]];
export const NO_VALUE: Rgb = [205, 205, 205];

export const STONES: Rgb[] = [
  [226, 211, 180], [186, 150, 124], [190, 206, 216], [156, 172, 130], [214, 182, 192], [128, 138, 150],
];

/** Lines of the layers, as in pictures. */
export const INKS: Record<string, Rgb> = {
  force: [0xb3, 0x26, 0x1e],
  centre: [0x29, 0xa3, 0xe0],
  load: [0x1b, 0x5f, 0xa8],
  wind: [0x8a, 0x4b, 0x9e],
  current: [0x1f, 0x7f, 0xb5],
  thrust: [0x7a, 0x1f, 0x8a],
  motion: [0x00, 0x6b, 0x5c],
  cable: [0xa8, 0x5a, 0x00],
  crack: [0x11, 0x11, 0x11],
};

// viridis (S. van der Walt and N. Smith, public domain) at 17 even steps
const VIRIDIS: Rgb[] = [
  [68, 1, 84], [72, 24, 106], [71, 45, 123], [66, 64, 134], [59, 82, 139], [51, 99, 141], [44, 114, 142],
  [38, 130, 142], [33, 145, 140], [31, 159, 136], [39, 173, 129], [61, 188, 116], [92, 200, 99], [129, 211, 77],
  [170, 220, 50], [213, 226, 26], [253, 231, 37],
];

/** Colour of a number between 0 and 1. */
export function viridis(x: number): Rgb {
  if (Number.isNaN(x)) return NO_VALUE;
  const place = Math.min(Math.max(x, 0), 1) * 16;
  const index = Math.min(Math.floor(place), 15);
  const part = place - index;
  const [a, b] = [VIRIDIS[index], VIRIDIS[index + 1]];
  return [0, 1, 2].map((k) => Math.round(a[k] + part * (b[k] - a[k]))) as Rgb;
}

const RAMP = Array.from({ length: 256 }, (_, i) => viridis(i / 255));

/** viridis from a table, because thousands of blocks are coloured in every frame. */
export function ramp(x: number): Rgb {
  return RAMP[Math.round(255 * Math.min(Math.max(x, 0), 1))];
}

/** Colour of a stage, from dark to light, distinguishable with any kind of colour vision. */
export function stageColour(stage: number, count: number): Rgb {
  return viridis(count > 1 ? 0.1 + (0.8 * stage) / (count - 1) : 0.55);
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${r} ${g} ${b})`;
}

/** A quantity that colours blocks. */
export interface Quantity {
  name: string;
  label: string;
  unit: string;
  /** Part of a frame that is required for it. */
  part: "" | Part;
  /** A fixed scale. */
  fixed?: [number, number];
}

export const QUANTITIES: Quantity[] = [
  { name: "material", label: "material", unit: "", part: "" },
  { name: "displacement", label: "displacement", unit: "m", part: "" },
  { name: "speed", label: "speed", unit: "m/s", part: "motion" },
  { name: "pressure", label: "mean pressure", unit: "Pa", part: "pressure" },
  { name: "stress", label: "principal compression", unit: "Pa", part: "stress" },
  { name: "use", label: "friction utilisation ‖T‖/μN", unit: "", part: "use", fixed: [0, 1] },
  { name: "damage", label: "joint damage", unit: "", part: "damage", fixed: [0, 1] },
  { name: "slip", label: "joint slip", unit: "m", part: "slip" },
  { name: "spin", label: "speed of rotation", unit: "rad/s", part: "spin" },
  { name: "size", label: "size", unit: "m", part: "size" },
  { name: "force", label: "sum of contact forces", unit: "N", part: "force" },
  { name: "stage", label: "stage of first movement", unit: "", part: "" },
];

/** Adds the scalars that an analysis declared to the quantities. */
export function declare(fields: { name: string; unit: string }[]): void {
  for (const { name, unit } of fields) {
    const part: Part = `field:${name}`;
    if (QUANTITIES.some((known) => known.part === part)) continue;
    QUANTITIES.push({ name: part, label: name.replaceAll("_", " "), unit, part });
  }
}

/** True if colours represent names, not numbers. */
export function isNamed(quantity: Quantity): boolean {
  return quantity.name === "material" || quantity.name === "stage";
}
