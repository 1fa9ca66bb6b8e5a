// Small helpers for building the page.

type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Record<string, string | boolean | number> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false) continue;
    made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

export function button(label: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

/** An icon, drawn as a path in a square of 16, independent of fonts. */
export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const made = document.createElementNS(space, "svg");
  made.setAttribute("viewBox", "0 0 16 16");
  made.setAttribute("aria-hidden", "true");
  made.classList.add("icon");
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", path);
  made.append(shape);
  return made;
}

export function checkbox(label: string, on: boolean, act: (on: boolean) => void, id: string): HTMLLabelElement {
  const box = element("input", { type: "checkbox", id });
  box.checked = on;
  box.addEventListener("change", () => act(box.checked));
  return element("label", { class: "check" }, box, ` ${label}`);
}

export function select(
  label: string, id: string, options: [string, string][], value: string, act: (value: string) => void,
): HTMLLabelElement {
  const list = element("select", { id }, ...options.map(([key, text]) => element("option", { value: key }, text)));
  list.value = value;
  list.addEventListener("change", () => act(list.value));
  return element("label", { class: "field" }, element("span", {}, label), list);
}

export function slider(
  label: string, id: string, range: { min: number; max: number; step: number | "any"; value: number },
  text: (value: number) => string, act: (value: number) => void,
): HTMLLabelElement {
  const { min, max, step, value } = range;
  const input = element("input", { type: "range", id, min, max, step });
  input.value = String(value);
  const shown = element("output", { for: id }, text(value));
  input.addEventListener("input", () => {
    shown.textContent = text(Number(input.value));
    act(Number(input.value));
  });
  return element("label", { class: "field" }, element("span", {}, label, " ", shown), input);
}

export function group(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return element("details", { open }, element("summary", {}, title), ...children);
}

export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}
