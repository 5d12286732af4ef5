// The seats of a match whose players sit at one machine: who must order, each seat's page, and the next phase.

import { served } from "./program.js";
import { put, showOrders } from "./showing.js";

const words = JSON.parse(document.getElementById("words").textContent);
const about = JSON.parse(document.getElementById("about").textContent);
const $ = (id) => document.getElementById(id);
const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

function tell(text, kind = "") {
  $("said").textContent = text;
  $("said").className = kind;
}

/** Does what a button is for, and says what is wrong with the match. */
async function tried(act) {
  try {
    await act();
  } catch (error) {
    tell(error.message, "wrong");
  }
}

function button(text, act, kind = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.className = kind;
  made.addEventListener("click", () => tried(act));
  return made;
}

async function showSeats() {
  const { match, now, phase, over, seats } = await served("seats", {});
  forgetDrafts(phase, seats);
  $("match").textContent = match;
  $("now").textContent = now;
  $("seats").replaceChildren(...seats.map(seatRow));
  const all = seats.every(({ asked, given }) => !asked || given);
  $("go-on").replaceChildren(...(over ? [] : [
    button(words["go-on"], () => goOn(false), all ? "main" : ""),
    ...(all ? [] : [button(words["close-phase"], () => goOn(true))]),
  ]));
  tell(over ? words.over : all ? words["all-in"] : words.waiting);
}

/** Forgets drafts, except those of seats that must still hand in: the next player finds nothing of the last one's. */
function forgetDrafts(phase, seats) {
  const open = seats.filter(({ asked, given }) => asked && !given).map(({ player }) => `adjudicator ${phase} ${player} `);
  try {
    const all = Object.keys(localStorage).filter((key) => key.startsWith("adjudicator "));
    for (const key of all) if (!open.some((begin) => key.startsWith(begin))) localStorage.removeItem(key);
  } catch { /* no storage, no drafts */ }
}

function seatRow({ player, name, bot, asked, given }) {
  const row = document.createElement("li");
  const what = document.createElement("span");
  what.textContent = bot ? words["is-bot"] : asked ? words[given ? "is-in" : `is-asked-${asked}`] : words["not-asked"];
  row.append(
    Object.assign(document.createElement("b"), { textContent: name }), " ", what, " ",
    ...(asked && !bot ? [button(fill(words["sit-down"], { name }), () => sitDown(player), given ? "" : "main")] : []),
    ...(bot ? [] : [button(fill(words["read-report"], { name }), () => read(player))]),
  );
  return row;
}

/** A seat's page, with the program behind it; its sheet goes into the match. */
async function sitDown(player) {
  const papers = await served("papers", { player });
  const handIn = async (text) => {
    const { problems } = await served("hand-in", { player, text });
    setTimeout(() => location.reload(), 1500);
    return problems.some(({ severity }) => severity === "error") ? words["in-with-faults"] : words["in-good"];
  };
  await showOrders(papers, about, { handIn });
  if (papers.sheet && $("pasted") && $("draft-back").hidden) {  // what is in already, to be changed
    $("pasted").value = papers.sheet;
    $("load").click();
  }
}

async function read(player) {
  const { page } = await served("report", { player });
  put(page);
  for (const link of document.querySelectorAll("a[href='orders.html']")) {
    link.addEventListener("click", (event) => { event.preventDefault(); tried(() => sitDown(player)); });
  }
  document.querySelector(".decide .file")?.remove();  // no file came with a report at this machine
  const back = Object.assign(document.createElement("p"), { className: "go" });
  back.append(Object.assign(document.createElement("a"), { href: location.href, textContent: words.back }));
  document.body.prepend(back);
}

async function goOn(deadline) {
  const { played } = await served("go-on", { deadline });
  await showSeats();
  tell(played ? words.played : words["still-waiting"]);
}

await tried(showSeats);
