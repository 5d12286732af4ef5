// What others may order: each guess is tapped on that player's own page, on a position as it could be.

import { ask } from "./program.js";
import { fill, words } from "./saying.js";
import { engineFor, rulesFor, showOrders } from "./showing.js";

/**
 * The guesses beside the page for orders of a view: `sheets` by player, whether they are `on`, and `open`, which shows
 * another player's page. `back` shows the view's own page again.
 */
export function guessesFor(found, about, back) {
  const guesses = { sheets: {}, on: false, others: (found.others ?? []).filter(({ due }) => due), words };
  const ended = async () => {
    await back();
    document.getElementById("draft-back").hidden = true;  // nobody has left
  };
  guesses.open = async ({ id, name }) => {
    const { view, known } = found, imagined = await ask("guess", { view, known, player: id });
    const handIn = async (text) => {
      Object.assign(guesses, { on: true }).sheets[id] = text;
      await ended();
    };
    await showOrders(imagined, about, { engine: engineFor(imagined), rules: rulesFor(imagined), handIn, handsIn: words["guess-done"], guess: "guess " });
    tell(fill(words["guess-told"], { name }), ended);
  };
  return guesses;
}

/** Says above another player's page what it is here for, with the way back. */
function tell(text, back) {
  const told = document.createElement("p"), leave = document.createElement("button");
  told.className = "hint guess";
  told.style.margin = "8px 12px";
  Object.assign(leave, { type: "button", className: "chip quiet", textContent: words["guess-leave"], onclick: back });
  told.append(text, " ", leave);
  document.getElementById("do").prepend(told);
}
