// The sheet: what it holds, its text, and how it leaves the page and comes back.

/** What a page for orders holds: nothing has been written yet. */
function emptySheet() {
  const later = Object.keys(data.schema.properties.later?.properties ?? {});
  return {
    orders: { orders: [], pass: false },
    later: Object.fromEntries(later.map((phase) => [phase, { orders: [], pass: false }])),
    standing: {},
    salt: "",
    draft: false,
  };
}

/** The sheet as plain data, in the order in which it is written. */
function sheetOf(sheet) {
  const found = { ...head() };
  if (isSent(sheet.orders) || isLeftAlone(sheet)) found.orders = sheet.orders.orders.map(pruned);
  if (Object.keys(sheet.standing).length) found.standing = sheet.standing;
  const later = Object.entries(sheet.later).filter(([, each]) => isSent(each));
  if (later.length) found.later = Object.fromEntries(later.map(([phase, each]) => [phase, { orders: each.orders.map(pruned) }]));
  if (sheet.salt) found.salt = sheet.salt;
  if (sheet.draft) found.ready = false;
  return found;
}

const head = () => ({ player: data.player, match: data.match, phase: data.phase, ...(data.seen && { seen: data.seen }) });
const isSent = ({ orders, pass }) => orders.length > 0 || pass;

/** Is the open phase passed? It is if the sheet has orders for later phases only, and we have no others for it. */
const isLeftAlone = (sheet) =>
  !isSent(sheet.orders) && !standsIn(data.kind) && data.asked.some((phase) => isSent(sheet.later[phase]));

/** An order without the lists in it that were begun and left empty. */
function pruned(order) {
  if (!isMapping(order)) return order;
  const entries = Object.entries(order).map(([name, value]) => [name, isList(value) && value.some(isMapping) ? value.map(pruned) : value]);
  return Object.fromEntries(entries.filter(([name, value]) => !(name === "else" && isList(value) && !value.length)));
}

/** Reads a sheet's text into the page; throws an Error that says why it can't. */
function sheetFrom(text) {
  const plain = readYaml(text);
  if (!isMapping(plain)) throw new Error(say("no-mapping"));
  const number = Number(data.phase.split("-")[0]), name = data.phase.split("-").slice(2).join("-");
  if (!has(plain, "player")) throw new Error(say("no-player", { player: data.player }));
  if (plain.player !== data.player) throw new Error(say("other-player", { value: inBrackets(plain.player, 30), player: data.player }));
  if (has(plain, "match") && plain.match !== data.match) throw new Error(say("other-match", { value: inBrackets(plain.match, 30), match: data.match }));
  if (has(plain, "phase") && ![data.phase, name, number, String(number), data.phase.split("-")[0]].includes(plain.phase)) {
    throw new Error(say("other-phase", { value: inBrackets(plain.phase, 30), phase: data.phase }));
  }
  const wrong = faults({ ...plain, orders: null, later: {}, standing: {} }, data.schema)[0];
  if (wrong) throw new Error(`${wrong.path.join(".")}: ${wrong.text}`);
  const sheet = emptySheet();
  const taken = (orders, into, where) => {
    if (orders === undefined || orders === null) return;
    if (!isList(orders)) throw new Error(`${where}: ${say("kind")}`);
    const most = data.schema.properties.orders.maxItems;
    if (orders.length > most) throw new Error(`${where}: ${say("too-long", { most })}`);
    Object.assign(into, { orders, pass: !orders.length });
  };
  taken(plain.orders, sheet.orders, "orders");
  for (const [phase, each] of Object.entries(asMapping(plain.later, "later"))) {
    if (!has(sheet.later, phase) || !isMapping(each)) throw new Error(say("unknown", { name: `later.${phase}` }));
    taken(each.orders, sheet.later[phase], `later.${phase}`);
  }
  sheet.standing = asMapping(plain.standing, "standing");
  for (const key of Object.keys(sheet.standing)) {
    if (!has(data.schema.properties.standing.properties, key)) throw new Error(say("unknown", { name: `standing.${key}` }));
  }
  checkPhases(sheet.standing);
  sheet.salt = plain.salt ?? "";
  sheet.draft = plain.ready === false;
  return sheet;
}

