// One run: constant data, and frames on demand, never all of them.

import type { Quantity } from "./colours";
import { getJson, getPack, type Pack } from "./wire";

/** Size of the cache of frames [bytes]. */
const CACHE = 256e6;
/** Requests at the same time. */
const LANES = 6;

/** Parts of a frame that are fetched besides poses; names of quantities among them. */
export type Part = "motion" | "joints" | "thrust" | "cracks" | "cables" | "loads" | "flows" | "contacts" | "pressure" | "stress" | "use" | "damage" | "slip" | "spin" | "size" | "force" | `field:${string}`;

/** Status of a run from the server. */
interface Status {
  name: string;
  problem: string | null;
  frames: number;
  times: number[];
  finished: boolean;
  generation: number;
  /** Bodies so far; their number may grow during the run. */
  bodies?: number;
}

export class Run {
  bodies!: Pack;
  names: string[] = [];
  times: number[] = [];
  finished = false;
  problem: string | null = null;
  folder = "";
  generation = -1;
  private frames = new Map<number, { parts: Set<Part>; pack: Pack }>();
  private cached = 0;
  private waiting = new Map<string, Promise<Pack>>();
  private stageOf: { names: string[]; stage: number[] } | null = null;

  constructor(readonly index: number) {}

  get count(): number {
    return this.names.length;
  }

  path(rest: string): string {
    return `run/${this.index}/${rest}`;
  }

  /** Requests new frames; true if there are any, or if the folder has another run. */
  async refresh(): Promise<boolean> {
    return this.take(await this.ask());
  }

  /** Status of the run, with the times of new frames. */
  ask(): Promise<Status> {
    return getJson(this.path(`status?from=${this.times.length}`));
  }

  /** Stores an answer; for another run in the same folder also the constant data and the first frame. */
  async take(status: Status): Promise<boolean> {
    this.problem = status.problem;
    this.finished = status.finished;
    this.folder = status.name;
    if (status.frames === 0 && status.generation === 0) return false;
    const grown = status.bodies !== undefined && status.bodies !== this.count;
    if (status.generation !== this.generation || status.frames < this.times.length || grown) {
      this.forget();
      const first = status.frames > 0 ? getPack(this.path("frame/0?parts=")) : null;
      const [bodies, pack] = await Promise.all([getPack(this.path("bodies")), first]);
      this.bodies = bodies;
      this.generation = bodies.about.generation;
      this.names = bodies.about.names;
      // the list is complete if it was requested from the start, and for this run
      const whole = status.times.length === status.frames && status.generation === this.generation;
      this.times = whole ? status.times : (await this.ask()).times;
      if (pack && whole) this.keep(0, new Set(), pack);
      return true;
    }
    this.times.push(...status.times);
    return status.times.length > 0;
  }

  private forget(): void {
    this.frames.clear();
    this.cached = 0;
    this.stageOf = null;
    this.times = [];
  }

  /** The frame nearest to a time. */
  nearest(time: number): number {
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low > 0 && time - this.times[low - 1] <= this.times[low] - time ? low - 1 : Math.max(low, 0);
  }

  /** A cached frame with all the parts, or undefined. */
  ready(frame: number, parts: Set<Part>): Pack | null {
    const found = this.frames.get(frame);
    if (!found || ![...parts].every((part) => found.parts.has(part))) return null;
    // least recently used frames are dropped first
    this.frames.delete(frame);
    this.frames.set(frame, found);
    return found.pack;
  }

  async frame(frame: number, parts: Set<Part>): Promise<Pack> {
    const found = this.ready(frame, parts);
    if (found) return found;
    const wanted = [...parts].sort().join(",");
    const key = `${frame}:${wanted}`;
    let request = this.waiting.get(key);
    if (!request) {
      request = getPack(this.path(`frame/${frame}?parts=${wanted}`)).finally(() => this.waiting.delete(key));
      this.waiting.set(key, request);
      const pack = await request;
      this.keep(frame, new Set(parts), pack);
      return pack;
    }
    return request;
  }

  private keep(frame: number, parts: Set<Part>, pack: Pack): void {
    this.cached += pack.bytes - (this.frames.get(frame)?.pack.bytes ?? 0);
    this.frames.delete(frame);
    this.frames.set(frame, { parts, pack });
    for (const [oldest, { pack: old }] of this.frames) {
      if (this.cached <= CACHE || this.frames.size < 3) break;
      this.frames.delete(oldest);
      this.cached -= old.bytes;
    }
  }

  /** Fetches frames that will be needed soon, a few at a time. */
  prefetch(frames: number[], parts: Set<Part>): void {
    for (const frame of frames) {
      if (this.waiting.size >= LANES) return;
      if (frame < this.times.length && !this.ready(frame, parts)) void this.frame(frame, parts).catch(() => {});
    }
  }

  /** For every block the stage in which it first moved. */
  async stages(): Promise<{ names: string[]; stage: number[] }> {
    this.stageOf ??= await getJson(this.path("stages"));
    return this.stageOf!;
  }

  get stagesNow(): { names: string[]; stage: number[] } | null {
    return this.stageOf;
  }

  /** Values of all blocks; NaN without a value. */
  values(quantity: Quantity, frame: Pack, first: Pack): Float32Array {
    const values = new Float32Array(this.count).fill(NaN);
    if (quantity.part.startsWith("field:")) {
      values.set(frame.f32(quantity.part).subarray(0, this.count));
      return values;
    }
    if (quantity.part && quantity.part === quantity.name) {
      values.set(frame.f32(quantity.name).subarray(0, this.count));
      return values;
    }
    const now = quantity.name === "speed" ? frame.f32("velocity") : frame.f32("position");
    const then = quantity.name === "speed" ? null : first.f32("position");
    const support = this.bodies.u8("support");
    for (let i = 0; i < this.count; i++) {
      if (support[i]) continue;
      let sum = 0;
      for (let k = 3 * i; k < 3 * i + 3; k++) sum += (now[k] - (then ? then[k] : 0)) ** 2;
      values[i] = Math.sqrt(sum);
    }
    return values;
  }
}
