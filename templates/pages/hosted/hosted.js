// The page of a link: says what the link says, starts the program, opens the view, and gives its place to the page for orders.

import { ask, start } from "./program.js";
import { drawnBefore, keepDrawn } from "./drawn.js";
import { givenLink, leaveAddress, readLink } from "./link.js";
import { fill, speak, words } from "./saying.js";
import { askOfAddress } from "./sending.js";
import { guessesFor } from "./guessing.js";
import { programFor, showOrders } from "./showing.js";
import { checkPasted } from "./pasting.js";
import { offerTrying } from "./trying.js";

const about = JSON.parse(document.getElementById("about").textContent);
const $ = (id) => document.getElementById(id);
const LAST = "adjudicator last position";
const version = $("version"), given = givenLink(), link = new URLSearchParams(given);
let begun;

/** Says something in the page's own line; above the page for orders, once that is here, only what is wrong. */
function tell(text, kind = "") {
  if (document.body.classList.contains("hosted")) Object.assign($("said"), { textContent: text, className: kind });
  else if (kind) notice("wrong", text);
}

/** The program, started once. */
function started() {
  const beside = location.pathname.endsWith(`/${about.of}.html`);
  const loaded = (share) => { if ($("loading")) $("loading").value = share; };
  if ($("loading")) $("loading").hidden = false;
  begun ??= start({ ...about, beside }, { loaded, unkept: () => tell(words.unkept) });
  return begun;
}

/** Opens a view, on a later visit from what was drawn then. If something is wrong with it, says so and leaves the page as it was. */
async function open(call, values, said = {}) {
  const before = await drawnBefore(about, { call, values });
  if (before) await draw(before, said);
  await started();
  const found = before ?? await answered(call, values);
  if (!found) return;
  remember(call, values);
  const more = { ...programFor(found), guesses: guessesFor(found, about, () => shown(found, said, more)) };
  if (!before) return shown(found, said, more);
  Object.assign(window.adjudicator, more);
  furnish(found);
}

/** Shows the page of a view, with all that the program does on it. */
async function shown(found, said, more) {
  await draw(found, said, more);
  furnish(found);
}

/** What the program does on a page that is shown. */
function furnish(found) {
  document.dispatchEvent(new Event("program"));
  if (Object.keys(found.question).length) return;
  checkPasted(found, words);
  offerTrying(found, words);
}

/** The program's answer with the page; nothing, and said, if there is none. */
async function answered(call, values) {
  tell(words.opening);
  try {
    const found = await ask(call, values);
    if (found.why) return tell(words[found.why], "wrong");
    if (found.problems) return tell(`${words["not-a-view"]} ${found.problems[0].text}`, "wrong");
    await keepDrawn(about, { call, values }, found);
    return found;
  } catch (error) {
    return tell(`${words.fault} (${error.message})`, "wrong");
  }
}

/** Gives this page's place to the page for orders; `said` is what its link says. */
async function draw(found, { gm, whose, match }, more) {
  if (found.newer && !$("update")) notice("newer", fill(words["link-newer"], { link: found.newer, page: about.version }));
  await showOrders(found, about, more);
  if (whose && !version.querySelector("br")) version.prepend(fill(words.whose, { whose, match }), document.createElement("br"));
  $("out").append(version);
  askOfAddress(gm);
}

/** Says what the link says: whose it is, in which match, which phase is open and until when, on the game's still ground. */
function sayLink({ view, language, whose, moment, due }) {
  const named = (key) => new RegExp(`^${key}: *"?([^"\n]*)"?$`, "m").exec(view)?.[1] ?? "";
  const match = named("match");
  if (language) speak(language);
  $("head").textContent = document.title = match || words.head;
  $("moment").textContent = [whose, moment, due && fill(words.until, { due })].filter(Boolean).join(" · ");
  if (whose) $("whose").textContent = fill(words.whose, { whose, match });
  $("other-ways").open = false;
  $("ground").addEventListener("error", () => $("ground").removeAttribute("src"));  // somebody else's game
  $("ground").src = `${about.of}/ground-${encodeURIComponent(named("rulebook"))}.svg`;
  return { match };
}

/** Says something above all that the page shows, once. */
function notice(id, text, ...more) {
  $(id)?.remove();
  const said = Object.assign(document.createElement("p"), { id, className: "notice" });
  said.setAttribute("role", "status");
  said.dataset.stays = "";
  said.append(text, ...more);
  document.body.prepend(said);
}

/** What lies at the host now; this version alone if there is no network. */
function hostedVersions() {
  const signal = AbortSignal.timeout(5000);
  return fetch("version.json", { cache: "no-store", signal }).then((answer) => answer.json()).catch(() => about);
}

/** Gives the link to the version that wrote it, if that is another one that lies there; is it on its way? */
async function givenAway() {
  const by = link.get("by"), of = by && by !== about.version && (await hostedVersions()).versions?.[by];
  if (!of || of === about.of || location.pathname.endsWith(`/${of}.html`)) return false;
  const there = await fetch(`${of}/hosted.js`, { method: "HEAD" }).then(({ ok }) => ok, () => false);
  if (there) location.replace(`${of}.html#${given}`);
  return there;
}

/** Offers the version that the host has now, if it isn't this one, and this one isn't here for its link. */
async function offerUpdate() {
  const there = await hostedVersions();
  if ([there.of, there.versions?.[link.get("by")]].includes(about.of)) return $("update")?.remove();
  const load = Object.assign(document.createElement("button"), { type: "button", textContent: words["update-load"] });
  load.addEventListener("click", () => location.reload());
  $("newer")?.remove();
  notice("update", `${fill(words.update, there)} `, load);
}

/** The last position stays on this device, for a start without a link and without a network. */
function remember(call, values) {
  try {
    localStorage.setItem(LAST, JSON.stringify({ call, values }));
  } catch { /* forbidden or full: the link still opens it */ }
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(LAST) ?? "null");
  } catch {
    return null;
  }
}

/** Opens what the link holds, or the last position; a link that can't be read is refused before anything loads. */
async function arrive() {
  const code = link.get("v"), last = code ? { call: "link", values: { code } } : remembered();
  if (last?.call !== "link") return last ? open(last.call, last.values) : started().then(() => tell(words.ready));
  let content;
  try {
    content = await readLink(last.values.code);
  } catch (error) {
    return tell(words[error.message], "wrong");
  }
  if (code) leaveAddress(given);
  return open(last.call, last.values, { ...content, ...sayLink(content) });
}

/** Does something that needs the program, and says so if that can't be started. */
async function tried(act) {
  try {
    await act();
  } catch (error) {
    tell(`${words.failed} (${error.message})`, "wrong");
  } finally {
    if ($("loading")) $("loading").hidden = true;
  }
}

const take = (file) => file && tried(async () => open("view", { text: await file.text() }));

$("pick").addEventListener("change", ({ target }) => take(target.files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files[0]); });
addEventListener("hashchange", () => location.reload());
document.addEventListener("visibilitychange", () => { if (!document.hidden) offerUpdate(); });
navigator.serviceWorker?.register("service.js").catch(() => {});
offerUpdate();

if (await givenAway()) await new Promise(() => {});  // until that page takes this one's place
await tried(arrive);
