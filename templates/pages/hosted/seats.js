// The seats of a match whose players sit at one machine: who must order, each seat's page, and the next phase.

import { served } from "./program.js";
import { fill, words } from "./saying.js";
import { guessesFor } from "./guessing.js";
import { programFor, put, showOrders } from "./showing.js";

const about = JSON.parse(document.getElementById("about").textContent);
const $ = (id) => document.getElementById(id);

function tell(text, kind = "") {
  $("said").textContent = text;
  $("said").className = kind;
}

/** Does what a button is for, and says what is wrong with the match. */
async function tried(act) {
  try {
    await act();
  } catch (error) {
    codes = {};
    tell(error.message, "wrong");
  }
}

function button(text, act, kind = "") {
  const found = made("button", { type: "button", textContent: text, className: kind });
  found.addEventListener("click", async () => {
    found.disabled = true;  // a second click while the first is at work would ask twice
    await tried(act);
    found.disabled = false;
  });
  return found;
}

let codes = {};
const SOON = 2500;  // milliseconds in which a table can still say "not yet"

/** Shows the table; returns the open phase, whether all is in and good, and who sits here. */
async function showSeats() {
  codes = {};  // who comes to the table next doesn't know them
  const { match, now, phase, over, seats } = await served("seats", {});
  forgetDrafts(phase, seats);
  $("match").textContent = match;
  $("now").textContent = now;
  $("seats").replaceChildren(...seats.map(seatRow));
  const awaited = seats.some(({ asked, given, bot }) => asked && !given && !bot);  // a bot orders when the phase is played
  const faulty = seats.filter(({ given, faults }) => given && faults.length).map(({ name }) => name);
  const [way, deadline] = awaited ? ["close-phase", true] : faulty.length ? ["play-as-is", true] : ["go-on", false];
  $("go-on").replaceChildren(...(over ? [] : [button(words[way], () => goOn(phase, deadline), deadline ? "" : "main")]));
  tell(fill(words[over ? "over" : awaited ? "waiting" : faulty.length ? "faulty" : "all-in"], { names: faulty.join(", ") }));
  return { phase, ready: !over && !deadline, readers: seats.filter(({ bot }) => !bot).map(({ player }) => player) };
}


/** Asks about a seat; if it wants a code, asks for that first. */
async function ofSeat(name, player, values = {}) {
  for (;;) {
    const found = await served(name, { player, ...(codes[player] ? { code: codes[player] } : {}), ...values });
    if (!found.code) return found;
    codes[player] = await askedCode(words[found.code === "new" ? "code-new" : codes[player] ? "code-wrong" : "code-own"]);
  }
}

/** The code that is typed; none throws. */
function askedCode(text) {
  const input = made("input", { type: "password", autocomplete: "off", required: true });
  const form = made("form", { method: "dialog" }, made("label", {}, text, input), made("p", { className: "acts" }, made("button", { className: "main" }, words["code-give"]), made("button", { type: "button", textContent: words["code-leave"], onclick: () => dialog.close() })));
  const dialog = made("dialog", {}, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve, reject) => {
    form.addEventListener("submit", (event) => { event.preventDefault(); dialog.remove(); resolve(input.value); });
    dialog.addEventListener("close", () => { dialog.remove(); reject(new Error(words["code-none"])); });
  });
}

/** Plays the phase that this window has completed, unless somebody wants to change a sheet first. */
function playSoon(phase) {
  const timer = setTimeout(() => tried(() => goOn(phase, false)), SOON);
  $("go-on").replaceChildren(button(words["not-yet"], () => { clearTimeout(timer); return showSeats(); }));
  for (const row of document.querySelectorAll("#seats button")) row.addEventListener("click", () => clearTimeout(timer));
  tell(words["plays-soon"]);
}

/** Forgets drafts, except those of seats that must still hand in: the next player finds nothing of the last one's. */
function forgetDrafts(phase, seats) {
  const open = seats.filter(({ asked, given }) => asked && !given).map(({ player }) => `adjudicator ${phase} ${player} `);
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith("adjudicator "));
    for (const key of all) if (!open.some((begin) => key.startsWith(begin))) localStorage.removeItem(key);
  } catch { /* no storage, no drafts */ }
}

