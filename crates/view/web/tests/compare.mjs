// Two runs side by side: both are seen, at the same time, with one camera, and their numbers are compared.

import assert from "node:assert/strict";
import { drawn, frame, pixels, told, visit } from "./browser.mjs";

await visit(told.address, async (page) => {
  await drawn(page);
  assert.equal(await page.locator("#captions span").count(), 2);
  const seen = await pixels(page);
  assert.ok(seen.filled > 0.05);
  // both halves show something
  const halves = await page.evaluate(() => {
    const source = document.getElementById("canvas");
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [source.width, source.height];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(source, 0, 0);
    const count = (x) => {
      const { data } = context.getImageData(x, 0, copy.width / 2, copy.height);
      let dark = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] + data[i + 1] + data[i + 2] < 720) dark++;
      return dark / (data.length / 4);
    };
    return [count(0), count(copy.width / 2)];
  });
  assert.ok(halves.every((part) => part > 0.02), `both halves are drawn: ${halves}`);
  await page.locator("#scrubber").fill(String(told.frames - 1));
  await frame(page, told.frames - 1);
  await page.fill("#find", told.name);
  await page.press("#find", "Enter");
  await page.waitForSelector("#chosen svg.plot path.track-1", { state: "attached" });
  if (told.screenshot) await page.screenshot({ path: told.screenshot });
});
console.log("ok: two runs");
