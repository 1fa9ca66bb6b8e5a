// The page: creates the parts and synchronises them.

import "./style.css";
import { QUANTITIES, declare, isNamed } from "./colours";
import { byId, element } from "./dom";
import { listen } from "./keys";
import { bar, entries, fill } from "./legend";
import { digits, niceAbove } from "./numbers";
import { MeasuringTool } from "./measure";
import { Panel } from "./panel";
import { Player } from "./player";
import { Run, type Part } from "./run";
import { download, saveFilm, savePng } from "./saving";
import { ScaleView } from "./scale";
import { Settings } from "./settings";
import { Structure, type Strengths } from "./structure";
import { Transport } from "./transport";
import { PRESETS, Viewer, type Pick } from "./viewer";
import { getJson, type Pack } from "./wire";

/** Time between two status requests for a run in progress, and for a finished run [ms]. */
const [LIVE, IDLE] = [600, 20_000];
/** Number of blocks above which forces are hidden by default, because reading contacts takes longer than poses. */
const MANY = 4000;

class Page {
  private readonly settings = new Settings();
  private readonly runs: Run[] = [];
  private viewer!: Viewer;
  private player!: Player;
  private transport!: Transport;
  private panel!: Panel;
  private tool!: MeasuringTool;
  private chosen: Pick | null = null;
  private firsts: Pack[] = [];
  private range: [number, number] = [0, 1];
  private generations = "";
  /** Numbers of displayed bodies. */
  private counts = "";
  /** Content of the legend. */
  private told = "";
  /** The frame that is being fetched; only the last requested frame is shown. */
  private wanted = 0;

