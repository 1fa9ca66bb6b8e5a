// What all browser tests share: a real Chromium without a graphics card, a page whose console must stay clean, and
// helpers that look at pixels.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const CHROMIUM = process.env.VOUSSOIR_CHROMIUM ?? "/usr/bin/chromium";

/**
 * Opens an address, hands the page to `act`, and fails on anything that the console calls an error or a warning. `before`
 * is run in the page before anything of its own.
 */
export async function visit(address, act, { before, ...options } = {}) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-sandbox"],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1100, height: 700 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    const faults = [];
    page.on("console", (message) => {
      const text = message.text();
      // the software renderer says that reading pixels makes it wait, which is what the tests ask for
      const expected = /GPU stall due to ReadPixels|Automatic fallback to software WebGL/.test(text);
      if (["error", "warning"].includes(message.type()) && !expected) faults.push(text);
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    if (before) await page.addInitScript(before);
    await page.goto(address);
    await page.waitForFunction(() => ["ready", "failed"].includes(document.body.dataset.state));
    await act(page);
    assert.deepEqual(faults, [], "the console is free of errors");
  } finally {
    await browser.close();
  }
}

export function ready(page) {
  return page.waitForFunction(() => document.body.dataset.state === "ready");
}

export function frame(page, wanted) {
  return page.waitForFunction((wanted) => document.body.dataset.frame === String(wanted), wanted);
}

/** Two drawings later everything asked for is on the canvas. */
export async function drawn(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
}

/** Pixels of the canvas at rest, when it is drawn in full: how many are not background, a coarse picture, and places well inside blocks. */
export async function pixels(page) {
  await page.waitForFunction(() => document.getElementById("canvas").dataset.quality === "0");
  await drawn(page);
  return page.evaluate(() => {
    const source = document.getElementById("canvas");
    const copy = document.createElement("canvas");
    // as large as on the screen, however many pixels were drawn
    [copy.width, copy.height] = [source.clientWidth, source.clientHeight];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(source, 0, 0, copy.width, copy.height);
    const { data, width, height } = context.getImageData(0, 0, copy.width, copy.height);
    const at = (x, y) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
    const ground = at(1, 1);
    const differs = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]) > 24;
    let filled = 0;
    const colours = new Set();
    const coarse = [];
    for (let y = 2; y < height; y += 4) {
      for (let x = 2; x < width; x += 4) {
        const here = at(x, y);
        coarse.push(here);
        if (differs(here, ground)) {
          filled++;
          colours.add(here.map((c) => c >> 4).join());
        }
      }
    }
    return { filled: filled / coarse.length, colours: colours.size, coarse };
  });
}

/** Part of the coarse pixels that differ between two pictures. */
export function change(a, b) {
  let count = 0;
  a.coarse.forEach((colour, i) => {
    const other = b.coarse[i];
    if (Math.abs(colour[0] - other[0]) + Math.abs(colour[1] - other[1]) + Math.abs(colour[2] - other[2]) > 24) count++;
  });
  return count / a.coarse.length;
}

/** `12.35 mm` → 0.01235. */
export function si(text) {
  // a letter is a prefix only before a unit: metres are no thousandths
  const [, number, prefix] = /^(-?[\d.e+-]+)\s*([GMkmµn](?=[A-Za-z]))?/.exec(text.trim()) ?? [];
  const factor = { G: 1e9, M: 1e6, k: 1e3, m: 1e-3, µ: 1e-6, n: 1e-9 }[prefix ?? ""] ?? 1;
  return Number(number) * factor;
}

/** The order in the arguments: an object of what the test was told. */
export const told = JSON.parse(process.argv[2] ?? "{}");
