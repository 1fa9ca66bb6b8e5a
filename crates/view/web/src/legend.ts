// The legend: meaning of colours and lines, with units.

import { NO_VALUE, STONES, SUPPORT, css, isNamed, stageColour, viridis, type Quantity, type Rgb } from "./colours";
import { element } from "./dom";
import { prefix, quantity as words, ticks } from "./numbers";
import type { Run } from "./run";
import type { Sign } from "./structure";

/** One line of the legend: a colour and a text. */
export interface Entry {
  colour: Rgb;
  line: boolean;
  text: string;
}

/** A colour bar: its title, and numbers along it from 0 to 1. */
export interface Bar {
  title: string;
  marks: [number, string][];
}

export function bar(quantity: Quantity, range: [number, number]): Bar | null {
  if (isNamed(quantity)) return null;
  const [factor, letter] = quantity.unit ? prefix(Math.max(Math.abs(range[0]), Math.abs(range[1])), quantity.unit) : [1, ""];
  const unit = quantity.unit ? ` [${letter}${quantity.unit}]` : "";
  const [low, high] = [range[0] * factor, range[1] * factor];
  const marks = ticks(low, high, 5).map((t): [number, string] => [(t - low) / (high - low), String(t)]);
  return { title: quantity.label + unit, marks };
}

export function entries(runs: Run[], quantity: Quantity, signs: Sign[]): Entry[] {
  const all: Entry[] = [];
  const run = runs[0];
  const [material, support, endless] = [run.bodies.u32("material"), run.bodies.u8("support"), run.bodies.u8("endless")];
  const area = (colour: Rgb, text: string) => all.push({ colour, line: false, text });
  if (quantity.name === "material") {
    const used = new Set<number>();
    for (let i = 0; i < run.count; i++) if (!support[i]) used.add(material[i]);
    const names: string[] = run.bodies.about.materials;
    [...used].sort((a, b) => a - b).forEach((index) => area(STONES[index % STONES.length], names[index]));
  }
  if (quantity.name === "stage") {
    const names = run.stagesNow?.names ?? [];
    names.forEach((name, index) => area(stageColour(index, names.length), name));
    area(NO_VALUE, "has not moved");
  }
  if (support.some((is, i) => is && !endless[i])) area(SUPPORT, "support");
  for (const sign of signs) {
    const size = sign.value === null ? "" : ` ${words(sign.value, sign.unit)}`;
    all.push({ colour: sign.ink, line: true, text: sign.label + size });
  }
  return all;
}

/** Shows the legend. */
export function fill(place: HTMLElement, scale: Bar | null, lines: Entry[]): void {
  place.replaceChildren();
  if (scale) {
    const canvas = element("canvas", { width: 12, height: 128, class: "ramp", "aria-hidden": "true" });
    ramp(canvas.getContext("2d")!, 0, 0, 12, 128);
    const marks = scale.marks.map(([at, text]) => {
      const mark = element("span", {}, text);
      mark.style.bottom = `${100 * at}%`;
      return mark;
    });
    place.append(element("p", {}, scale.title), element("div", { class: "bar" }, canvas, element("div", { class: "marks" }, ...marks)));
  }
  for (const { colour, line, text } of lines) {
    const swatch = element("span", { class: line ? "line" : "area", "aria-hidden": "true" });
    swatch.style.background = css(colour);
    place.append(element("p", { class: "sign" }, swatch, text));
  }
}

function ramp(context: CanvasRenderingContext2D, x: number, y: number, w: number, h: number): void {
  for (let i = 0; i < h; i++) {
    context.fillStyle = css(viridis(1 - (i + 0.5) / h));
    context.fillRect(x, y + i, w, 1);
  }
}

/** Draws the legend into a picture; returns its height. */
export function paint(
  context: CanvasRenderingContext2D, x: number, y: number, scale: Bar | null, lines: Entry[], ink: string,
): void {
  context.font = "13px system-ui, sans-serif";
  context.textBaseline = "middle";
  let at = y;
  if (scale) {
    context.fillStyle = ink;
    context.fillText(scale.title, x, at + 8);
    ramp(context, x, at + 22, 14, 140);
    for (const [part, text] of scale.marks) {
      context.fillStyle = ink;
      const middle = at + 22 + 140 * (1 - part);
      context.fillRect(x + 14, middle - 0.5, 5, 1);
      context.fillText(text, x + 23, middle);
    }
    at += 180;
  }
  for (const { colour, line, text } of lines) {
    context.fillStyle = css(colour);
    context.fillRect(x, at + (line ? 7 : 3), 22, line ? 4 : 12);
    context.fillStyle = ink;
    context.fillText(text, x + 29, at + 9);
    at += 20;
  }
}
