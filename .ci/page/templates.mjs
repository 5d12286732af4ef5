// Opens pages of every game with the page's own Python, so that their templates lie compiled beside the program:
// node templates.mjs PYODIDE PROGRAM LIBYAML.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [home, program, libyaml] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")).href);
const { instance: { exports: { memory, room, used, events } } } = await WebAssembly.instantiate(readFileSync(libyaml));
const python = await loadPyodide({ indexURL: home, env: { HOME: "/home/pyodide", XDG_CACHE_HOME: "/program/compiled" } });
python.FS.mkdirTree("/program");
python.FS.mount(python.FS.filesystems.NODEFS, { root: program }, "/program");
python.registerJsModule("adjudicator_libyaml", {
  events_of: (text) => {  // as in templates/pages/hosted/worker.js
    const bytes = text.toJs(), at = room(bytes.length || 1);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    const found = events(at, bytes.length);
    return new Uint8Array(memory.buffer, found, used()).slice();
  },
});
python.runPython(readFileSync(new URL("templates.py", import.meta.url), "utf8"));
