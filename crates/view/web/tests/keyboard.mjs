// Without a mouse: play, step, look, choose, colour, help. And: the automatic check of accessibility passes, in light
// and in dark, on a large screen and on a phone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { change, drawn, frame, pixels, told, visit } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function accessible(page, where) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  assert.deepEqual(told, [], `accessible: ${where}`);
}

await visit(told.address, async (page) => {
  const press = async (key) => {
    await page.keyboard.press(key);
    await drawn(page);
  };
  await press("ArrowRight");
  await frame(page, 1);
  await press("End");
  await frame(page, told.frames - 1);
  await press("Home");
  await frame(page, 0);
  await press(" ");
  await page.waitForFunction(() => Number(document.body.dataset.frame) > 2);
  await press(" ");
  const before = await pixels(page);
  await press("Shift+ArrowLeft");
  assert.ok(change(before, await pixels(page)) > 0.01, "turned");
  await press("2");
  const front = await pixels(page);
  await press("+");
  assert.ok((await pixels(page)).filled > front.filled, "nearer");
  await press("c");
  await page.waitForFunction(() => document.getElementById("quantity").value === "displacement");

  // choose a block by its name, from the keyboard alone
  await press("b");
  assert.equal(await page.evaluate(() => document.activeElement.id), "find");
  await page.keyboard.type(told.name);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#value-displacement");
  assert.equal(await page.textContent("#chosen h2"), told.name);
  // every control is reached by Tab, and what has the focus is seen
  const reached = new Set();
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press("Tab");
    const [id, outline] = await page.evaluate(() => {
      const { id, tagName } = document.activeElement;
      return [id || tagName, getComputedStyle(document.activeElement).outlineStyle];
    });
    if (id !== "BODY") assert.notEqual(outline, "none", `${id} shows that it has the focus`);
    reached.add(id);
  }
  for (const id of ["theme", "canvas", "quantity", "show-thrust", "play", "scrubber", "hide", "find"]) {
    assert.ok(reached.has(id), `${id} is reached by Tab`);
  }
  await page.evaluate(() => document.activeElement.blur());
  await accessible(page, "light");
  await press("?");
  await page.waitForSelector("#help[open]");
  await accessible(page, "help");
  await press("Escape");
  await press("d");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await accessible(page, "dark");
  if (told.screenshot) await page.screenshot({ path: told.screenshot });
});

await visit(told.address, async (page) => {
  await drawn(page);
  assert.ok((await pixels(page)).filled > 0.01, "seen on a phone");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `nothing sticks out: ${wide}`);
  await page.click("#panel-button");
  await drawn(page);
  await page.locator("#quantity").scrollIntoViewIfNeeded();
  await page.selectOption("#quantity", "pressure");
  await page.tap("#forward");
  await frame(page, 1);
  await accessible(page, "phone");
  if (told.screenshot) await page.screenshot({ path: told.screenshot.replace(".png", "-phone.png") });
}, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
console.log("ok: keyboard, accessibility, phone");
