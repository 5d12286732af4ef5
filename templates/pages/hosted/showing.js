// Shows a page that the program has written in the place of this one: its style, its body, and our script for it.

import { ask } from "./program.js";

/** The page for orders takes this one's place; the program answers it. `more` are other things that its script may use. */
export function showOrders(page, view, script, more = {}) {
  put(page);
  const look = (_, plain) => ask("look", { view, text: JSON.stringify(plain) });
  window.adjudicator = { engine: { look }, ...more };
  const element = document.createElement("script");
  element.src = script;
  const there = new Promise((resolve) => { element.onload = resolve; });
  document.body.append(element);
  return there;
}

/** A page without scripts takes this one's place. */
export function put(page) {
  const made = new DOMParser().parseFromString(page, "text/html");
  document.title = made.title;
  document.body.className = made.body.className;
  document.querySelectorAll("style").forEach((each) => each.remove());
  document.head.append(...made.querySelectorAll("head style"));
  made.querySelectorAll("script:not([type])").forEach((each) => each.remove());
  document.body.replaceChildren(...made.body.childNodes);
}
