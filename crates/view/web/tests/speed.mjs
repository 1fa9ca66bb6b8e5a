// How soon the page of a run opens and how fast it plays; `cargo xtask bench page` starts this.

import { readFileSync, readdirSync } from "node:fs";
import { told, visit } from "./browser.mjs";

/** CPU seconds of a process and all below it; nothing where the system does not tell. */
function cpuSeconds(root, except = -1) {
  try {
    const [parents, spent] = [new Map(), new Map()];
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number)) {
      try {
        const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").pop().split(" ");
        parents.set(id, Number(fields[1]));
        spent.set(id, (Number(fields[11]) + Number(fields[12])) / 100);
      } catch {
        // it has just ended
      }
    }
    const below = (id) => id === root || (parents.has(id) && id !== except && below(parents.get(id)));
    return [...spent].filter(([id]) => id !== except && below(id)).reduce((sum, [, seconds]) => sum + seconds, 0);
  } catch {
    return NaN;
  }
}

const spentBy = () => [cpuSeconds(told.server), cpuSeconds(process.pid)];

const start = performance.now();
await visit(told.address, async (page) => {
  const opened = await page.evaluate(() => performance.now());
  const [served, browsed] = spentBy();
  console.log(`CPU until then: server ${served.toFixed(2)} s, browser ${browsed.toFixed(2)} s with its start`);
  console.log(`opens in ${((performance.now() - start) / 1000).toFixed(2)} s with the browser, ${(opened / 1000).toFixed(2)} s from the address to the first picture`);
  const chrome = await page.context().newCDPSession(page);
  await chrome.send("Performance.enable");
  const busy = async () => {
    const { metrics } = await chrome.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ScriptDuration").value;
  };
  for (const [name, prepare] of [
    ["colour: material", async () => {}],
    // what a graphics card leaves to do: everything but the drawing, of which there is little from inside a block
    ["from inside a block", async () => {
      for (let i = 0; i < 60; i++) await page.keyboard.press("+");
    }],
    ["colour: displacement", () => page.selectOption("#quantity", "displacement")],
    ["colour: pressure, with forces", async () => {
      await page.keyboard.press("1");
      await page.selectOption("#quantity", "pressure");
      await page.check("#show-resultants");
    }],
  ]) {
    await prepare();
    await page.waitForTimeout(1500);
    await page.selectOption("#speed", "1");
    await page.locator("#scrubber").fill("1");
    await page.waitForTimeout(500);
    const [[served, browsed], idle] = [spentBy(), await busy()];
    // frames that were shown, and drawings, for eight seconds
    const seen = await page.evaluate(() => new Promise((done) => {
      const frames = new Set();
      let drawings = 0;
      const begin = performance.now();
      const look = () => {
        drawings++;
        frames.add(document.body.dataset.frame);
        if (performance.now() - begin < 8000) requestAnimationFrame(look);
        else done({ shown: frames.size, drawings, seconds: (performance.now() - begin) / 1000 });
      };
      document.getElementById("play").click();
      requestAnimationFrame(look);
    }));
    const [[servedNow, browsedNow], worked] = [spentBy(), (await busy()) - idle];
    await page.click("#play");
    console.log(`${name}: ${(seen.shown / seen.seconds).toFixed(1)} frames a second, ${(seen.drawings / seen.seconds).toFixed(1)} drawings; ` +
      `scripts ${(worked / seen.shown).toFixed(1)} ms a frame, server ${((1000 * (servedNow - served)) / seen.shown).toFixed(1)} ms of CPU a frame, ` +
      `browser ${((1000 * (browsedNow - browsed)) / seen.drawings).toFixed(1)} ms of CPU a drawing`);
  }
  if (told.screenshot) await page.screenshot({ path: told.screenshot });
});
