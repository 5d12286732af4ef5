// The state of the page: the sheet, the order in the making, and every step back and forth.

/** `making` is an order in the making: its phase, verb and values, its place in the list once it is there, and the field that is asked. */
const now = { phase: "", making: null };
const past = [], future = [];
const MOST_STEPS = 200;

const phasesOfSheet = () => [data.kind, ...(data.asked ?? [])];
const snapshot = () => JSON.stringify({ sheet, phase: now.phase, making: now.making });

function restore(text) {
  const kept = JSON.parse(text);
  sheet = { ...emptySheet(), ...kept.sheet };
  Object.assign(now, { phase: kept.phase, making: kept.making });
}

/** A draft that was kept: the sheet and what was being done, if they still fit this page. */
function takeDraft(text) {
  restore(text);
  if (!phasesOfSheet().includes(now.phase)) throw new Error(now.phase);
}

/** Does something that can be undone, and shows it. */
function act(change) {
  const before = snapshot();
  change();
  if (snapshot() === before) return showAll();
  past.push(before);
  if (past.length > MOST_STEPS) past.shift();
  future.length = 0;
  changedAll();
}

function step(from, to) {
  if (!from.length) return;
  to.push(snapshot());
  restore(from.pop());
  changedAll();
}
const undo = () => step(past, future);
const redo = () => step(future, past);

// -- an order in the making --------------------------------------------------------------------------------------------

/** The list that an order in the making belongs to: that of its phase, or the `else` of an order in it. */
function listFor({ phase, under }) {
  const { orders } = ordersFor(phase);
  if (under === undefined) return orders;
  if (!isList(orders[under].else)) orders[under].else = [];
  return orders[under].else;
}

/** Begins an order; `values` are the fields that are known already. */
function begin(phase, verb, values = {}, more = {}) {
  now.phase = phase;
  now.making = { phase, verb, values, ...more };
  settle();
}

/** Opens an order that stands. */
function reopen(phase, index, under) {
  const order = listFor({ phase, under })[index], verb = verbIn(order);
  now.phase = phase;
  now.making = { phase, verb, values: copied(order), index, under };
}

/** Gives a field of the order in the making its value. The fields after it keep theirs if they still fit. */
function give(name, value) {
  const { making } = now;
  if (value === undefined) delete making.values[name];
  else making.values[name] = value;
  making.ask = making.likely = undefined;
  settle();
}

/** Fills in values that are the only possible or the likely ones, drops values that no longer fit, and puts the order into its list if it is complete. */
function settle() {
  const { making } = now, definition = verbsOf(making.phase)[making.verb];
  for (let found = fieldsOf(making); ; found = fieldsOf(making)) {
    const stale = found.steps.find(({ name, node, options }) => has(making.values, name) && (options ? !options.some((each) => same(each, making.values[name])) : node?.from !== undefined && !isLegal(wayOf(node), making.values[name])));
    if (stale && !knownIn(making.phase).certain) break;
    if (stale) { delete making.values[stale.name]; continue; }
    const likely = found.open && likelyOf(found.open, making);
    if (likely === undefined) { making.values = { ...making.values, ...found.values }; break; }
    making.values = { ...making.values, ...found.values, [found.open.name]: likely };
    making.likely = found.open.name;
  }
  const found = fieldsOf(making), known = new Set([...found.steps.map(({ name }) => name), "if", "else"]);
  const whole = !found.open && found.steps.every((step) => !has(making.values, step.name) || isWhole(step, making.values[step.name], definition));
  for (const name of Object.keys(making.values)) if (!known.has(name) && !found.open && !has(definition.properties, name)) delete making.values[name];
  const asked = askedIn(found), bare = making.index === undefined && !making.kept && asked?.may && !has(making.values, asked.name);
  if (!whole || bare) return;
  const { [making.verb]: own, ...rest } = making.values, list = listFor(making), order = { [making.verb]: own, ...rest };
  if (making.index === undefined) making.index = list.push(order) - 1;
  else list[making.index] = order;
  if (making.likely && making.under === undefined) shrink(order, making);
  ordersFor(making.phase).pass = false;
}

/** Lowers a number that was filled in as likely, as long as the page's engine finds it too large. */
function shrink(order, { phase, index, likely, values }) {
  const at = [...(phase === data.kind ? ["orders"] : ["later", phase]), index];
  const tooMuch = () => engine.look(sheet).orders.some((each) => same(each.at, at) && each.state === REFUSED && each.problems.some(({ field }) => field === likely));
  const [[name, all]] = isMapping(order[likely]) ? Object.entries(order[likely]) : [[]], put = (count) => { values[likely] = order[likely] = { [name]: count }; };
  for (let count = all; count > 1 && tooMuch();) put(count -= 1);
  if (all && tooMuch()) put(all);
}

/** The value that a field most likely gets: numbers have one, so that the order stands at once. */
function likelyOf({ node, schema }, making) {
  if (node?.values || node?.from !== undefined) return undefined;
  const kinds = kindsOf(schema);
  if (kinds[0].kind === "mapping") return allOfOne(kinds[0]);
  if (kinds[0].kind === "flag" && kinds[0].only.length === 1) return kinds[0].only[0];
  if (kinds[0].kind !== "number") return undefined;
  const { least, lowest, most } = kinds[0], first = least ?? lowest ?? 0;
  return most === undefined || first <= most ? first : undefined;
}

/** All of a thing, if it is the only one that can be counted: the units that go. */
function allOfOne({ known, laidOut }) {
  const [name] = laidOut, kind = laidOut.length === 1 ? kindsOf(known[name])[0] : undefined;
  return kind?.kind === "number" && kind.most <= 9 ? { [name]: kind.most } : undefined;
}

/** Leaves the order in the making: it stays in its list if it is complete, and is dropped if not. */
function done() {
  now.making = null;
  now.chosen = undefined;
}

/** Takes an order out of its list. */
function remove(phase, index, under) {
  listFor({ phase, under }).splice(index, 1);
  if (under !== undefined && !listFor({ phase, under }).length) delete ordersFor(phase).orders[under].else;
  now.making = null;
}

/** Moves an order up or down. */
function shift(phase, index, by) {
  const { orders } = ordersFor(phase);
  orders.splice(index + by, 0, ...orders.splice(index, 1));
  now.making = null;
}
