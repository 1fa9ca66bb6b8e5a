// Readable numbers: few digits, SI prefixes, round steps.

const PREFIXES: [number, string][] = [
  [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"],
];

/** Prefixes that engineers use with a unit; a smaller value keeps the smallest of them. */
const USUAL: Record<string, string[]> = {
  m: ["", "m", "µ"], "m/s": ["", "m", "µ"], "m/s²": ["", "m"], N: ["M", "k", ""], "N·m": ["M", "k", ""],
  Pa: ["G", "M", "k", ""], J: ["M", "k", ""], "°": [""],
};

/** A factor and its prefix, so that numbers up to `largest` are easy to read. */
export function prefix(largest: number, unit = ""): [number, string] {
  const size = Math.abs(largest);
  if (!Number.isFinite(size) || size < 1e-10) return [1, ""];
  const usual = PREFIXES.filter(([, letter]) => USUAL[unit]?.includes(letter) ?? true);
  const found = usual.find(([unit]) => size >= (unit < 1 ? 0.1 * unit : unit === 1 ? 0.1 : unit)) ?? usual[usual.length - 1];
  return [1 / found[0], found[1]];
}

/** Four digits at the most. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  const rounded = Number(value.toPrecision(4));
  const size = Math.abs(rounded);
  return rounded === 0 || (size >= 1e-3 && size < 1e6) ? String(rounded) : rounded.toExponential();
}

/** A value with its unit: `12.35 kN`. */
export function quantity(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (unit === "") return digits(value);
  const [factor, letter] = prefix(value, unit);
  return `${digits(value * factor)} ${letter}${unit}`;
}

/** A mass in grams, kilograms or tonnes. */
export function mass(kilograms: number): string {
  if (kilograms >= 1e4) return `${digits(kilograms / 1000)} t`;
  return kilograms >= 0.1 ? `${digits(kilograms)} kg` : `${digits(1000 * kilograms)} g`;
}

/** 1, 2 or 5 times a power of ten, at least `value`. */
export function niceAbove(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((step) => step * power >= value * (1 - 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(1));
}

/** A round number slightly above `value`, so that lines scaled by it are nearly as long as possible. */
export function closeAbove(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value * (1 - 1e-9)) ?? 10;
  return Number((factor * power).toPrecision(2));
}

/** Round numbers from `low` to `high`, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = 10 ** Math.floor(Math.log10(span / count));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * rough).find((size) => span / size <= count) ?? span;
  const all: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; i++) {
    all.push(Number((i * step).toPrecision(12)));
  }
  return all;
}
