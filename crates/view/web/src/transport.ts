// The bar at the bottom: play, step, scrub, speed, follow.

import { button, byId, checkbox, element, icon, select } from "./dom";
import { digits } from "./numbers";
import type { Player } from "./player";
import type { Settings } from "./settings";

const [PLAY, PAUSE] = ["M3 1l11 7-11 7z", "M3 1h4v14H3zM9 1h4v14H9z"];
const [BACK, FORWARD] = ["M3 1h2v14H3zM14 1v14L6 8z", "M11 1h2v14h-2zM2 1l8 7-8 7z"];
const SPEEDS = ["0.02", "0.05", "0.1", "0.25", "0.5", "1", "2", "5"];

export class Transport {
  private play = button("", () => this.player.toggle(), { id: "play", "aria-label": "Play", title: "Play or pause (Space)" });
  private scrubber = element("input", { type: "range", id: "scrubber", min: 0, max: 0, step: 1, "aria-label": "Frame" });
  private shown = element("output", { for: "scrubber", id: "time" });
  private follow: HTMLLabelElement;
  private playing = false;
  /** Time of the last update [ms]. */
  private updated = 0;

  constructor(private readonly player: Player, private readonly settings: Settings) {
    this.scrubber.addEventListener("input", () => {
      player.pause();
      settings.follow = false;
      player.go(Number(this.scrubber.value));
      this.update();
    });
    this.follow = checkbox("follow", settings.follow, (on) => {
      settings.follow = on;
      if (on) player.go(player.count - 1);
    }, "follow");
    byId("transport").replaceChildren(
      this.play,
      button("", () => player.step(-1), { id: "back", "aria-label": "One frame back", title: "One frame back (←)" }),
      button("", () => player.step(1), { id: "forward", "aria-label": "One frame on", title: "One frame on (→)" }),
      this.scrubber, this.shown,
      select("Speed", "speed", SPEEDS.map((speed) => [speed, `× ${speed}`]), "1", (speed) => (settings.speed = Number(speed))),
      this.follow,
    );
    byId("back").append(icon(BACK));
    byId("forward").append(icon(FORWARD));
    this.play.append(icon(PLAY));
  }

  update(): void {
    const { player, settings } = this;
    // a single frame: nothing to play
    byId("transport").hidden = player.count < 2 && player.runs.every((run) => run.finished);
    const now = performance.now();
    // during playback, a few updates per second are enough
    if (player.playing && this.playing && now - this.updated < 150) return;
    this.updated = now;
    const time = player.leader.times[player.frame] ?? 0;
    this.scrubber.max = String(Math.max(player.count - 1, 0));
    this.scrubber.value = String(player.frame);
    this.scrubber.setAttribute("aria-valuetext", `frame ${player.frame + 1} of ${player.count}, ${digits(time)} seconds`);
    this.shown.textContent = `t = ${digits(time)} s · ${player.frame + 1} / ${player.count}`;
    if (player.playing !== this.playing) {
      this.playing = player.playing;
      this.play.replaceChildren(icon(player.playing ? PAUSE : PLAY));
      this.play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    }
    this.follow.hidden = player.runs.every((run) => run.finished);
    this.follow.querySelector("input")!.checked = settings.follow;
  }
}
