// The controls beside the view, and the data of the selected block or joint.

import { QUANTITIES } from "./colours";
import { button, byId, checkbox, element, group, select, slider } from "./dom";
import { History } from "./history";
import { mass, quantity as words } from "./numbers";
import { plot, type Track } from "./plot";
import type { Run } from "./run";
import { LAYERS, type Axis, type Layer, type Settings } from "./settings";
import { PRESETS, type Pick } from "./viewer";
import { getJson } from "./wire";

/** Actions of the page that the controls call. */
export interface Actions {
  changed(): void;
  recoloured(): void;
  preset(name: string): void;
  project(parallel: boolean): void;
  choose(pick: Pick | null): void;
  measure(on: boolean): void;
  goTo(time: number): void;
  hide(): void;
  isolate(): void;
  showAll(): void;
  savePng(): void;
  saveGlb(): void;
  saveAnimation(): void;
}

const BLOCK_PLOTS: [string, string][] = QUANTITIES.filter((q) => q.part !== "" || q.name === "displacement")
  .map((q) => [q.name, q.label]);
const JOINT_PLOTS: [string, string][] = [["force", "force"], ["use", "friction utilisation"], ["opening", "opening"], ["slip", "slip"], ["damage", "damage"]];

export class Panel {
  private plotOf = { block: "displacement", joint: "force" };
  private asked = 0;
  private readonly history: History;

  constructor(private readonly settings: Settings, private readonly runs: Run[], private readonly actions: Actions) {
    this.history = new History(runs, (time) => actions.goTo(time));
  }

  /** Passes the displayed time to the plots. */
  at(time: number): void {
    this.history.mark(time);
  }

