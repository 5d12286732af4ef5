// Shows a page that the program has written in the place of this one: its style, its body, and our script for it.

import { ask } from "./program.js";
import { speak, words } from "./saying.js";

/**
 * The page for orders, or for the answer to a question, takes this one's place. `more` is what its script may use: the
 * program as its `engine`, or, until that is here, none, and the page answers itself as an attached one does. Throws if the
 * page was made by a program that our script doesn't fit.
 */
export async function showOrders({ page }, { script, sealing }, more = {}) {
  put(page);
  window.adjudicator = { ...more };
  delete document.body.dataset.ready;
  await run(script);
  if (document.body.dataset.ready === undefined) throw new Error(words.unlike);
  if (document.getElementById("seal-data")) await run(sealing);
}

/** The program, as the page of a view asks it. */
export const engineFor = ({ view, known, question }) => ({
  look: (_, plain) => ask("look", { view, known, text: JSON.stringify(plain), question }),
  advise: (plain) => (Object.keys(question).length ? {} : ask("advise", { view, known, text: JSON.stringify(plain) })),
  foresee: (plain, guessed) => ask("foresee", { view, known, text: JSON.stringify(plain), ...guessed }),
  choices: (plain, thing) => ask("choices", { view, known, text: JSON.stringify(plain), ...thing }),
});

/** Opens the rules of a view's game in a window of their own, at a rule if one is named; a link to them, where the browser
 * opens no window. */
export const rulesFor = ({ view, known, question }) => async (rule = "") => {
  const shown = window.open("", "_blank");  // at once: a window that opens later would be kept from opening
  const { page } = await ask("rules", { view, known, question });
  const address = `${URL.createObjectURL(new Blob([page], { type: "text/html" }))}#${rule}`;
  if (shown) shown.location = address;
  else offerWindow(address);
};

/** Offers what the browser didn't open by itself: it opens by a tap. */
function offerWindow(address) {
  document.getElementById("blocked")?.remove();
  const link = Object.assign(document.createElement("a"), { href: address, target: "_blank", textContent: words["rules-open"] });
  const said = Object.assign(document.createElement("p"), { id: "blocked", className: "notice" });
  said.setAttribute("role", "status");
  said.append(`${words["rules-blocked"]} `, link);
  link.addEventListener("click", () => said.remove());
  document.body.prepend(said);
  said.scrollIntoView({ block: "nearest" });
}

/** What the page for orders of a view may use of the program. */
export const programFor = (found) => ({ engine: engineFor(found), rules: rulesFor(found) });

/** Runs a script in the page; ends when it has run. */
function run(script) {
  const element = document.createElement("script");
  element.src = script;
  const there = new Promise((resolve) => { element.onload = resolve; });
  document.body.append(element);
  return there;
}

/** A page without scripts takes this one's place, and we speak its language from here on; what is marked as staying stays
 * above it. */
export function put(page) {
  const made = new DOMParser().parseFromString(page, "text/html");
  document.title = made.title;
  speak(made.documentElement.lang);
  document.body.className = made.body.className;
  document.querySelectorAll("style").forEach((each) => each.remove());
  document.head.append(...made.querySelectorAll("head style"));
  made.querySelectorAll("script:not([type])").forEach((each) => each.remove());
  document.body.replaceChildren(...document.body.querySelectorAll(":scope > [data-stays]"), ...made.body.childNodes);
}