function seatRow({ player, name, person, bot, asked, given, faults }) {
  const row = document.createElement("li"), stands = faults.length ? "is-faulty" : given ? "is-in" : `is-asked-${asked}`;
  const order = fill(words[faults.length ? "sit-down-again" : "sit-down"], { name });
  row.append(
    made("b", {}, name), ...(person ? [" ", made("i", {}, person)] : []), " ", made("span", {}, words[bot ? "is-bot" : asked ? stands : "not-asked"]), " ",
    ...(asked && !bot ? [button(order, () => sitDown(player), given && !faults.length ? "" : "main")] : []),
    ...(given && !bot && asked === "order" ? [button(fill(words["take-back"], { name }), () => takeBack(player))] : []),
    ...(bot ? [] : [button(fill(words["read-report"], { name }), () => read(player))]),
    ...(faults.some(({ reasons }) => reasons.length) ? [made("details", {}, made("summary", {}, fill(words["what-is-wrong"], { name })), faultList(faults))] : []),
  );
  return row;
}

function made(name, attributes, ...within) {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(...within);
  return element;
}

/** The orders with faults, each with the reasons. */
const faultList = (faults) => made("ul", { className: "told" }, ...faults.map(({ order, reasons }) => made("li", {}, ...(order ? [made("code", {}, order), " "] : []), reasons.join("; "))));

/** A seat's page, with the program behind it; its sheet goes into the match. */
async function sitDown(player) {
  const papers = await ofSeat("papers", player);
  const handIn = async (text) => {
    const { faults, held, stale, failed } = await ofSeat("hand-in", player, { of: papers.of, text }).catch((error) => ({ failed: error.message }));
    if (failed) return fill(words["not-handed-in"], { why: failed });
    if (stale) return fill(words["not-taken"], { now: stale });
    if (held) $("mail-note").replaceChildren(faultList(faults));
    else if (!faults.length) backAfterHandingIn();
    else $("mail-note").replaceChildren(faultList(faults));
    return held ? fill(words.held, { why: held }) : words[faults.length ? "in-with-faults" : "in-good"];
  };
  const more = { handIn, ...programFor(papers) }, show = async () => { await showOrders(papers, about, more); offerWayBack(); };
  await show(Object.assign(more, { guesses: guessesFor(papers, about, show) }));
  if (papers.sheet && $("pasted") && $("draft-back").hidden) {  // what is in already, to be changed
    $("pasted").value = papers.sheet.replace(/^ready: false\n?/m, "");  // one that was taken back is to be handed in again
    $("load").click();
  }
}

/** The sheet is open again, as long as the phase isn't played: nobody has seen more by it. */
async function takeBack(player) {
  const { of } = await ofSeat("papers", player);
  const { stale } = await ofSeat("take-back", player, { of });
  await showSeats();
  if (stale) tell(fill(words.stale, { now: stale }));
}

/** Back to the table, which then knows that this window has handed a sheet in. */
function backAfterHandingIn() {
  history.replaceState({ handedIn: true }, "");
  setTimeout(() => location.reload(), 1000);
}

function offerWayBack() {
  document.body.prepend(made("p", { className: "go" }, made("a", { href: location.href, textContent: words.back })));
}

async function read(player) {
  const { page } = await ofSeat("report", player);
  put(page);
  for (const link of document.querySelectorAll("a[href='orders.html']")) {
    link.addEventListener("click", (event) => { event.preventDefault(); tried(() => sitDown(player)); });
  }
  document.querySelector(".decide .file")?.remove();  // no file came with a report at this machine
  offerWayBack();
}

/** Plays the phase; if one person sits here alone, the new report opens. */
async function goOn(phase, deadline) {
  const { played, stale } = await served("go-on", { phase, deadline });
  const { readers } = await showSeats();
  if (stale) tell(fill(words.stale, { now: stale }));
  else if (played && readers.length === 1) await read(readers[0]);
  else if (played && $("go-on").children.length) tell(words.played);
}

const handedIn = history.state?.handedIn;
history.replaceState(null, "");
await tried(async () => {
  const { phase, ready } = await showSeats();
  if (handedIn && ready) playSoon(phase);
});