function asMapping(value, where) {
  if (value === undefined || value === null) return {};
  if (!isMapping(value)) throw new Error(`${where}: ${say("kind")}`);
  return value;
}

// -- the ways out ------------------------------------------------------------------------------------------------------

const LONGEST_MAIL = 1800;
const $ = (id) => document.getElementById(id);

const echo = h("p", { class: "echo", "aria-hidden": "true" });

/**
 * Tells screen readers something; `put` puts it on the page too, between other things, so that it covers no control.
 * There it stays until something else is said or the sheet changes.
 */
function announce(text, put) {
  hush();
  $("said").replaceChildren(h("span", {}, ...coded(text)));
  echo.replaceChildren(...coded(text));
  put?.(echo);
  if (put) echo.scrollIntoView({ block: "nearest" });
}

function hush() {
  $("said").replaceChildren();
  echo.remove();
}

function writeOut(plain) {
  const text = writeYaml(plain), box = $("sheet");
  if (box.value === text) return;
  box.value = text;
  box.rows = Math.min(14, text.split("\n").length);
  const subject = say("subject", { match: data.match, phase: data.phase, player: data.player });
  const fits = encodeURIComponent(text).length <= LONGEST_MAIL;
  const body = (fits ? text : say("attach", { file: data.file })).replace(/\n/g, "\r\n");
  $("mail").href = `mailto:${encodeURIComponent(data.gm).replace(/%40/g, "@")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
  $("mail-note").textContent = fits ? "" : say("attach", { file: data.file });
}

function prepareWaysOut() {
  const below = (echo) => $("mail-note").before(echo);
  $("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText($("sheet").value);
    } catch {
      $("sheet").select();
      document.execCommand("copy");
    }
    announce(say("copied"), below);
  });
  $("share").hidden = typeof navigator.share !== "function";
  $("share").addEventListener("click", share);
  $("mail").addEventListener("click", handIn);
  $("download").addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([$("sheet").value], { type: "application/yaml" }));
    h("a", { href: address, download: data.file }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    announce(say("downloaded", { file: data.file }), below);
  });
}

/** Shares the sheet through the device: as a file if the device takes one, else as text. */
async function share() {
  const text = $("sheet").value, title = say("subject", { match: data.match, phase: data.phase, player: data.player });
  const files = [new File([text], data.file, { type: "application/yaml" })];
  try {
    await navigator.share(navigator.canShare?.({ files }) ? { title, files } : { title, text });
  } catch (error) {
    if (error.name !== "AbortError") announce(say("not-shared"), (echo) => $("mail-note").before(echo));
  }
}

let askedOf;

/** If the program that shows the page takes sheets, the main button hands the sheet in instead of mailing it; an
 * unfinished order is asked about first. */
async function handIn(event) {
  if (typeof window.adjudicator?.handIn !== "function") return;
  event.preventDefault();
  const asks = now.making && now.making.index === undefined && askedOf !== snapshot();
  askedOf = snapshot();
  if (asks) return announce(say("hand-in-unfinished"), (echo) => $("mail-note").before(echo));
  announce(await window.adjudicator.handIn($("sheet").value), (echo) => $("mail-note").before(echo));
}

// -- a draft that outlives a reload ------------------------------------------------------------------------------------

/**
 * Each match, phase and question has a draft of its own. A page of another version of the program, or one that was made
 * anew, finds it too: what it says of the position doesn't count. A guess of what another player orders is a draft apart.
 */
const draftKey = () => `adjudicator ${window.adjudicator?.guess ?? ""}${data.phase} ${data.player} ${JSON.stringify([data.match, data.answer ?? null])}`;

/** Browsers may forbid storage; then the page keeps no draft. */
function keep(text) {
  try {
    if (text) localStorage.setItem(draftKey(), text);
    else localStorage.removeItem(draftKey());
  } catch { /* without a draft */ }
}

function kept() {
  try {
    return localStorage.getItem(draftKey()) ?? "";
  } catch {
    return "";
  }
}
