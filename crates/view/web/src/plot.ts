// A plot over time, as SVG: one line or two, round numbers on both axes, a mark at the displayed time.

import { digits, prefix, ticks } from "./numbers";

export interface Track {
  label: string;
  unit: string;
  times: number[];
  values: (number | null)[];
}

const [WIDTH, HEIGHT] = [300, 150];
const FRAME = { left: 46, right: 8, top: 10, bottom: 30 };
const NAMESPACE = "http://www.w3.org/2000/svg";

function svg(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** Draws tracks of one quantity; `names` distinguishes several tracks, a click on the plot calls `goTo` with its time [s]. */
export function plot(tracks: Track[], now: number, names: string[], goTo?: (time: number) => void): SVGElement {
  const values = tracks.flatMap((track) => track.values.filter((v): v is number => v !== null));
  const [low, high] = [Math.min(0, ...values), Math.max(...values, Math.min(0, ...values) + 1e-12)];
  const times = tracks.flatMap((track) => track.times);
  const [start, end] = [Math.min(...times), Math.max(...times, Math.min(...times) + 1e-9)];
  const [factor, letter] = tracks[0].unit ? prefix(Math.max(Math.abs(low), Math.abs(high)), tracks[0].unit) : [1, ""];
  const unit = tracks[0].unit ? ` [${letter}${tracks[0].unit}]` : "";
  const inner = { w: WIDTH - FRAME.left - FRAME.right, h: HEIGHT - FRAME.top - FRAME.bottom };
  const x = (t: number) => FRAME.left + ((t - start) / (end - start)) * inner.w;
  const y = (v: number) => FRAME.top + (1 - (v - low) / (high - low)) * inner.h;
  const title = `${tracks[0].label}${unit} over time [s]; ${digits(low * factor)} to ${digits(high * factor)}`;
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title, class: "plot" });
  for (const t of ticks(low * factor, high * factor, 4)) {
    picture.append(svg("line", { x1: FRAME.left, x2: WIDTH - FRAME.right, y1: y(t / factor), y2: y(t / factor), class: "grid" }));
    picture.append(svg("text", { x: FRAME.left - 4, y: y(t / factor) + 3, "text-anchor": "end" }, digits(t)));
  }
  for (const t of ticks(start, end, 4)) {
    picture.append(svg("text", { x: x(t), y: HEIGHT - 17, "text-anchor": "middle" }, digits(t)));
  }
  picture.append(svg("text", { x: WIDTH - FRAME.right, y: HEIGHT - 4, "text-anchor": "end" }, "time [s]"));
  tracks.forEach((track, index) => {
    let [path, pen] = ["", "M"];
    track.values.forEach((value, i) => {
      if (value === null) pen = "M";
      else {
        path += `${pen}${x(track.times[i]).toFixed(1)} ${y(value).toFixed(1)}`;
        pen = "L";
      }
    });
    picture.append(svg("path", { d: path, class: `track track-${index}` }));
    if (tracks.length > 1) {
      picture.append(svg("text", { x: FRAME.left + 6, y: FRAME.top + 10 + 12 * index, class: `name-${index}` }, names[index]));
    }
  });
  if (now >= start && now <= end) {
    picture.append(svg("line", { x1: x(now), x2: x(now), y1: FRAME.top, y2: FRAME.top + inner.h, class: "now" }));
  }
  if (goTo) {
    picture.classList.add("clickable");
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * WIDTH;
      goTo(Math.min(end, Math.max(start, start + ((at - FRAME.left) / inner.w) * (end - start))));
    });
  }
  return picture;
}
