// The page of a link: starts the program, opens the view, and gives its place to the page for orders.

import { ask, start } from "./program.js";
import { showOrders } from "./showing.js";
import { checkPasted } from "./pasting.js";
import { offerTrying } from "./trying.js";

const words = JSON.parse(document.getElementById("words").textContent);
const about = JSON.parse(document.getElementById("about").textContent);
const $ = (id) => document.getElementById(id);
const LAST = "adjudicator last position";
const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
const version = $("version");
const link = new URLSearchParams(location.hash.slice(1));

function tell(text, kind = "") {
  $("said").textContent = text;
  $("said").className = kind;
}

/** Opens a view. If something is wrong with it, says so and leaves the page as it was. */
async function open(call, values) {
  tell(words.opening);
  let found;
  try {
    found = await ask(call, values);
  } catch (error) {
    return tell(`${words.fault} (${error.message})`, "wrong");
  }
  if (found.why) return tell(words[found.why], "wrong");
  if (found.problems) return tell(`${words["not-a-view"]} ${found.problems[0].text}`, "wrong");
  remember(call, values);
  if (found.newer && !$("update")) notice("newer", fill(words["link-newer"], { link: found.newer, page: about.version }));
  await showOrders(found, about);
  version.style.padding = "0 12px";  // the page for orders has its own style, and no margins on a phone
  document.body.append(version);
  if (Object.keys(found.question).length) return;
  checkPasted(found, words);
  offerTrying(found, Object.assign(found.others, { me: found.player }), words);
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
  if (there) location.replace(`${of}.html${location.hash}`);
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

async function take(file) {
  if (file) await open("view", { text: await file.text() });
}

$("pick").addEventListener("change", ({ target }) => take(target.files[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => { event.preventDefault(); take(event.dataTransfer.files[0]); });
addEventListener("hashchange", () => location.reload());
document.addEventListener("visibilitychange", () => { if (!document.hidden) offerUpdate(); });
navigator.serviceWorker?.register("service.js").catch(() => {});
offerUpdate();

try {
  if (await givenAway()) await new Promise(() => {});  // until that page takes this one's place
  const beside = location.pathname.endsWith(`/${about.of}.html`);
  await start({ ...about, beside }, { loaded: (share) => { $("loading").value = share; }, unkept: () => tell(words.unkept) });
  tell(words.ready);
  const code = link.get("v"), last = remembered();
  if (code) await open("link", { code });
  else if (last) await open(last.call, last.values);
} catch (error) {
  tell(`${words.failed} (${error.message})`, "wrong");
} finally {
  if ($("loading")) $("loading").hidden = true;
}
