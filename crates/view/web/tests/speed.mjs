// How soon the page of a run opens and how fast it plays; `cargo xtask bench page` starts this.
//
// Seconds on the clock hold for this machine as busy as it is. CPU time hardly depends on that, and is told apart by what
// spent it: the server, scripts and layout, transfer, and the process that draws. Where a program draws, the last is what
// a graphics card would take over; a visit on which nothing is drawn shows what is left then.

import { readFileSync, readdirSync } from "node:fs";
import { told, visit } from "./browser.mjs";

/** Milliseconds for which each case plays. */
const SPAN = 8000;
/** Calls that draw triangles do nothing: all the rest is done as ever. */
const DRAW_NOTHING = "for (const call of ['drawElements', 'drawElementsInstanced']) WebGL2RenderingContext.prototype[call] = () => {};";

/** CPU milliseconds so far, by what spent them; nothing where the system does not tell. */
function spent() {
  const out = { server: 0, page: 0, transfer: 0, browser: 0, drawing: 0 };
  try {
    const [parents, found] = [new Map(), new Map()];
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number)) {
      try {
        const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").pop().split(" ");
        parents.set(id, Number(fields[1]));
        const kind = /--type=([a-z-]+)/.exec(readFileSync(`/proc/${id}/cmdline`, "utf8"))?.[1] ?? "";
        found.set(id, [kind, 10 * (Number(fields[11]) + Number(fields[12]))]);
      } catch {
        // it has just ended
      }
    }
    const names = { renderer: "page", utility: "transfer", "gpu-process": "drawing" };
    const below = (id) => id === process.pid || (parents.has(id) && below(parents.get(id)));
    for (const [id, [kind, time]] of found) {
      if (id === told.server) out.server += time;
      else if (id !== process.pid && below(id)) out[names[kind] ?? "browser"] += time;
    }
  } catch {
    // not a system with /proc
  }
  return out;
}

/** Frames that were shown while it played, from the first frame on. */
async function play(page) {
  await page.waitForTimeout(1500);
  await page.selectOption("#speed", "1");
  await page.locator("#scrubber").fill("1");
  await page.waitForTimeout(500);
  const before = spent();
  const seen = await page.evaluate((span) => new Promise((done) => {
    const frames = new Set();
    const begin = performance.now();
    const look = () => {
      frames.add(document.body.dataset.frame);
      const passed = performance.now() - begin;
      if (passed < span) requestAnimationFrame(look);
      else done({ shown: frames.size, seconds: passed / 1000 });
    };
    document.getElementById("play").click();
    requestAnimationFrame(look);
  }), SPAN);
  const after = spent();
  await page.click("#play");
  const each = Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / seen.shown]));
  return { rate: seen.shown / seen.seconds, each };
}

function say(name, { rate, each }) {
  const { drawing, ...rest } = each;
  const parts = Object.entries(rest).map(([part, time]) => `${part} ${time.toFixed(1)}`).join(", ");
  const all = Object.values(rest).reduce((sum, time) => sum + time, 0);
  console.log(`${name}: ${rate.toFixed(1)} frames a second; CPU a frame: all but drawing ${all.toFixed(1)} ms (${parts}), drawing ${drawing.toFixed(1)} ms`);
}

const CASES = [
  ["colour: material", async () => {}],
  ["colour: displacement", (page) => page.selectOption("#quantity", "displacement")],
  ["colour: pressure, with forces", async (page) => {
    await page.selectOption("#quantity", "pressure");
    await page.check("#show-resultants");
  }],
];

const start = performance.now();
await visit(told.address, async (page) => {
  // a pixel that was read back has been drawn
  const opened = await page.evaluate(() => {
    const ready = performance.now();
    const copy = document.createElement("canvas").getContext("2d");
    copy.drawImage(document.getElementById("canvas"), 0, 0, 1, 1);
    copy.getImageData(0, 0, 1, 1);
    const asked = (name) => performance.getEntriesByType("resource").find((entry) => entry.name.includes(name));
    const [page, bodies, first] = [asked("page.js"), asked("/bodies"), asked("/frame/0")];
    return {
      script: page.responseEnd,
      asked: bodies.startTime,
      bodies: bodies.responseEnd,
      first: first.responseEnd,
      ready,
      drawn: performance.now(),
    };
  });
  const seconds = (time) => (time / 1000).toFixed(2);
  console.log(`opens in ${seconds(performance.now() - start)} s with the start of the browser, ${seconds(opened.drawn)} s from the address to the first picture:`);
  console.log(`  page loaded ${seconds(opened.script)} s, structure asked for ${seconds(opened.asked)} s, first frame there ${seconds(opened.first)} s, ` +
    `structure there ${seconds(opened.bodies)} s, everything handed over ${seconds(opened.ready)} s, drawn ${seconds(opened.drawn)} s`);
  const { server, page: scripts, transfer, browser, drawing } = spent();
  console.log(`  CPU until then: server ${server} ms, page ${scripts} ms, transfer ${transfer} ms, browser with its start ${browser} ms, drawing with its start ${drawing} ms`);
  for (const [name, prepare] of CASES) {
    await prepare(page);
    say(name, await play(page));
  }
  if (told.screenshot) await page.screenshot({ path: told.screenshot });
});
await visit(told.address, async (page) => {
  for (const [name, prepare] of CASES) {
    await prepare(page);
    say(`nothing drawn, ${name}`, await play(page));
  }
}, { before: DRAW_NOTHING });
