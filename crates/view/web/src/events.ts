// Events of a plot over time: where a quantity begins to change, its extremes, its fastest change.

import type { Track } from "./plot";

/** A time to jump to [s]. */
export interface PlotEvent {
  name: string;
  time: number;
}

/** Change that counts as the first one, relative to the range of the values. */
const CHANGED = 1e-3;

/** Events of a track in order of time; a constant quantity has none. */
export function events(track: Track): PlotEvent[] {
  const rows = track.values
    .map((value, i) => ({ value, time: track.times[i] }))
    .filter((row): row is { value: number; time: number } => row.value !== null);
  if (rows.length < 2) return [];
  const pick = (better: (a: number, b: number) => boolean) => rows.reduce((best, row) => (better(row.value, best.value) ? row : best));
  const [high, low] = [pick((a, b) => a > b), pick((a, b) => a < b)];
  const range = high.value - low.value;
  if (!(range > 0)) return [];
  const found: PlotEvent[] = [];
  const first = rows.findIndex((row) => Math.abs(row.value - rows[0].value) > CHANGED * range);
  if (first > 0) found.push({ name: "first change", time: rows[first].time });
  found.push({ name: "maximum", time: high.time }, { name: "minimum", time: low.time });
  let [fastest, rate] = [rows[0].time, 0];
  for (let i = 1; i < rows.length; i++) {
    const own = Math.abs(rows[i].value - rows[i - 1].value) / Math.max(rows[i].time - rows[i - 1].time, Number.MIN_VALUE);
    if (own > rate) [fastest, rate] = [rows[i].time, own];
  }
  found.push({ name: "fastest change", time: fastest });
  return found.sort((a, b) => a.time - b.time);
}
