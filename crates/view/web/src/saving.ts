// Pictures, models and films of the view.

import { bar, entries, paint } from "./legend";
import { digits, quantity } from "./numbers";
import type { Player } from "./player";
import { scaleBar } from "./scale";
import type { Settings } from "./settings";
import type { Viewer } from "./viewer";

export function download(name: string, data: Blob | string): void {
  const link = document.createElement("a");
  const address = typeof data === "string" ? data : URL.createObjectURL(data);
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  if (typeof data !== "string") setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The view with title, time and legend, on another canvas. */
export function compose(
  canvas: HTMLCanvasElement, viewer: Viewer, settings: Settings, player: Player, range: [number, number],
): void {
  const source = viewer.canvas;
  const [width, height] = [source.clientWidth, source.clientHeight];
  const scale = source.width / Math.max(width, 1);
  canvas.width = source.width;
  canvas.height = source.height;
  viewer.paint();
  const context = canvas.getContext("2d")!;
  context.drawImage(source, 0, 0);
  context.scale(scale, scale);
  const ink = settings.dark ? "#f2f2f2" : "#222222";
  context.fillStyle = ink;
  context.textBaseline = "middle";
  viewer.views().forEach(([left, top], index) => {
    const structure = viewer.structures[index];
    const { run } = structure;
    const time = run.times[player.frameOf(run)] ?? 0;
    context.fillStyle = ink;
    context.font = "bold 16px system-ui, sans-serif";
    context.fillText(run.bodies.about.title || "A run", left + 14, top + 20);
    context.font = "13px system-ui, sans-serif";
    const note = settings.exaggeration === 1 ? "" : ` · displacements ${settings.exaggeration} times`;
    context.fillText(`t = ${digits(time)} s${note}`, left + 14, top + 40);
  });
  const length = scaleBar(viewer);
  if (length) {
    const [right, bottom] = [width - 16, height - 16];
    context.fillStyle = ink;
    context.fillRect(right - length.width, bottom, length.width, 1.5);
    for (const x of [right - length.width, right - 1.5]) context.fillRect(x, bottom - 6, 1.5, 6);
    context.textAlign = "center";
    context.fillText(quantity(length.length, "m"), right - length.width / 2, bottom - 12);
    context.textAlign = "start";
  }
  const signs = viewer.structures.flatMap((structure) => structure.signs);
  const unique = [...new Map(signs.map((sign) => [sign.label, sign])).values()];
  const lines = entries(player.runs, settings.quantity, unique);
  const colours = bar(settings.quantity, range);
  const tall = (colours ? 180 : 0) + 20 * lines.length;
  paint(context, 14, height - tall - 10, colours, lines, ink);
}

export function savePng(viewer: Viewer, settings: Settings, player: Player, range: [number, number]): void {
  const canvas = document.createElement("canvas");
  viewer.settle();
  compose(canvas, viewer, settings, player, range);
  canvas.toBlob((blob) => blob && download(`frame-${player.frame}.png`, blob), "image/png");
}

/** A film from the displayed frame to the end; `show` shows a frame and resolves when it is drawn. */
export async function saveFilm(
  viewer: Viewer, settings: Settings, player: Player, range: () => [number, number],
  show: (frame: number) => Promise<void>, progress: (part: number) => void,
): Promise<void> {
  if (typeof MediaRecorder === "undefined") throw new Error("this browser cannot record films; GLB has the motion too");
  const canvas = document.createElement("canvas");
  compose(canvas, viewer, settings, player, range());
  const stream = canvas.captureStream(30);
  const wait = () => new Promise((resolve) => setTimeout(resolve, 1000 / 30));
  const kind = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"]
    .find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 12_000_000 });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  const ended = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  recorder.start(200);
  const first = player.frame >= player.count - 1 ? 0 : player.frame;
  const frames = player.count - first;
  // 30 pictures a second at the chosen speed, 30 seconds at the most
  const span = player.leader.times[player.count - 1] - player.leader.times[first];
  const pictures = Math.max(2, Math.min(frames, Math.ceil((30 * span) / settings.speed), 900));
  for (let i = 0; i < pictures; i++) {
    const next = wait();
    await show(first + Math.round((i * (frames - 1)) / (pictures - 1)));
    compose(canvas, viewer, settings, player, range());
    progress((i + 1) / pictures);
    await next;
  }
  // hold the last picture: recorders drop frames that are too short
  const written = () => parts.some((part) => part.size > 0);
  for (let i = 0; i < 24 || (!written() && i < 600); i++) {
    compose(canvas, viewer, settings, player, range());
    await wait();
  }
  recorder.stop();
  await ended;
  download(`run.${kind?.includes("mp4") ? "mp4" : "webm"}`, new Blob(parts, { type: kind }));
}
