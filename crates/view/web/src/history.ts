// Columns of history.csv over time. The columns are described by the results; the page knows none of them.

import { button, element, group, select } from "./dom";
import { events } from "./events";
import { digits } from "./numbers";
import { plot, type Track } from "./plot";
import type { Run } from "./run";
import { getJson } from "./wire";

interface Column {
  index: number;
  head: string;
  label: string;
  unit: string;
  role: string;
}

/** Headings of the roles, in the order of the list; other roles come last under their own names. */
const ROLES: [string, string][] = [
  ["probe", "probes"], ["displacement", "displacement"], ["measure", "measures"], ["reaction", "support reactions"],
  ["cable", "cables"], ["energy", "energies"], ["work", "work"], ["taken", "dissipated, stored and lost energy"],
  ["contacts", "contacts"], ["certificate", "certificate"], ["effort", "effort of the solver"],
];

/** A plot of one column of every run, with the list of columns above it. */
export class History {
  private readonly figure = element("figure", { id: "history-plot" });
  private readonly choice = element("div", {});
  private columns: Column[] = [];
  private head = "";
  private tracks: Track[] = [];
  private names: string[] = [];
  private time = 0;
  private jumps = element("p", { class: "events row" });

  constructor(private readonly runs: Run[], private readonly goTo: (time: number) => void) {}

  /** The group in the controls; data are read when it is opened. */
  build(): HTMLElement {
    const made = group("History", false, this.choice, this.figure);
    made.id = "history";
    made.addEventListener("toggle", () => made.open && void this.read());
    return made;
  }

  /** Moves the mark of the present time. */
  mark(time: number): void {
    this.time = time;
    if (this.tracks.length > 0) this.figure.replaceChildren(plot(this.tracks, time, this.names, this.goTo), this.jumps);
  }

  private async read(): Promise<void> {
    try {
      this.columns = await getJson(this.runs[0].path("columns"));
      const rank = (role: string) => (ROLES.findIndex(([name]) => name === role) + ROLES.length + 1) % (ROLES.length + 1);
      this.columns.sort((a, b) => rank(a.role) - rank(b.role) || a.index - b.index);
      if (!this.columns.some((column) => column.head === this.head)) this.head = this.columns[0]?.head ?? "";
      this.choice.replaceChildren(this.list());
      await this.draw();
    } catch (error) {
      this.figure.replaceChildren(element("p", {}, error instanceof Error ? error.message : String(error)));
    }
  }

  /** Buttons that jump to the events of a track. */
  private buttons(track: Track): HTMLElement[] {
    return events(track).map(({ name, time }) => {
      const label = `${name}, ${digits(time)} s`;
      return button(label, () => this.goTo(time), { title: `go to t = ${digits(time)} s` });
    });
  }

  private list(): HTMLElement {
    const label = select("Over time", "history-of", [], "", (head) => {
      this.head = head;
      void this.draw();
    });
    const list = label.querySelector("select")!;
    for (const role of [...new Set(this.columns.map((column) => column.role))]) {
      const heading = ROLES.find(([name]) => name === role)?.[1] ?? role;
      const options = this.columns.filter((column) => column.role === role)
        .map((column) => element("option", { value: column.head }, column.label));
      list.append(element("optgroup", { label: heading }, ...options));
    }
    list.value = this.head;
    return label;
  }

  /** Reads and plots the chosen column of all runs that have it. */
  private async draw(): Promise<void> {
    const wanted = this.head;
    this.figure.replaceChildren(element("p", {}, "reading …"));
    const found: Track[] = [];
    const names: string[] = [];
    for (const run of this.runs) {
      const columns: Column[] = run === this.runs[0] ? this.columns : await getJson(run.path("columns"));
      const column = columns.find((each) => each.head === wanted);
      if (!column) continue;
      found.push(await getJson(run.path(`track?column=${column.index}`)));
      names.push(run.folder.split("/").pop() ?? run.folder);
    }
    // another column may have been chosen meanwhile
    if (wanted !== this.head) return;
    [this.tracks, this.names] = [found, names];
    this.jumps = element("p", { class: "events row" }, ...(found.length > 0 ? this.buttons(found[0]) : []));
    if (found.length === 0) this.figure.replaceChildren(element("p", {}, "no values yet"));
    this.mark(this.time);
  }
}
