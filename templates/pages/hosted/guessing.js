// What others may order, and what they may hold: each guess is tapped on that player's own page, on a position as it could
// be, and what is suspected beside the switch.

import { ask } from "./program.js";
import { fill, words } from "./saying.js";
import { engineFor, rulesFor, showOrders } from "./showing.js";

/**
 * The guesses beside the page for orders of a view: `sheets` by player, whether they are `on`, and `open`, which shows
 * another player's page. `back` shows the view's own page again. `suspects` are the things of others that can be suspected,
 * `suspected` those that are, by place; `known` is what the player would know then.
 */
export function guessesFor(found, about, back) {
  const guesses = { sheets: {}, on: false, others: (found.others ?? []).filter(({ due }) => due), words, suspects: found.suspects ?? [], suspected: {}, known: found.known };
  const ended = async () => {
    await back();
    document.getElementById("draft-back").hidden = true;  // nobody has left
  };
  /** Suspects a number or cards at a place, undefined for nothing any more; returns why that can't be, if it can't. */
  guesses.suspect = async (place, value) => {
    const { [place]: _, ...others } = guesses.suspected, suspected = value === undefined ? others : { ...others, [place]: value };
    const part = (isMeant) => Object.fromEntries(Object.entries(suspected).filter(([, each]) => isMeant(each)));
    const { why, ...answer } = await ask("suspect", { view: found.view, known: found.known, numbers: part(Number.isInteger), cards: part(Array.isArray) });
    if (!why) Object.assign(guesses, answer, { suspected });
    return why;
  };
  guesses.open = async ({ id, name }) => {
    const { view } = found, imagined = await ask("guess", { view, known: guesses.known, player: id });
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
