// A file that cannot be read: the page says what is wrong, and goes on when it is mended.

import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { ready, told, visit } from "./browser.mjs";

await visit(told.address, async (page) => {
  const message = await page.textContent("#message");
  assert.match(message, /damaged, or not a file of Voussoir/);
  assert.equal(await page.isVisible("#message"), true);
  copyFileSync(told.whole, told.broken);
  await ready(page);
  await page.waitForFunction(() => document.getElementById("message").hidden);
});
console.log("ok: a damaged file");
