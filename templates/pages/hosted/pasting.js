// What the program says of a sheet that is pasted, line by line, before it is loaded into the page.

import { ask } from "./program.js";

const SOON = 250; // milliseconds after the last key

/** Shows below the box what is wrong in its text, each with its line and column. */
export function checkPasted({ view, known }, words) {
  const box = document.getElementById("pasted"), list = document.createElement("ol");
  if (!box) return;
  let timer = 0;
  list.className = "told";
  list.setAttribute("role", "status");
  box.after(list);

  const line = ({ line, column, rule, words: said }) => {
    const item = document.createElement("li"), place = document.createElement("code");
    place.textContent = `${line}:${column}`;
    item.append(place, ` ${rule} ${said}`);
    return item;
  };
  async function check() {
    const text = box.value;
    if (!text.trim()) return list.replaceChildren();
    const { problems } = await ask("look", { view, known, text });
    if (text !== box.value) return;
    if (problems.length) list.replaceChildren(...problems.map(line));
    else list.replaceChildren(Object.assign(document.createElement("li"), { textContent: words["pasted-good"] }));
  }
  box.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, SOON); });
}
