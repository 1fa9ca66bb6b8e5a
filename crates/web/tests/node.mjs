// Loads the wasm module, passes a scene to it and prints the answer: node node.mjs MODULE SCENE
import { readFileSync } from "node:fs";

const [modulePath, scenePath] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const { memory, voussoir_allocate, voussoir_release, voussoir_stand } = instance.exports;

const scene = readFileSync(scenePath);
const at = voussoir_allocate(scene.length);
new Uint8Array(memory.buffer, at, scene.length).set(scene);
const answer = BigInt.asUintN(64, voussoir_stand(at, scene.length));
const [start, length] = [Number(answer >> 32n), Number(answer & 0xffffffffn)];
console.log(new TextDecoder().decode(new Uint8Array(memory.buffer, start, length)));
voussoir_release(start, length);
