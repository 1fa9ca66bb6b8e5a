// A run that is still going: new frames appear by themselves, the last one is shown, and the end is noticed.

import assert from "node:assert/strict";
import { told, visit } from "./browser.mjs";

await visit(told.address, async (page) => {
  const count = () => page.evaluate(() => Number(document.getElementById("scrubber").max) + 1);
  assert.equal(await page.isChecked("#follow"), true);
  const early = await count();
  await page.waitForFunction((early) => Number(document.getElementById("scrubber").max) + 1 > early + 2, early);
  await page.waitForFunction(() => document.getElementById("scrubber").max === document.body.dataset.frame);
  // going back stops following
  await page.locator("#scrubber").fill("0");
  await page.waitForFunction(() => document.body.dataset.frame === "0");
  assert.equal(await page.isChecked("#follow"), false);
  await page.check("#follow");
  console.log("following");
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("finished"), null, { timeout: 120_000 });
  await page.waitForFunction(() => document.getElementById("scrubber").max === document.body.dataset.frame);
  assert.equal(await count(), told.frames);
});
console.log("ok: a live run");