  build(): void {
    const { settings, actions } = this;
    const flat = this.runs.every((run) => run.bodies.about.dimension === 2);
    const layer = (name: Layer) => checkbox(LAYERS[name], settings.show[name], (on) => {
      settings.show[name] = on;
      actions.changed();
    }, `show-${name}`);
    const number = (id: string, label: string) => element("label", { class: "field small" }, element("span", {}, label),
      element("input", { type: "number", id, step: "any" }));
    const low = number("range-low", "from");
    const high = number("range-high", "to");
    const ranged = () => {
      const [a, b] = [low, high].map((field) => field.querySelector("input")!.value);
      settings.range = a !== "" && b !== "" && Number(b) > Number(a) ? [Number(a), Number(b)] : null;
      actions.changed();
    };
    // millimetres, the usual unit of cracks
    const crack = number("crack-least", "open joints from [mm]");
    const least = crack.querySelector("input")!;
    least.min = "0";
    least.value = String(Number((1000 * settings.crack).toPrecision(3)));
    crack.addEventListener("change", () => {
      settings.crack = Math.max(0, Number(least.value) || 0) / 1000;
      actions.changed();
    });
    low.addEventListener("change", ranged);
    high.addEventListener("change", ranged);
    const names = element("datalist", { id: "names" });
    const find = element("input", { type: "search", id: "find", list: "names", placeholder: "name or number", autocomplete: "off" });
    find.addEventListener("input", () => {
      const wanted = find.value.toLowerCase();
      const found = this.runs[0].names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, 30);
      names.replaceChildren(...found.map((name) => element("option", { value: name })));
    });
    find.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.find(find.value.trim());
    });

    byId("controls").replaceChildren(
      element("section", { id: "chosen", "aria-label": "Chosen block or joint", "aria-live": "polite" }),
      group("Blocks", true,
        element("label", { class: "field" }, element("span", {}, "Find a block"), find), names,
        element("div", { class: "row" },
          button("Hide", () => actions.hide(), { id: "hide", title: "Hide the chosen block (H)" }),
          button("Isolate", () => actions.isolate(), { id: "isolate", title: "Show the chosen block and its neighbours alone (I)" }),
          button("Show all", () => actions.showAll(), { id: "show-all", title: "Show all (U)" }))),
      group("Colour", true,
        select("Colour by", "quantity", QUANTITIES.map((q) => [q.name, q.label]), settings.quantity.name, (name) => {
          settings.quantity = QUANTITIES.find((q) => q.name === name)!;
          settings.range = null;
          low.querySelector("input")!.value = high.querySelector("input")!.value = "";
          actions.recoloured();
        }),
        element("div", { class: "row" }, low, high)),
      group("Show", true, ...(Object.keys(LAYERS) as Layer[]).flatMap((name) => (name === "cracks" ? [layer(name), crack] : [layer(name)])),
        checkbox("edges of blocks", settings.edges, (on) => { settings.edges = on; actions.changed(); }, "show-edges"),
        checkbox("shadows on the ground", settings.shadows, (on) => { settings.shadows = on; actions.changed(); }, "show-shadows"),
        checkbox("measure distances", false, (on) => actions.measure(on), "measure"),
        checkbox("ground and other planes", settings.ground, (on) => { settings.ground = on; actions.changed(); }, "show-ground")),
      this.history.build(),
      group("Displacements", false,
        slider("Shown", "exaggeration", { min: 0, max: 4, step: 0.1, value: 0 },
          (value) => (value === 0 ? "as they are" : `${magnification(value)} times`),
          (value) => { settings.exaggeration = magnification(value); actions.changed(); })),
      group("Section", false,
        select("Cut across", "section", [["", "nothing"], ["x", "x"], ["y", "y"], ...(flat ? [] : [["z", "z"] as [string, string]])], "",
          (axis) => {
            const before = settings.section ?? { part: 0.5, flip: false };
            settings.section = axis ? { ...before, axis: axis as Axis } : null;
            actions.changed();
          }),
        slider("Place", "section-place", { min: 0, max: 1, step: 0.005, value: 0.5 }, (value) => `${Math.round(100 * value)} %`,
          (part) => { if (settings.section) settings.section.part = part; actions.changed(); }),
        checkbox("keep the other side", false, (flip) => { if (settings.section) settings.section.flip = flip; actions.changed(); }, "section-flip")),
      group("Camera", false, element("div", { class: "row" },
        ...PRESETS.slice(0, flat ? 1 : undefined).map(([name], i) =>
          button(flat ? "fit" : name, () => actions.preset(name), { id: `view-${name}`, title: `Key ${i + 1}` }))),
        ...(flat ? [] : [checkbox("parallel projection, with scale bar", false, (on) => actions.project(on), "parallel")])),
      group("Save", false, element("div", { class: "row" },
        button("PNG", () => actions.savePng(), { id: "save-png", title: "A picture of what is shown (P)" }),
        button("GLB", () => actions.saveGlb(), { id: "save-glb", title: "A 3D model with its motion, for Blender and other programs (G)" }),
        button("Animation", () => actions.saveAnimation(), { id: "save-animation", title: "A film (WebM) from here to the end" }))),
    );
  }

  private find(text: string): void {
    const { names } = this.runs[0];
    const exact = names.indexOf(text);
    const number = /^\d+$/.test(text) ? Number(text) : -1;
    const part = names.findIndex((name) => name.toLowerCase().includes(text.toLowerCase()));
    const body = exact >= 0 ? exact : number >= 0 && number < names.length ? number : part;
    if (text !== "" && body >= 0) this.actions.choose({ kind: "block", run: 0, body });
    else byId("chosen").replaceChildren(element("p", {}, `no block is called “${text}”`));
  }

  /** Shows the data of a block or joint in a frame. */
  async show(pick: Pick | null, frame: number): Promise<void> {
    const asked = ++this.asked;
    const place = byId("chosen");
    if (!pick) {
      place.replaceChildren();
      return;
    }
    const run = this.runs[pick.run];
    const path = pick.kind === "block" ? `block/${pick.body}` : `joint/${pick.bodies.join("-")}`;
    const about = await getJson(run.path(`${path}?frame=${frame}`));
    // another block or joint may have been selected meanwhile
    if (asked !== this.asked) return;
    const close = button("Close", () => this.actions.choose(null), { class: "close", title: "Esc" });
    const kept = place.querySelector("figure");
    const same = place.dataset.path === `${pick.run}/${path}`;
    place.dataset.path = `${pick.run}/${path}`;
    const head = pick.kind === "block" ? about.name : `${about.names[0]} – ${about.names[1]}`;
    const rows = pick.kind === "block" ? blockRows(about) : jointRows(about);
    const figure = same && kept ? kept : element("figure", {});
    place.replaceChildren(
      element("h2", {}, head), close,
      element("dl", {}, ...rows.flatMap(([name, value, id]) => [element("dt", {}, name), element("dd", id ? { id } : {}, value)])),
      ...(pick.kind === "block" ? [this.jointList(pick.run, about)] : this.sides(pick)),
      this.plotChoice(pick, figure), figure,
    );
    if (!(same && kept)) await this.draw(pick, figure);
    else this.mark(figure, about.time_s);
  }

  private jointList(run: number, about: any): HTMLElement {
    const loaded = about.joints.sort((a: any, b: any) => b.force_n - a.force_n).slice(0, 12);
    return element("details", { class: "joints" }, element("summary", {}, `${about.joints.length} joints`),
      ...loaded.map((joint: any) => button(`${joint.name}: ${words(joint.force_n, "N")}`,
        () => this.actions.choose({ kind: "joint", run, bodies: joint.bodies }), { class: "link" })));
  }

  private sides(pick: Pick & { kind: "joint" }): HTMLElement[] {
    return [element("div", { class: "row" }, ...pick.bodies.map((body) => button(this.runs[pick.run].names[body],
      () => this.actions.choose({ kind: "block", run: pick.run, body }), { class: "link" })))];
  }

  private plotChoice(pick: Pick, figure: HTMLElement): HTMLElement {
    const options = pick.kind === "block" ? BLOCK_PLOTS : JOINT_PLOTS;
    return select("Over time", "plot-of", options, this.plotOf[pick.kind], (value) => {
      this.plotOf[pick.kind] = value;
      void this.draw(pick, figure);
    });
  }

  private tracks: Track[] = [];
  private trackNames: string[] = [];

  /** Plots a number over time; of both runs, where both have the block. */
  private async draw(pick: Pick, figure: HTMLElement): Promise<void> {
    const of = this.plotOf[pick.kind];
    figure.replaceChildren(element("p", {}, "reading …"));
    const found: Track[] = [];
    const names: string[] = [];
    const own = this.runs[pick.run];
    for (const run of [own, ...this.runs.filter((other) => other !== own)]) {
      const bodies = (pick.kind === "block" ? [pick.body] : pick.bodies).map((body) => run.names.indexOf(own.names[body]));
      if (bodies.includes(-1)) continue;
      const what = pick.kind === "block" ? `block=${bodies[0]}` : `joint=${bodies.join("-")}`;
      found.push(await getJson(run.path(`track?${what}&of=${of}`)));
      names.push(run.folder.split("/").pop() ?? run.folder);
    }
    [this.tracks, this.trackNames] = [found, names];
    const shown = Number(document.body.dataset.time);
    figure.replaceChildren(plot(found, shown, names));
  }

  private mark(figure: HTMLElement, now: number): void {
    if (this.tracks.length > 0) figure.replaceChildren(plot(this.tracks, now, this.trackNames));
  }
}

