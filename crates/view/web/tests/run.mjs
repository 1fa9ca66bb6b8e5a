// A finished run: blocks are seen, time is scrubbed, a block and a joint are picked and have the numbers of the
// results, colours, layers and sections change the picture, files are saved, and others can read them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { change, drawn, frame, pixels, si, told, visit } from "./browser.mjs";

await visit(told.address, async (page) => {
  assert.equal(await page.evaluate(() => document.body.dataset.state), "ready");
  assert.match(await page.textContent("#title"), /Arch/);

  // blocks are seen
  const first = await pixels(page);
  assert.ok(first.filled > 0.08 && first.filled < 0.9, `blocks cover ${first.filled} of the view`);
  assert.ok(first.colours > 5, "faces are shaded");

  // the same picture again is the same picture; the end of the collapse is not
  const last = told.frames - 1;
  assert.ok(change(first, await pixels(page)) < 1e-3);
  await page.locator("#scrubber").fill(String(last));
  await frame(page, last);
  const fallen = await pixels(page);
  assert.ok(change(first, fallen) > 0.02, "scrubbing changes the picture");
  await page.click("#back");
  await frame(page, last - 1);
  await page.click("#forward");
  await frame(page, last);

  // playing goes on by itself and ends
  await page.locator("#scrubber").fill(String(last - 20));
  await page.selectOption("#speed", "1");
  await page.click("#play");
  await frame(page, last);
  await page.waitForFunction(() => document.getElementById("play").getAttribute("aria-label") === "Play");

  // pick a block where there is one; its numbers are those of the results
  await page.locator("#scrubber").fill(String(told.frame));
  await frame(page, told.frame);
  for (const layer of ["resultants", "loads"]) await page.uncheck(`#show-${layer}`);
  await page.uncheck("#show-ground");
  await drawn(page);
  const box = await page.locator("#canvas").boundingBox();
  let name = "";
  for (let i = 1; i < 40 && !told.displacement_m[name]; i++) {
    // a walk over the view until it meets a free block
    const [x, y] = [box.x + (box.width * ((i * 7) % 40)) / 40, box.y + (box.height * (6 + ((i * 3) % 30))) / 40];
    await page.mouse.click(x, y);
    await page.waitForTimeout(150);
    name = (await page.locator("#chosen h2").count()) ? await page.textContent("#chosen h2") : "";
  }
  assert.ok(name in told.displacement_m, `picked ${name}`);
  const shown = si(await page.textContent("#value-displacement"));
  const expected = told.displacement_m[name];
  assert.ok(Math.abs(shown / expected - 1) < 6e-4, `${name}: ${shown} is shown, the results have ${expected}`);
  await page.waitForSelector("#chosen svg.plot path.track");
  await page.selectOption("#plot-of", "pressure");
  await page.waitForSelector('#chosen svg.plot[aria-label*="pressure"]');

  // a joint of the block, from its list; its force is that of the results
  await page.click("#chosen details.joints summary");
  await page.click("#chosen details.joints button >> nth=0");
  await page.waitForSelector("#value-force");
  const force = si(await page.textContent("#value-force"));
  const pair = (await page.textContent("#chosen h2")).split(" – ").join("|");
  assert.ok(Math.abs(force / told.force_n[pair] - 1) < 6e-4, `${pair}: ${force} N, the results have ${told.force_n[pair]}`);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.getElementById("chosen").childElementCount === 0);

  // a column of the history, as the analysis describes it; a click on the plot shows that time
  await page.click('#controls summary:text-is("History")');
  await page.waitForSelector("#history svg.plot path.track");
  await page.selectOption("#history-of", "kinetic_j");
  await page.waitForSelector('#history svg.plot[aria-label^="kinetic ["]');
  const chart = await page.locator("#history svg.plot").boundingBox();
  await page.mouse.click(chart.x + 0.6 * chart.width, chart.y + 0.4 * chart.height);
  await page.waitForFunction((was) => Number(document.body.dataset.frame) !== was, told.frame);
  const share = Number(await page.evaluate(() => document.body.dataset.time)) / told.time_s;
  assert.ok(Math.abs(share - (0.6 * 300 - 46) / 246) < 0.05, `a click shows ${share} of the time`);
  // a button jumps to an event of the plot, up to the distance of frames
  const peak = page.locator('#history .events button:has-text("maximum")');
  const told_at = Number((await peak.textContent()).match(/, ([\d.e−-]+) s/)[1].replace("−", "-"));
  await peak.click();
  await page.waitForFunction((at) => Math.abs(Number(document.body.dataset.time) - at) < 0.06 * Math.max(at, 0.5), told_at);
  await page.click('#controls summary:text-is("History")');
  await page.locator("#scrubber").fill(String(told.frame));
  await frame(page, told.frame);

  // every colour works and most change the picture
  const plain = await pixels(page);
  let changed = 0;
  for (const quantity of ["displacement", "speed", "pressure", "stress", "use", "damage", "slip", "stage", "material"]) {
    await page.selectOption("#quantity", quantity);
    await page.waitForTimeout(250);
    const coloured = await pixels(page);
    if (change(plain, coloured) > 0.01) changed++;
    if (!["material", "stage"].includes(quantity)) assert.ok((await page.locator("#legend .marks span").count()) >= 2, quantity);
    if (quantity === "displacement") assert.match(await page.textContent("#legend"), /displacement \[.?m\]/);
  }
  assert.ok(changed >= 6, `${changed} quantities changed the picture`);

  // every layer can be shown
  for (const layer of ["resultants", "contacts", "centres", "thrust", "network", "cracks", "motion", "cables", "loads"]) {
    await page.check(`#show-${layer}`);
    await page.waitForTimeout(150);
    const layered = await pixels(page);
    if (["resultants", "contacts", "network", "motion"].includes(layer)) {
      assert.ok(change(plain, layered) > 2e-4, `${layer} is seen`);
    }
    if (layer === "cracks") {
      // joints are open from half a millimetre on, or from what is asked for
      await page.waitForFunction(() => document.getElementById("legend").textContent.includes("joint open by more than 0.5 mm"));
      await page.fill("#crack-least", "10000");
      await page.press("#crack-least", "Enter");
      await page.waitForFunction(() => !document.getElementById("legend").textContent.includes("open by"));
      await page.fill("#crack-least", "0.5");
      await page.press("#crack-least", "Enter");
    }
    await page.uncheck(`#show-${layer}`);
  }
  await page.waitForTimeout(200);

  // exaggerated displacements, a section, hiding
  for (const summary of ["Displacements", "Section", "Camera", "Save"]) await page.click(`#controls summary:text-is("${summary}")`);
  await page.locator("#exaggeration").fill("0.3");
  await page.waitForTimeout(200);
  assert.ok(change(plain, await pixels(page)) > 0.01, "displacements are exaggerated");
  await page.locator("#exaggeration").fill("0");
  await page.selectOption("#section", "x");
  await page.waitForTimeout(200);
  const half = await pixels(page);
  assert.ok(half.filled < 0.85 * plain.filled, "the section takes part of the structure away");
  await page.check("#section-flip");
  await page.waitForTimeout(200);
  assert.ok(change(half, await pixels(page)) > 0.02, "the other side");
  await page.selectOption("#section", "");
  await page.fill("#find", name);
  await page.press("#find", "Enter");
  await page.waitForSelector("#chosen h2");
  await page.click("#isolate");
  await page.waitForTimeout(300);
  assert.ok((await pixels(page)).filled < 0.7 * plain.filled, "one block and its neighbours alone");
  await page.click("#show-all");
  // elevations have parallel lines and a scale bar; the view from a corner has neither
  assert.equal(await page.locator("#scale-bar").count(), 0);
  await page.click("#view-front");
  await page.waitForSelector("#scale-bar");
  assert.match(await page.textContent("#scale-bar"), /^(0\.)?[125]0* (m|mm)$/);
  assert.ok(await page.isChecked("#parallel"));
  assert.equal(await page.locator("#scale svg text").allTextContents().then((names) => names.join()), "x,z");
  if (told.screenshot) await page.screenshot({ path: told.screenshot.replace(".png", "-front.png") });
  await page.uncheck("#parallel");
  await page.waitForFunction(() => !document.getElementById("scale-bar"));
  await page.click("#view-top");
  await page.waitForTimeout(200);
  assert.ok(change(plain, await pixels(page)) > 0.02, "another view");

  // a picture: a PNG as large as the canvas
  const saved = async (button) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
    return readFileSync(await file.path());
  };
  const png = await saved("#save-png");
  assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.ok(png.readUInt32BE(16) > 500 && png.length > 5000, "a picture with something on it");

  // a film
  await page.locator("#scrubber").fill(String(last - 5));
  await frame(page, last - 5);
  const film = await saved("#save-animation");
  assert.equal(film.readUInt32BE(0), 0x1a45dfa3, "a film in WebM");

  // a model, read by another program's reader
  const glb = await saved("#save-glb");
  globalThis.self = globalThis;
  const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
  const { AnimationMixer, Vector3 } = await import("three");
  const bytes = glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.byteLength);
  const model = await new GLTFLoader().parseAsync(bytes, "");
  const meshes = [];
  model.scene.traverse((node) => node.isMesh && meshes.push(node));
  assert.equal(meshes.length, told.bodies);
  assert.equal(model.animations.length, 1);
  assert.ok(Math.abs(model.animations[0].duration - told.time_s) < 1e-4);
  const mixer = new AnimationMixer(model.scene);
  mixer.clipAction(model.animations[0]).play();
  mixer.setTime(told.moved.time_s);
  // names are changed by the loader: brackets and dots have a meaning there
  const block = meshes.find((mesh) => mesh.userData.name === told.moved.name || mesh.name === told.moved.name.replace(/[\[\].:/]/g, ""));
  const place = block.getWorldPosition(new Vector3()).toArray();
  const [x, y, z] = told.moved.position_m;
  [x, z, -y].forEach((value, k) => assert.ok(Math.abs(value - place[k]) < 1e-4, `${place} is ${told.moved.position_m}`));
  if (told.screenshot) await page.screenshot({ path: told.screenshot });
});
console.log("ok: a finished run");