  async start(): Promise<void> {
    this.theme(matchMedia("(prefers-color-scheme: dark)").matches);
    const { runs } = await getJson("runs");
    for (let index = 0; index < runs; index++) this.runs.push(new Run(index));
    // the server reads while the canvas is created, which takes as long
    const statuses = await Promise.all(this.runs.map((run) => run.ask().catch(() => null)));
    const loading = Promise.allSettled(this.runs.map((run, i) => statuses[i] && run.take(statuses[i])));
    this.viewer = new Viewer(byId<HTMLCanvasElement>("canvas"), this.settings);
    this.player = new Player(this.runs, this.settings);
    this.transport = new Transport(this.player, this.settings);
    const scale = new ScaleView(byId("scale"), this.viewer);
    this.tool = new MeasuringTool(byId("measuring"), this.viewer);
    this.viewer.onClick = (x, y) => this.tool.click(x, y);
    this.viewer.onDraw = () => {
      scale.update();
      this.tool.update();
    };
    this.viewer.onPick = (pick) => this.choose(pick);
    this.player.onChange = () => this.changed();
    this.wire();
    await loading;
    await this.look();
    const loop = (now: number) => {
      this.player.tick(now);
      this.viewer.draw(this.player.playing);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  /** Requests the status of the runs at intervals. */
  private async look(): Promise<void> {
    try {
      const grown = await Promise.all(this.runs.map((run) => run.refresh()));
      this.say();
      if (this.runs.every((run) => run.times.length > 0)) {
        const generations = this.runs.map((run) => run.generation).join();
        if (generations !== this.generations) {
          await this.open();
          this.generations = generations;
        } else if (this.runs.map((run) => run.count).join() !== this.counts) {
          await this.grow();
        } else if (grown.some(Boolean)) {
          if (this.settings.follow && !this.player.playing) this.player.go(this.player.count - 1);
          this.transport.update();
        }
      }
    } catch (error) {
      this.complain(error);
    }
    const live = this.runs.some((run) => !run.finished);
    setTimeout(() => void this.look(), live ? LIVE : IDLE);
  }

  /** Builds all parts that depend on the bodies of the runs. */
  private async open(): Promise<void> {
    const { settings, runs } = this;
    settings.follow = runs.some((run) => !run.finished);
    if (runs.some((run) => run.count > MANY)) settings.show.resultants = false;
    // half a millimetre is a crack; in small models, a five-hundredth of a block
    settings.crack = Number(Math.min(5e-4, ...runs.map((run) => 2e-3 * run.bodies.about.block)).toPrecision(1));
    this.chosen = null;
    this.counts = runs.map((run) => run.count).join();
    runs.forEach((run) => declare(run.bodies.about.fields ?? []));
    this.panel = new Panel(settings, runs, {
      changed: () => this.changed(),
      recoloured: () => void this.recolour(),
      preset: (name) => this.preset(name),
      project: (parallel) => this.project(parallel),
      choose: (pick) => this.choose(pick),
      measure: (on) => this.tool.toggle(on),
      goTo: (time) => this.player.go(this.player.leader.nearest(time)),
      hide: () => this.hide(),
      isolate: () => void this.isolate(),
      showAll: () => this.showAll(),
      savePng: () => savePng(this.viewer, settings, this.player, this.range),
      saveGlb: () => this.saveGlb(),
      saveAnimation: () => void this.film(),
    });
    this.panel.build();
    const none = new Set<Part>();
    this.firsts = await Promise.all(runs.map((run) => run.frame(0, none)));
    this.viewer.take(runs.map((run) => new Structure(run, settings)));
    const titles = runs.map((run) => run.bodies.about.title || "A run");
    byId("title").textContent = [...new Set(titles)].join(" | ");
    document.title = `${titles[0]} – Voussoir`;
    byId("captions").replaceChildren(...(runs.length > 1 ? runs.map((run, index) => {
      const caption = element("span", {}, `${titles[index]} · ${run.folder}`);
      return caption;
    }) : []));
    this.player.frame = -1;
    this.player.go(settings.follow ? this.player.count - 1 : 0);
    await this.show();
    this.preset("iso");
    this.viewer.draw(false);
    document.body.dataset.state = "ready";
  }

  /** Adds bodies that have appeared; selection and view are kept. */
  private async grow(): Promise<void> {
    const { runs, settings } = this;
    this.counts = runs.map((run) => run.count).join();
    this.firsts = await Promise.all(runs.map((run) => run.frame(0, new Set<Part>())));
    this.viewer.replace(runs.map((run) => new Structure(run, settings)));
    if (settings.follow && !this.player.playing) this.player.go(this.player.count - 1);
    this.changed();
  }

  private changed(): void {
    this.transport.update();
    this.show().catch((error) => this.complain(error));
  }

  /** Shows the requested frame when it has arrived. */
  private async show(): Promise<void> {
    const turn = ++this.wanted;
    const parts = this.settings.parts();
    const frames = this.runs.map((run) => this.player.frameOf(run));
    const ready = this.runs.map((run, i) => run.ready(frames[i], parts));
    const packs = ready.every((pack) => pack !== null)
      ? (ready as Pack[])
      : await Promise.all(this.runs.map((run, i) => run.frame(frames[i], parts)));
    if (turn !== this.wanted) return;
    this.widen(packs);
    const { structures } = this.viewer;
    const each = structures.map((structure, i) => structure.strengths(packs[i]));
    const strengths = each.reduce((a, b) => Object.fromEntries(
      Object.entries(a).map(([name, value]) => [name, Math.max(value, b[name as keyof Strengths])])) as unknown as Strengths);
    structures.forEach((structure, i) => {
      const chosen = this.chosen?.kind === "block" && this.chosen.run === i ? this.chosen.body : -1;
      structure.show(packs[i], this.firsts[i], this.settings.quantity, this.range, chosen, strengths);
    });
    this.explain();
    this.viewer.redraw();
    const time = this.runs[0].times[frames[0]];
    document.body.dataset.frame = String(this.player.frame);
    document.body.dataset.time = String(time);
    // texts are updated at rest: without a GPU they take as long as a picture
    if (!this.player.playing) {
      this.say();
      this.panel.at(time);
      byId("canvas").setAttribute("aria-label",
        `${this.runs[0].bodies.about.title || "The structure"}: ${this.runs[0].count} bodies at ${digits(time)} seconds`);
      if (this.chosen) await this.panel.show(this.chosen, frames[this.chosen.run]);
    }
    const message = byId("message");
    if (!message.hidden) message.hidden = true;
  }

  /** Updates the legend if its content has changed. */
  private explain(): void {
    const { quantity, dark } = this.settings;
    const signs = [...new Map(this.viewer.structures.flatMap((s) => s.signs).map((sign) => [sign.label, sign])).values()];
    const told = JSON.stringify([quantity.name, this.range, signs, dark, this.generations, this.runs[0].stagesNow?.names]);
    if (told === this.told) return;
    this.told = told;
    fill(byId("legend"), bar(quantity, this.range), entries(this.runs, quantity, signs));
  }

  /** The colour scale covers all values shown since the quantity was selected. */
  private widen(packs: Pack[]): void {
    const { quantity, range } = this.settings;
    if (isNamed(quantity)) return;
    if (range || quantity.fixed) {
      this.range = range ?? quantity.fixed!;
      return;
    }
    let [low, high] = this.range;
    packs.forEach((pack, i) => {
      for (const value of this.runs[i].values(quantity, pack, this.firsts[i])) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    });
    const end = niceAbove(high);
    if (low < this.range[0] || high > this.range[1]) this.range = [low < 0 ? -niceAbove(-low) : 0, end];
  }

  /** Another quantity: its scale covers the present and the last frame. */
  private async recolour(): Promise<void> {
    try {
      this.range = [0, 1e-12];
      const { quantity } = this.settings;
      if (quantity.name === "stage") await Promise.all(this.runs.map((run) => run.stages()));
      const parts = this.settings.parts();
      this.widen(await Promise.all(this.runs.map((run) => run.frame(run.times.length - 1, parts))));
    } catch (error) {
      this.complain(error);
    }
    this.changed();
  }

  private choose(pick: Pick | null): void {
    this.chosen = pick;
    if (!pick) void this.panel.show(null, 0);
    this.changed();
  }

  private preset(name: string): void {
    const [, azimuth, elevation] = PRESETS.find(([have]) => have === name)!;
    // elevations and plans are drawn as on paper
    this.project(name !== "iso");
    this.viewer.look(azimuth, elevation);
  }

  private project(parallel: boolean): void {
    this.viewer.project(parallel);
    const box = document.getElementById("parallel") as HTMLInputElement | null;
    if (box) box.checked = this.viewer.isParallel;
  }

  private hide(): void {
    if (this.chosen?.kind !== "block") return;
    this.viewer.structures[this.chosen.run].hidden[this.chosen.body] = 1;
    this.choose(null);
  }

  /** Shows only a block and the blocks in contact with it. */
  private async isolate(): Promise<void> {
    if (!this.chosen) return;
    const { run } = this.chosen;
    const [bodies, frame] = [this.chosen.kind === "block" ? [this.chosen.body] : this.chosen.bodies, this.player.frameOf(this.runs[run])];
    const keep = new Set<number>(bodies);
    if (this.chosen.kind === "block") {
      const about = await getJson(this.runs[run].path(`block/${bodies[0]}?frame=${frame}`));
      about.joints.forEach((joint: any) => keep.add(joint.other));
    }
    this.viewer.structures[run].hidden.forEach((_, i, hidden) => (hidden[i] = keep.has(i) ? 0 : 1));
    this.changed();
  }

  private showAll(): void {
    this.viewer.structures.forEach((structure) => structure.hidden.fill(0));
    this.changed();
  }

  private saveGlb(): void {
    const colour = isNamed(this.settings.quantity) ? "material" : this.settings.quantity.name;
    download("run.glb", this.runs[0].path(`model.glb?color=${colour}`));
  }

  private async film(): Promise<void> {
    const at = this.player.frame;
    this.player.pause();
    const show = async (frame: number) => {
      this.player.frame = frame;
      await this.show();
    };
    try {
      await saveFilm(this.viewer, this.settings, this.player, () => this.range, show,
        (part) => (byId("status").textContent = `recording: ${Math.round(100 * part)} %`));
    } catch (error) {
      this.complain(error);
    }
    this.player.go(at);
    this.changed();
  }

  /** One line with the status of the run. */
  private say(): void {
    const texts = this.runs.map((run) => {
      const state = run.finished ? "finished" : run.times.length === 0 ? "waiting for the first frame" : "still running, or interrupted";
      const frames = run.times.length === 1 ? "1 frame" : `${run.times.length} frames`;
      const bodies = run.count === 1 ? "1 body" : `${run.count} bodies`;
      return `${frames}, ${bodies}, ${state}`;
    });
    byId("status").textContent = texts.join(" | ");
    const problem = this.runs.map((run) => run.problem).find((text) => text);
    if (problem) this.complain(problem);
  }

  private complain(error: unknown): void {
    const message = byId("message");
    message.textContent = error instanceof Error ? error.message : String(error);
    message.hidden = false;
    if (document.body.dataset.state === "starting") document.body.dataset.state = "failed";
  }

  private theme(dark: boolean): void {
    this.settings.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    byId("theme").textContent = dark ? "Light" : "Dark";
    if (this.viewer?.structures.length) this.changed();
  }

  private wire(): void {
    byId("theme").addEventListener("click", () => this.theme(!this.settings.dark));
    const panel = (open: boolean) => {
      document.body.classList.toggle("closed", !open);
      byId("panel-button").setAttribute("aria-expanded", String(open));
    };
    const toggle = () => panel(document.body.classList.contains("closed"));
    byId("panel-button").addEventListener("click", toggle);
    panel(innerWidth > 700);
    const ready = (act: () => void) => () => document.body.dataset.state === "ready" && act();
    listen([
      [[" "], "play or pause", ready(() => this.player.toggle())],
      [["ArrowLeft"], "one frame back", ready(() => this.player.step(-1))],
      [["ArrowRight"], "one frame on", ready(() => this.player.step(1))],
      [["Home"], "first frame", ready(() => this.player.go(0))],
      [["End"], "last frame", ready(() => this.player.go(this.player.count - 1))],
      [["Shift ArrowLeft"], "turn left", ready(() => this.viewer.orbit(-1 / 24, 0))],
      [["Shift ArrowRight"], "turn right", ready(() => this.viewer.orbit(1 / 24, 0))],
      [["Shift ArrowUp"], "look from higher up", ready(() => this.viewer.orbit(0, 1 / 24))],
      [["Shift ArrowDown"], "look from farther down", ready(() => this.viewer.orbit(0, -1 / 24))],
      [["+", "="], "nearer", ready(() => this.viewer.zoom(1.2))],
      [["-"], "farther", ready(() => this.viewer.zoom(1 / 1.2))],
      ...PRESETS.map(([name], i): [string[], string, () => void] => [[String(i + 1)], `view: ${name}`, ready(() => this.preset(name))]),
      [["c"], "next colour", ready(() => this.nextColour())],
      [["b"], "find a block", ready(() => byId("find").focus())],
      [["h"], "hide the chosen block", ready(() => this.hide())],
      [["i"], "isolate the chosen block", ready(() => void this.isolate())],
      [["u"], "show all blocks", ready(() => this.showAll())],
      [["t"], "measure distances on or off", ready(() => this.tool.toggle())],
      [["Escape"], "choose nothing", ready(() => this.choose(null))],
      [["p"], "save a picture", ready(() => savePng(this.viewer, this.settings, this.player, this.range))],
      [["g"], "save a model", ready(() => this.saveGlb())],
      [["d"], "light or dark", () => this.theme(!this.settings.dark)],
      [["m"], "controls on or off", toggle],
      [["?"], "these keys", () => byId<HTMLDialogElement>("help").showModal()],
    ]);
  }

  private nextColour(): void {
    const at = QUANTITIES.indexOf(this.settings.quantity);
    const list = byId<HTMLSelectElement>("quantity");
    list.value = QUANTITIES[(at + 1) % QUANTITIES.length].name;
    list.dispatchEvent(new Event("change"));
  }
}

const page = new Page();
page.start().catch((error) => {
  const message = byId("message");
  message.textContent = error instanceof Error ? error.message : String(error);
  message.hidden = false;
  document.body.dataset.state = "failed";
});
