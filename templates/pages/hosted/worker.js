// The program in a worker of the page: Python, started once, that answers one call after the other.
//
// In: {call, number, arguments}. Out: {number, answer}, {number, failed} or, while it starts, {part, share}.

import { loadPyodide } from "./pyodide.mjs";

const FIRST = ["pyodide.asm.wasm", "python_stdlib.zip"];  // Python starts with these, while the program comes
const TYPES = { mjs: "text/javascript", wasm: "application/wasm", zip: "application/zip" };
const SET_UP = `
import os, sys
sys.path.insert(0, "/program")
sys.dont_write_bytecode = True
os.environ["XDG_CACHE_HOME"] = "/program/compiled"  # the templates, compiled when the pack was built
for folder, _, names in os.walk("/program/compiled"):  # the program trusts only what nobody else can write to
    for path in (folder, *(os.path.join(folder, name) for name in names)):
        os.chmod(path, 0o700)
`;
const folder = new URL(".", self.location.href);
const download = self.fetch.bind(self);
const keeping = [];
let remembered, kept, had = 0, whole = 0, started = 0, begun;
const firstAreHere = new Promise((resolve) => { begun = resolve; });

/** A part of the program, from this device if it was here before. Parts are packed, so that any server will do. */
async function part(name) {
  const address = new URL(`${name}.packed`, folder);
  const known = await kept?.match(address);
  const found = known ?? await download(address);
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  if (!known) keeping.push(keep(address, found.clone()));
  const counted = new TransformStream({
    transform(piece, out) { had += piece.byteLength; tell(name); out.enqueue(piece); },
    flush() { if (FIRST.includes(name) && ++started === FIRST.length) begun(); },
  });
  const body = found.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "content-type": TYPES[name.split(".").pop()] } });
}

/** A browser may have no room, or forbid it: the page then does without, and takes the part again the next time. */
async function keep(address, response) {
  try {
    await kept?.put(address, response);
    return true;
  } catch {
    self.postMessage({ unkept: true });
    return false;
  }
}

/** Marks this version as one that works without a network, and removes earlier ones; else the next start does. */
async function settle(cache) {
  if (!kept || (await Promise.all(keeping)).includes(false)) return;
  await kept.put(new URL("complete", folder), new Response(""));
  if (!await kept.match(new URL("..", folder))) return;  // the first page comes by service.js
  const names = await self.caches.keys();
  await Promise.all(names.filter((name) => name !== cache && name.startsWith("adjudicator ")).map((name) => self.caches.delete(name)));
}

/** Keeps Python's memory once the first answer is given, for the next start; without room for it that takes longer. */
async function keepMemory() {
  const memory = remembered;
  remembered = undefined;
  if (memory) await kept.put(MEMORY, new Response(memory.stream().pipeThrough(new CompressionStream("gzip")))).catch(() => {});
}

function tell(name) {
  self.postMessage({ part: name, share: whole ? Math.min(1, had / whole) : 0 });
}

self.fetch = (address, options) => {
  const name = String(address?.url ?? address).split("/").pop();
  return FIRST.includes(name) ? part(name) : download(address, options);
};

/** The parsing events of a text, as `stand_ins/cyaml.py` reads them. */
function parser({ memory, room, used, events }) {
  return (text) => {
    const bytes = text.toJs(), at = room(bytes.length || 1);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const found = events(at, bytes.length);
    return new Uint8Array(memory.buffer, found, used()).slice();
  };
}

const MEMORY = new URL("memory", folder);

/** Python, with the memory that it had on this device when it had started before; that is most of what a start takes. */
async function pythonStarted(given) {
  const found = await kept?.match(MEMORY);
  try {
    const memory = found && await new Response(found.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    if (memory) return await loadPyodide({ ...given, _loadSnapshot: new Uint8Array(memory) });
  } catch {
    await kept.delete(MEMORY);
  }
  const python = await loadPyodide({ ...given, _makeSnapshot: Boolean(kept) });
  if (kept) remembered = new Blob([python.makeMemorySnapshot()]);
  return python;
}

async function start({ cache, bytes, beside }) {
  whole = bytes;
  kept = await self.caches?.open(cache).catch(() => undefined);
  const program = firstAreHere.then(() => part("program.zip")).then((found) => found.arrayBuffer());
  const yaml = part("libyaml.wasm").then((found) => found.arrayBuffer()).then((found) => WebAssembly.instantiate(found));
  const made = await part("pyodide.asm.mjs").then((found) => found.blob()).then((found) => import(URL.createObjectURL(found)));
  const python = await pythonStarted({ indexURL: folder.href, lockFileURL: new URL("pyodide-lock.json", folder).href, createPyodideModule: made.default });
  python.registerJsModule("adjudicator_libyaml", { events_of: parser((await yaml).instance.exports) });
  python.unpackArchive(await program, "zip", { extractDir: "/program" });
  python.runPython(SET_UP);
  if (!beside) settle(cache);  // else this version is here for a link that it wrote, and another one is to stay
  return python.pyimport("adjudicator.page.called").call;
}

let ready;

self.onmessage = async ({ data: { call, number, values } }) => {
  try {
    ready ??= start(values);
    const ask = await ready;
    self.postMessage({ number, answer: call === "start" ? "" : ask(call, JSON.stringify(values)) });
    if (call !== "start") keepMemory();
  } catch (error) {
    const failed = String(error?.message ?? error).trim().split("\n").pop();  // the last line of a traceback says what went wrong
    self.postMessage({ number, failed });
  }
};
