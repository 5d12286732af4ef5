// The page of a link: starts the program in a worker, opens the view, and puts the page for orders in place.

const words = JSON.parse(document.getElementById("words").textContent);
const about = JSON.parse(document.getElementById("about").textContent);
const $ = (id) => document.getElementById(id);
const LAST = "adjudicator last position";

// -- the program -------------------------------------------------------------------------------------------------------

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let numbers = 0;

/** Asks the program; the answer comes when it has come to it. */
function ask(call, values = {}) {
  return new Promise((resolve, reject) => {
    waiting.set(++numbers, { resolve, reject });
    worker.postMessage({ call, number: numbers, values });
  });
}

worker.onmessage = ({ data }) => {
  if (data.share !== undefined) return loaded(data.share);
  if (data.unkept) return tell(words.unkept);
  const { resolve, reject } = waiting.get(data.number);
  waiting.delete(data.number);
  if (data.failed === undefined) resolve(data.answer && JSON.parse(data.answer));
  else reject(new Error(data.failed));
};
worker.onerror = () => tell(words.failed, "wrong");

window.adjudicator = { engine: { look: (sheet, plain, phase = "") => ask("look", { text: JSON.stringify(plain), phase }) } };

// -- what is said ------------------------------------------------------------------------------------------------------

function tell(text, kind = "") {
  $("said").textContent = text;
  $("said").className = kind;
}

function loaded(share) {
  $("loading").value = share;
}

// -- opening -----------------------------------------------------------------------------------------------------------

const code = () => new URLSearchParams(location.hash.slice(1)).get("v") ?? "";

/** Opens a view; whatever is wrong with it is said, and the page stays as it was. */
async function open(call, values) {
  tell(words.opening);
  let found;
  try {
    found = await ask(call, values);
  } catch (error) {
    return tell(`${words.failed} (${error.message})`, "wrong");
  }
  if (found.why) return tell(words[found.why], "wrong");
  if (found.problems) return tell(`${words["not-a-view"]} ${found.problems[0].text}`, "wrong");
  remember(call, values);
  show(found);
}

/** The page for orders takes this one's place. */
function show({ page }) {
  const made = new DOMParser().parseFromString(page, "text/html");
  document.title = made.title;
  document.body.className = made.body.className;
  document.querySelectorAll("style").forEach((each) => each.remove());
  document.head.append(...made.querySelectorAll("head style"));
  made.querySelectorAll("script:not([type])").forEach((each) => each.remove());
  document.body.replaceChildren(...made.body.childNodes);
  const script = document.createElement("script");
  script.src = about.script;
  document.body.append(script);
}

/** The last position stays on this device, for a start without a link and without a network. */
function remember(call, values) {
  try {
    localStorage.setItem(LAST, JSON.stringify({ call, values }));
  } catch {
    /* forbidden or full: the link still opens it */
  }
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
navigator.serviceWorker?.register(`service.js?of=${encodeURIComponent(about.cache)}`).catch(() => {});

await ask("start", { cache: about.cache, bytes: about.bytes }).then(() => tell(words.ready), (error) => tell(`${words.failed} (${error.message})`, "wrong"));
$("loading").hidden = true;
const last = remembered();
if (code()) await open("link", { code: code() });
else if (last) await open(last.call, last.values);
