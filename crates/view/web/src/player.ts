// Time: displayed frame, playback, following a run in progress.

import type { Run } from "./run";
import type { Settings } from "./settings";

/** Frames that are fetched ahead while playing. */
const AHEAD = 16;

export class Player {
  frame = 0;
  playing = false;
  private time = 0;
  private last = 0;
  /** Mean time from one drawing to the next [s]. */
  private pace = 1 / 60;
  /** Called when another frame is to be shown. */
  onChange: () => void = () => {};

  constructor(readonly runs: Run[], private readonly settings: Settings) {}

  /** The run whose frames are counted: the one with the most frames. */
  get leader(): Run {
    return this.runs.reduce((most, run) => (run.times.length > most.times.length ? run : most));
  }

  get count(): number {
    return this.leader.times.length;
  }

  /** The frame of a run at the displayed time. */
  frameOf(run: Run): number {
    return run === this.leader ? this.frame : run.nearest(this.leader.times[this.frame] ?? 0);
  }

  go(frame: number): void {
    const wanted = Math.min(Math.max(Math.round(frame), 0), Math.max(this.count - 1, 0));
    this.time = this.leader.times[wanted] ?? 0;
    if (wanted === this.frame) return;
    this.frame = wanted;
    this.onChange();
  }

  step(by: number): void {
    this.pause();
    this.go(this.frame + by);
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.count < 2) return;
    if (this.frame >= this.count - 1 && !this.settings.follow) this.go(0);
    this.time = this.leader.times[this.frame];
    this.last = performance.now();
    this.playing = true;
    this.onChange();
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.onChange();
  }

  /**
   * Frames from one drawing to the next, at the chosen speed and as fast as this machine draws: a power of two, so that
   * frames fetched for one stride also serve the next.
   */
  private get stride(): number {
    const { times } = this.leader;
    const apart = (times[times.length - 1] - times[0]) / Math.max(times.length - 1, 1);
    const frames = (this.settings.speed * this.pace) / Math.max(apart, 1e-12);
    return 2 ** Math.max(0, Math.floor(Math.log2(Math.max(frames, 1)) + 0.25));
  }

  /** Advances to the last available frame that is due. */
  tick(now: number): void {
    if (!this.playing) return;
    const elapsed = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    this.pace += 0.1 * (elapsed - this.pace);
    const { times } = this.leader;
    const end = times.length - 1;
    const wanted = Math.min(this.time + elapsed * this.settings.speed, times[end]);
    const due = this.leader.nearest(wanted);
    const parts = this.settings.parts();
    const stride = this.stride;
    const start = Math.floor(this.frame / stride) * stride;
    const coming = Array.from({ length: AHEAD }, (_, i) => Math.min(start + (i + 1) * stride, end));
    const at = (run: Run, f: number) => (run === this.leader ? f : run.nearest(times[f]));
    for (const run of this.runs) run.prefetch([...new Set(coming)].map((f) => at(run, f)), parts);
    const ready = (f: number) => this.runs.every((run) => run.times.length === 0 || run.ready(at(run, f), parts));
    let next = due;
    while (next > this.frame && !ready(next)) next--;
    if (next > this.frame) {
      this.frame = next;
      this.onChange();
    }
    // playback waits for late frames
    this.time = Math.min(wanted, times[Math.min(this.frame + stride, end)]);
    if (this.frame === end && !this.settings.follow) this.pause();
  }
}
