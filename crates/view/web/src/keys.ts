// Keyboard shortcuts.

import { byId, button, element } from "./dom";

/** A key, its description, and its action. */
export type Key = [string[], string, () => void];

const NAMES: Record<string, string> = {
  " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓",
};

export function listen(keys: Key[]): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const typing = target.matches("input:not([type=checkbox]):not([type=range]), textarea, select");
    const pressing = event.key === " " && target.matches("button, summary, input, a");
    const sliding = target.matches("input[type=range]") && event.key.startsWith("Arrow");
    // an open dialog has its own keys
    if (byId<HTMLDialogElement>("help").open) return;
    if (event.ctrlKey || event.metaKey || event.altKey || typing || pressing || sliding) return;
    const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift ${event.key}` : event.key;
    const found = keys.find(([names]) => names.includes(name) || names.includes(name.toLowerCase()));
    if (!found) return;
    event.preventDefault();
    found[2]();
  });
  const help = byId<HTMLDialogElement>("help");
  const words = (name: string) => name.split(" ").filter(Boolean).map((part) => NAMES[part] ?? part).join(" ") || "Space";
  help.replaceChildren(
    element("h2", { id: "help-title" }, "Keys"),
    element("table", {}, element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "key"), element("th", { scope: "col" }, "does"))),
      element("tbody", {}, ...keys.map(([names, does]) =>
        element("tr", {}, element("td", {}, element("kbd", {}, names.map(words).join(", "))), element("td", {}, does))))),
    element("p", {}, "Drag to turn, right or two fingers to move, wheel or pinch to zoom, click a block or a joint for its numbers."),
    button("Close", () => help.close(), {}),
  );
  byId("help-button").addEventListener("click", () => help.showModal());
}