/** 1, then quickly more: 10 ^ value, rounded. */
function magnification(value: number): number {
  return value === 0 ? 1 : Number((10 ** value).toPrecision(2));
}

type Row = [string, string, string?];

function blockRows(about: any): Row[] {
  const rows: Row[] = [["material", about.material ?? "–"]];
  if (about.support) rows.push(["role", "support"]);
  if (about.mass_kg !== null) rows.push(["mass", mass(about.mass_kg)]);
  if (about.volume_m3 !== null) rows.push(["volume", `${words(about.volume_m3, "")} m³`]);
  rows.push(
    ["displacement", words(about.displacement_m, "m"), "value-displacement"],
    ["rotation", `${words(about.rotation_deg, "")}°`],
    ["speed", words(about.speed_m_s, "m/s"), "value-speed"],
  );
  if (about.pressure_pa !== null) rows.push(["mean pressure", words(about.pressure_pa, "Pa"), "value-pressure"]);
  if (about.principal_pa) {
    rows.push(["principal stresses", about.principal_pa.map((s: number) => words(s, "Pa")).join(", ")]);
  }
  if (about.use !== null) rows.push(["friction utilisation ‖T‖/μN", words(about.use, ""), "value-use"]);
  if (about.damage !== null) rows.push(["joint damage", words(about.damage, "")]);
  if (about.slip_m !== null) rows.push(["joint slip", words(about.slip_m, "m")]);
  return rows;
}

function jointRows(about: any): Row[] {
  if (about.contacts === 0) return [["contacts", "none at this time"]];
  return [
    ["status", about.status],
    ["force", words(about.size_n, "N"), "value-force"],
    ["normal, tangential", `${words(about.normal_n, "N")}, ${words(about.tangential_n, "N")}`],
    ["friction utilisation ‖T‖/μN", `${words(about.use, "")} (μ = ${words(about.friction, "")})`],
    ["mean pressure", words(about.mean_pressure_pa, "Pa")],
    ["opening", words(about.opening_m, "m")],
    ["slip", words(about.slip_m, "m")],
    ["damage", words(about.damage, "")],
    ["contacts", String(about.contacts)],
  ];
}
