// Shows a page that the program has written in the place of this one: its style, its body, and our script for it.

import { ask } from "./program.js";

/**
 * The page for orders, or for the answer to a question, takes this one's place; the program answers it. `more` are other
 * things that its script may use.
 */
export async function showOrders({ page, view, known, question }, { script, sealing }, more = {}) {
  put(page);
  const look = (_, plain) => ask("look", { view, known, text: JSON.stringify(plain), question });
  const choices = (plain, thing) => ask("choices", { view, known, text: JSON.stringify(plain), ...thing });
  window.adjudicator = { engine: { look, choices }, ...more };
  await run(script);
  if (document.getElementById("seal-data")) await run(sealing);
}

/** Runs a script in the page; ends when it has run. */
function run(script) {
  const element = document.createElement("script");
  element.src = script;
  const there = new Promise((resolve) => { element.onload = resolve; });
  document.body.append(element);
  return there;
}

/** A page without scripts takes this one's place; what is marked as staying stays above it. */
export function put(page) {
  const made = new DOMParser().parseFromString(page, "text/html");
  document.title = made.title;
  document.body.className = made.body.className;
  document.querySelectorAll("style").forEach((each) => each.remove());
  document.head.append(...made.querySelectorAll("head style"));
  made.querySelectorAll("script:not([type])").forEach((each) => each.remove());
  document.body.replaceChildren(...document.body.querySelectorAll(":scope > [data-stays]"), ...made.body.childNodes);
}
