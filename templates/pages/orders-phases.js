// Phases other than the open one: those up to the next stop, those beyond it, and standing orders for any.

const PHASES = "phases";  // the kind of standing instructions that holds them
const titleOf = (phase) => data.phases[phase] ?? phase;
const whenOf = (phase) => (data.own.includes(phase) ? say("own-turn", { phase: titleOf(phase) }) : titleOf(phase));
const aheadOf = (phase) => (has(data.ahead, phase) ? { kind: phase, verbs: data.ahead[phase], certain: false } : UNKNOWN);

/** All orders of a sheet, of whatever phase. */
const ordersIn = (sheet) => [sheet.orders, ...Object.values(sheet.later)].flatMap(({ orders }) => orders);

/** Do we have orders for a phase that stay in force beside a sheet for the open one? Those of a draft don't. */
const isIn = (phase) => has(data.sent, phase) && !data.drafts.includes(phase);

/** Do we have other orders for a phase of which the sheet says nothing: sent ahead, or standing ones? */
const standsIn = (phase) => isIn(phase) || has(sheet.standing[PHASES] ?? data.standing[PHASES] ?? {}, phase);

/** The phases, among those asked for, that the sheet passes: it says so, or says nothing of them. */
const passedIn = (sheet) => [data.kind, ...data.asked].filter((phase, index) => {
  const state = index ? sheet.later[phase] : sheet.orders;
  return isSent(state) ? !state.orders.length : !standsIn(phase);
});

/** What the page says if nothing is ordered in a phase: it is passed, or the rules do something. */
const passing = (phase, key) => say(data.ruledEmpty.includes(phase) ? "pass-ruled" : key);

/** The orders of the sheet for a phase, the open one or a later one; none if the page has no list for it. */
const ordersFor = (phase) => (phase === data.kind ? sheet.orders : sheet.later[phase]);

/** Buttons that put the orders that we already have for a phase into its list, as long as the list is empty. */
function tellTakes() {
  for (const take of document.querySelectorAll("[data-take]")) take.hidden = !ordersFor(take.dataset.take) || isSent(ordersFor(take.dataset.take));
}

function takeOver(phase) {
  const orders = copied(data.sent[phase]);
  act(() => { Object.assign(ordersFor(phase), { orders, pass: !orders.length }); now.phase = phasesOfSheet().includes(phase) ? phase : now.phase; now.making = null; });
  announce(say("taken-over", { phase: titleOf(phase) }), (echo) => $("sent").append(echo));
}

/** The orders for a phase up to the next stop, below those for the open one. */
function askedBoard(phase) {
  const element = $(`board-${phase}`);
  element.replaceChildren();
  board({ element, key: `later.${phase}`, kind: phase, state: sheet.later[phase], known: aheadOf(phase), passes: passing(phase, "pass-later"), where: titleOf(phase), opens: false, changed: formChanged });
}

/** Says for each phase that is asked for what happens if nothing is ordered in it. */
function tellPhases() {
  for (const told of document.querySelectorAll("[data-told]")) {
    const phase = told.dataset.told, state = phase === data.kind ? sheet.orders : sheet.later[phase];
    const open = phase === data.kind && !isLeftAlone(sheet) && !standsIn(phase);  // of it alone the page says what is missing
    told.textContent = isSent(state) || open ? "" : say(isIn(phase) ? "left-in-already" : standsIn(phase) ? "left-standing" : data.ruled.includes(phase) ? "left-ruled" : "left-passes");
  }
}

/** Orders for a phase beyond the next stop: made when somebody first looks at them. */
function laterBoard(phase) {
  const state = sheet.later[phase];
  return folded({ "data-later": phase, open: isSent(state) }, [whenOf(phase)], (place) =>
    board({ element: place, key: `later.${phase}`, kind: phase, state, known: UNKNOWN, passes: say(data.own.includes(phase) ? "pass-own" : "pass-later"), where: whenOf(phase), changed: formChanged }));
}

/** A folded part of the page, made when it is first opened. */
function folded(properties, summary, make) {
  const place = h("div", {});
  const element = h("details", { class: "fold", ...properties }, h("summary", {}, ...summary), place);
  const opened = () => { if (element.open && !place.hasChildNodes()) make(place); };
  element.addEventListener("toggle", opened);
  opened();
  return element;
}

/** Standing orders: for each phase what is in force, and controls to change it. The sheet has all of them, or none. */
function phasesRow(schema) {
  const names = Object.keys(schema.properties), now = data.standing[PHASES] ?? {};
  const changedHere = () => has(sheet.standing, PHASES);
  const told = h("p", { class: "told", role: "status" }), short = h("span", {});
  const back = button(say("as-it-was"), say("as-it-was-of", { key: PHASES }), "reset", () => { delete sheet.standing[PHASES]; make(); tell(); formChanged(); });
  const place = h("div", {});
  const tell = () => {
    const held = changedHere() ? sheet.standing[PHASES] : now;
    const text = names.filter((name) => has(held, name)).map(titleOf).join(", ");
    short.replaceChildren(text && h("code", {}, text));
    told.textContent = say(changedHere() ? "standing-changed" : text ? "standing-kept" : "standing-none");
    back.hidden = !changedHere();
  };
  const make = () => {
    const from = changedHere() ? sheet.standing[PHASES] : now;
    const states = Object.fromEntries(names.map((name) => [name, { orders: copied(from[name] ?? []), pass: has(from, name) && !from[name].length }]));
    const changed = () => {
      const all = Object.fromEntries(names.filter((name) => isSent(states[name])).map((name) => [name, states[name].orders.map(pruned)]));
      if (same(all, Object.fromEntries(names.filter((name) => has(now, name)).map((name) => [name, now[name]])))) delete sheet.standing[PHASES];
      else sheet.standing[PHASES] = all;
      tell();
      formChanged();
    };
    place.replaceChildren(...names.map((name) => phaseRow(name, states[name], changed)));
  };
  make();
  tell();
  return h("details", { class: "fold", "data-standing": PHASES, open: changedHere() },
    h("summary", {}, h("b", {}, PHASES), " ", short), h("p", { class: "hint" }, ...coded(schema.description ?? "")), place, told, h("p", {}, back));
}

/** The standing orders for one phase, in lines, and the controls that change them. */
function phaseRow(name, state, changed) {
  const lines = h("span", { class: "standing" });
  const tell = () => lines.replaceChildren(...(state.orders.length ? state.orders.map((order) => lineText(order, []))
    : [say(state.pass ? "standing-pass" : data.stops.includes(name) ? "standing-waits" : "standing-nothing")]));
  tell();
  const where = say("standing-for", { phase: titleOf(name) });
  return folded({ "data-standing-phase": name, open: state.orders.some((order) => wrongIn(order, name, UNKNOWN)) }, [h("b", {}, titleOf(name)), lines], (place) =>
    board({ element: place, key: `standing.${name}`, kind: name, state, known: UNKNOWN, passes: say("standing-passes"), where, opens: false, changed: () => { tell(); changed(); } }));
}

/** The standing orders of a pasted sheet, if their phases exist and each has a list. */
function checkPhases(standing) {
  if (!has(standing, PHASES)) return;
  const known = data.schema.properties.standing.properties[PHASES].properties;
  for (const [name, orders] of Object.entries(asMapping(standing[PHASES] ?? [], `standing.${PHASES}`))) {
    if (!has(known, name)) throw new Error(say("unknown", { name: `standing.${PHASES}.${name}` }));
    if (!isList(orders)) throw new Error(`standing.${PHASES}.${name}: ${say("kind")}`);
  }
}
