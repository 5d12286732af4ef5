// Compiles all modules of a folder with the page's own Python, in their places: node compile.mjs PYODIDE FOLDER...
// The result depends on nothing but the modules' texts.
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const [home, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(home, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: home });
for (const [index, folder] of folders.entries()) {
  const at = `/compiled/${index}`;
  python.FS.mkdirTree(at);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, at);
  const failed = python.runPython(`
from pathlib import Path
from py_compile import PyCompileError, PycInvalidationMode, compile

failed = []
for path in sorted(Path("${at}").rglob("*.py")):
    name = path.relative_to("${at}").as_posix()
    try:
        compile(str(path), str(path.with_suffix(".pyc")), name, True, 2, PycInvalidationMode.UNCHECKED_HASH)
    except PyCompileError as error:
        failed.append(str(error))
    path.unlink()
"\\n".join(failed)
`);
  if (failed) {
    console.error(failed);
    process.exit(1);
  }
}
