// What would happen if: the sheet as it is now, with what others are guessed to send, played by the program on a guess.

import { ask } from "./program.js";

/** An element with its attributes and what is in it. */
function h(name, attributes, ...within) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...within);
  return made;
}

/** Adds the section to the page for orders. */
export function offerTrying({ view, player }, words) {
  const bots = h("input", { type: "checkbox", id: "try-bots", checked: "" });
  const throws = h("input", { type: "text", id: "try-throws", autocomplete: "off", inputmode: "numeric" });
  const told = h("p", { class: "told", role: "status" }), shown = h("div", { id: "tried" });
  const run = h("button", { type: "button" }, words["try-it"]), again = h("button", { type: "button" }, words["try-again"]);
  let seed = 0;

  async function tryOut() {
    told.textContent = words["try-running"];
    const { guesses } = window.adjudicator, sheets = { ...guesses.sheets, [player]: document.getElementById("sheet").value };
    const wanted = throws.value.split(/[\s,]+/).filter(Boolean).map((face) => (/^\d+$/.test(face) ? Number(face) : face));
    try {
      const found = await ask("try", { view, known: guesses.known, sheets, throws: wanted, seed: String(seed), bots: bots.checked });
      if (found.why) return say(found.why);
      const [guess, ...report] = read(found.report), map = h("div", { class: "scroll map" }, ...read(found.map));
      shown.replaceChildren(guess, map, ...report);  // that it is a guess comes before all else
      say(`${words["try-done"]} ${[...found.problems.map(({ text }) => text), found.unused].filter(Boolean).join("; ")}`.trim());
    } catch (error) {
      say(`${words.fault} (${error.message})`);
    }
  }
  const say = (text) => { told.textContent = text; };
  const read = (text) => new DOMParser().parseFromString(text, "text/html").body.children;

  run.addEventListener("click", tryOut);
  again.addEventListener("click", () => { seed += 1; return tryOut(); });
  const section = h("details", { class: "fold", id: "try" },
    h("summary", {}, h("h2", {}, words["try-head"])),
    h("p", { class: "hint" }, words["try-hint"]),
    h("p", { class: "pass" }, bots, h("label", { for: "try-bots" }, words["try-bots"])),
    h("p", {}, h("label", { for: "try-throws" }, words["try-throws"]), " ", throws),
    h("p", { class: "acts" }, run, " ", again), told, shown);
  document.getElementById("paste-fold").after(section);
}
