// The prompt: one line that says what to do, with the controls for it below.

/** What is asked, worked out once after each change: the fields of the order in the making, the asked one, its targets. */
let seen = { found: undefined, asked: undefined, targets: new Map(), perhaps: new Set(), hidden: 0 };

function seeAnew() {
  const { making } = now, found = making ? fieldsOf(making) : undefined, asked = making ? askedIn(found) : undefined;
  seen = { found, asked, perhaps: new Set(), hidden: 0, targets: new Map() };
  if (asked) seen.targets = targetsOf(asked);
}

/** May an order above make the one in the making possible? Not if there is none, or if the program has checked it. */
function hasAbove({ phase, verb, index, under }) {
  return !(programIsHere() && besideOf(phase, verb) !== undefined) && ((under ?? index ?? ordersFor(phase).orders.length) > 0 || phase !== data.kind || !data.alone);
}

const targetsNow = () => seen.targets;
const isMapInSight = () => !$("stage").hidden && !document.body.classList.contains("strip");
const isWayAsked = () => seen.asked?.node?.from !== undefined;

/** The field that is asked for: the one chosen, else one that is missing, else a way that may go on, else an optional field of an order without a target. */
function askedIn({ steps, open }) {
  const { making } = now, byName = (name) => steps.find((step) => step.name === name);
  if (making.ask && byName(making.ask)) return byName(making.ask);
  if (open) return open;
  const way = steps.find(({ node, name }) => node?.from !== undefined && has(making.values, name));
  if (way) return way;
  const given = steps.filter(({ name, may }) => has(making.values, name) && may);
  return given.length ? undefined : steps.find(({ node, name, may }) => may && !has(making.values, name) && node?.from !== undefined);
}

/** What answers a field, by a tap on the map; what needs an order above is only `perhaps` a target, or `hidden` where there is none. */
function targetsOf(step) {
  const { name, node } = step;
  const found = new Map();
  if (node?.from !== undefined) {
    const way = wayOf(node), places = now.making.values[name] ?? [], most = node.schema.maxItems, above = hasAbove(now.making);
    for (const [to, whole] of reachOf(way, places, most)) {
      const leaning = way.leans(whole);
      if (leaning && above) seen.perhaps.add(to);
      if (leaning && !above) seen.hidden += 1;
      else found.set(to, whole.length);
    }
  } else if (!has(now.making.values, name) || now.making.ask === name) for (const value of namedBy(step)) if (spots.has(String(value))) found.set(String(value), undefined);
  return found;
}

/** The values that a field offers first: those that are listed, else the words of its schema. */
const namedBy = ({ options, schema }) => options ?? kindsOf(schema).find(({ kind }) => kind === "word")?.values ?? [];

/** The name of the thing that an order in the making is about. */
function subjectOf(making) {
  if (!making) return now.chosen;
  return making.subject ?? namesOnMap({ [making.verb]: making.values[making.verb], ...making.values }, wayFields(making.phase, making.verb))[0];
}

/** A tap on the map answers the asked field. */
function answer(name) {
  const { asked } = seen;
  if (asked.node?.from !== undefined) {
    const way = bent(wayOf(asked.node), now.making.values[asked.name] ?? [], name, asked.node.schema.maxItems);
    give(asked.name, way.length ? way : undefined);
  } else give(asked.name, namedBy(asked).find((value) => String(value) === name));
}

/** A thing was picked that answers no question: an order about it begins, or the order that it has is opened. */
function choose(name) {
  const verbs = verbsAbout(name);
  const standing = ordersFor(now.phase).orders.findIndex((order) => namesOnMap(order, wayFields(now.phase, verbIn(order)))[0] === name);
  const main = verbs.length === 1 ? verbs[0] : verbs.find(({ verb }) => goes(now.phase, verb));
  act(() => {
    now.chosen = name;
    now.making = null;
    if (main && standing >= 0) reopen(now.phase, standing);
    else if (main) begin(now.phase, main.verb, { [main.field]: main.value }, { subject: main.subject });
  });
}

/** Does a verb send its subject somewhere? Then a tap on the subject begins such an order. */
const goes = (phase, verb) => [...nodesFrom(knownIn(phase).verbs[verb])].some((number) => data.nodes[number].from !== undefined);

function showPrompt() {
  const { making } = now, tray = $("tray");
  const { line, help, buttons = [], below = [] } = making ? promptOfMaking(making) : now.chosen && verbsAbout(now.chosen).length ? promptOfChosen(now.chosen) : idlePrompt();
  $("ask").replaceChildren(...starred(line));
  $("help").replaceChildren(...[help ?? ""].flat());
  $("buttons").replaceChildren(...buttons.filter(Boolean));
  tray.replaceChildren(...below.filter(Boolean));
  tray.hidden = !tray.hasChildNodes();
}

// -- an order in the making --------------------------------------------------------------------------------------------

function promptOfMaking(making) {
  const { found, asked } = seen, { phase, verb, values } = making, stands = making.index !== undefined, question = asked && !has(values, asked.name);
  const instead = making.under === undefined ? "" : `${say("tap-instead", { number: numbered().find((each) => each.phase === phase && each.index === making.under).number })} `;
  const line = instead + (question ? questionOf({ ...making, values: found.values }, asked.name) : sentenceOf(phase, { [verb]: values[verb], ...values }, verb));
  const goesOn = isWayAsked() && has(values, asked?.name);
  const help = [goesOn ? say(seen.targets.size ? "tap-way-on" : "tap-way-end") : seen.targets.size && isMapInSight() ? say("tap-glow") : asked && asked.may ? say("tap-may") : "",
    costs(phase, verb, values), isIdle(phase, verb, values) ? say("tap-does-nothing") : "", seen.perhaps.size ? say("tap-dashed") : "", seen.hidden ? say("tap-hidden", { count: seen.hidden }) : ""].filter(Boolean).join(" ");
  const more = found.steps.filter((step) => step.may && !has(values, step.name) && step !== asked && step.options?.length !== 0 && !isLaidOpen(step, found.steps));
  const others = stands || making.under !== undefined ? [] : [...(subjectsIn(phase).get(making.subject)?.values() ?? [])].filter((each) => each.verb !== verb);
  const buttons = [
    stands || (!found.open && question) ? chip(say("tap-done"), "done", () => act(() => { making.kept = true; settle(); done(); }), { kind: "chip main" }) : "",
    chip(say(stands ? "tap-delete" : "tap-leave"), "leave", () => act(() => (stands ? remove(phase, making.index, making.under) : done()))),
    ...more.map((step) => chip(`+ ${fieldLabel(phase, verb, step.name)}`, `more-${step.name}`, () => act(() => open(step)), { kind: "chip may", price: priceOf(phase, verb, { field: step.name }) })),
    ...others.map((each) => chip(labelOf(phase, each.verb), `verb-${each.verb}`, () => act(() => begin(phase, each.verb, { [each.field]: each.value }, { subject: making.subject })), { price: priceOf(phase, each.verb) })),
  ];
  return { line, help, buttons, below: [placesToGo(), ...found.steps.map((step) => controlOfStep(step, making, step === asked)), ...((stands || making.subject === undefined) && making.under === undefined ? untouched(phase, verb) : [])] };
}

const MOST_PLACES = 12;

/** The places that a way can go to, as buttons: those on the map may be out of sight, or small. */
function placesToGo() {
  const places = isWayAsked() ? [...seen.targets].sort(([, one], [, other]) => one - other) : [];
  if (!places.length || places.length > MOST_PLACES) return "";
  return h("div", { class: "places" }, ...places.map(([name, steps]) =>
    chip(h("b", {}, capital(nameOf(name))), `to=${name}`, () => act(() => answer(name)), { price: [steps > 1 ? say("tap-steps", { steps }) : "", factsOf(name)].filter(Boolean).join(" · ") })));
}

/** What the order costs, in a sentence. */
function costs(phase, verb, values) {
  const price = (has(values, verb) && priceOf(phase, verb, { value: values[verb] })) || priceOf(phase, verb);
  return price && say("tap-costs", { price });
}

/** Is a field's control shown though it isn't asked for? So are the first two fields with parts, of an order without a subject: what is given, and for what. */
const isLaidOpen = (step, steps) => now.making.subject === undefined
  && steps.filter(({ options, schema }) => !options && kindsOf(schema)[0].kind === "mapping").indexOf(step) in [0, 1];

/** Asks for a field that may be left out: a number has its likely value at once. */
function open(step) {
  const likely = likelyOf(step, now.making);
  if (likely !== undefined) give(step.name, likely);
  now.making.ask = step.name;
}

/** The control of a field below the prompt, if a tap on the map isn't enough to answer or change it. */
function controlOfStep(step, making, isAsked) {
  const { phase, verb, values } = making, { name, node, options, schema } = step, given = has(values, name);
  const laidOpen = isLaidOpen(step, seen.found.steps);
  if (node?.from !== undefined || (!given && !isAsked && !laidOpen)) return "";
  if (given && !isMapping(values[name]) && String(values[name]) === making.subject) return "";
  if (options && !isAsked && (options.length < 2 || given)) return given && options.length > 1 ? decided(step, making) : "";
  if (options && options.length > 12 && options.every((value) => spots.has(String(value)))) return "";
  const label = fieldLabel(phase, verb, name), at = { key: `f-${name}`, label, verb, names: namesIn(values), last: lastList(phase, verb, name), once: node?.always?.uniqueItems ?? schema.uniqueItems };
  const set = (value) => act(() => give(name, value));
  const inner = options ? h("div", { class: "chips" }, ...options.map((value) => chip(typeof value === "number" ? nameOfNumber(value) : named(value), `${at.key}=${value}`, () => set(value), { pressed: same(value, values[name]), used: usedBy(phase, verb, name, value), price: name === verb ? priceOf(phase, verb, { value }) : "" })))
    : picker(schema, values[name], set, at);
  const price = priceOf(phase, verb, { field: name }), shown = [capital(label), price].filter(Boolean).join(" · ");
  return h("section", { class: "field-of", "data-field-of": name }, isAsked && !given && !laidOpen && !price ? "" : h("h3", {}, shown), inner);
}

/** Why a value is used up by the orders that stand, in the engine's words; empty if it isn't. */
const usedBy = (phase, verb, field, value) => (programIsHere() ? decidedBy(phase, verb, value)
  : (looked.used ?? []).find((each) => each.phase === phase && each.verb === verb && (!each.field || (each.field === field && same(each.value, value))))?.words ?? "");

/** A button with the chosen name: a tap on it asks for the name again. */
function decided({ name }, making) {
  return h("section", { class: "field-of" }, h("h3", {}, capital(fieldLabel(making.phase, making.verb, name))),
    h("div", { class: "chips" }, chip([...named(making.values[name]), " ", pen()], `again-${name}`, () => act(() => { making.ask = name; }), { pressed: true })));
}

/** What the reader ranked in this field last time, or in orders for the phase that stand already. */
function lastList(phase, verb, field) {
  if (aboutOf(phase, verb).ranks !== field) return undefined;
  const standing = data.sent[phase] ?? data.standing[PHASES]?.[phase] ?? [];
  return standing.find((order) => verbIn(order) === verb && isList(order[field]))?.[field] ?? data.last[phase]?.[verb];
}

/** All names that an order has. */
function namesIn(values, found = new Set()) {
  for (const value of Object.values(values)) {
    if (typeof value === "string") found.add(value);
    else if (isList(value)) value.forEach((each) => (typeof each === "string" ? found.add(each) : undefined));
  }
  return found;
}

// -- no order in the making --------------------------------------------------------------------------------------------

function promptOfChosen(name) {
  const verbs = verbsAbout(name);
  const standing = ordersFor(now.phase).orders.flatMap((order, index) => (namesOnMap(order, wayFields(now.phase, verbIn(order)))[0] === name ? [index] : []));
  return {
    line: say("tap-what", { name: titleOfSpot(name) }),
    help: factsOf(name),
    below: [h("div", { class: "chips verbs-of" },
      ...verbs.map(({ verb, field, value, subject }) => chip(labelOf(now.phase, verb), `verb-${verb}`, () => act(() => begin(now.phase, verb, { [field]: value }, { subject })), { used: usedBy(now.phase, verb, field, value), price: priceOf(now.phase, verb) })),
      ...standing.map((index) => chip([...starred(sentenceOf(now.phase, ordersFor(now.phase).orders[index])), " ", pen()], `open-${index}`, () => act(() => reopen(now.phase, index)), { kind: "chip quiet" })))],
  };
}

/** What is asked in the phase, the verbs without a subject on the map, and the button that passes. */
function idlePrompt() {
  const { phase } = now, own = ownVerbs(phase), subjects = subjectsIn(phase), state = ordersFor(phase), next = openPhases();
  const nothing = !own.length && !subjects.size && !state.orders.length;
  const asks = promptOf("phases", phase, phase) ?? say(subjects.size ? "tap-idle-map" : "tap-idle");
  const line = nothing ? say("tap-nothing", { phase: titleOf(phase) })
    : state.pass && !state.orders.length ? say("tap-passed", { phase: titleOf(phase) })
    : isDecided(phase) ? (next.length ? say("tap-next", { phase: titleOf(phase), next: listed(next.map(titleOf)) }) : say(refusedNow().length ? "tap-all-but-refused" : "tap-all-decided"))
    : say("tap-of", { of: titleOf(phase), text: filledIn(asks, { count: subjects.size }) });
  const passes = !state.orders.length && !nothing ? chip(say(state.pass ? "tap-unpass" : "tap-pass"), "pass", () => act(() => { state.pass = !state.pass; }), { pressed: Boolean(state.pass) }) : "";
  const beyond = isBeyondThePage(phase), toForm = beyond ? chip(say("tap-to-form"), "to-form", () => openForm(phase), { kind: "chip may" }) : "";
  return { line, help: beyond ? say("tap-beyond") : nothing ? say("tap-nothing-help") : ordersIn(sheet).length || state.pass || isAboutCards(phase) ? "" : [say("tap-order"), proposalButton() && ` ${say("tap-propose-help")}`].filter(Boolean), buttons: [proposalButton(), guideButton(), state.orders.length || state.pass || nothing ? nextButton(next[0]) : "", toForm, passes], below: own.map((verb) => ownVerb(phase, verb)) };
}

/** May orders for earlier phases of the sheet make something possible that this page can't know of? The program can. */
const isBeyondThePage = (phase) => !programIsHere() && phasesOfSheet().slice(0, phasesOfSheet().indexOf(phase)).some((each) => ordersFor(each).orders.length);

/** Opens the form where it has the fields of a phase. */
function openForm(phase) {
  $("form").open = true;
  $(`part-${phase}`).focus();
}

/** The phases of the sheet in which something can be ordered, but nothing is ordered or passed yet. */
const openPhases = () => phasesOfSheet().filter((phase) => !ordersFor(phase).orders.length && !ordersFor(phase).pass && Object.keys(knownIn(phase).verbs).length);

/** Is nothing left to decide in a phase with orders? */
const isDecided = (phase) => ordersFor(phase).orders.length > 0 && !leftIn(phase).some(({ state }) => state === "open");

const nextButton = (phase) => (phase ? chip(`${titleOf(phase)} ›`, `next-${phase}`, () => act(() => turnTo(phase)), { kind: "chip main" }) : "");

/** Has the type of a field other words than the one that can be chosen? Then a button says which it is. */
function isOneOfMany(phase, verb, field) {
  const type = kindsOf(verbsOf(phase)[verb].properties[field]).find(({ kind }) => kind === "word");
  return Boolean(type && (type.free.length || type.values.length + type.others.length > 1));
}

/** Is a thing that is no place and no piece used up, such as an offer that was accepted? Then it isn't offered again. */
const isAnswered = (phase, verb, field, value) => aboutOf(phase, verb).subject?.includes(field) && !spots.has(String(value)) && Boolean(usedBy(phase, verb, field, value));

/** A value by its name; one that is told in several words, such as an offer, with the signs of what these name. */
const toldInSigns = (value) => { const told = signed(capital(nameOf(value))); return told.length > 3 ? [h("span", { class: "in-signs" }, ...told)] : named(value); };

/** A verb without a subject on the map, with its first choice shown at once. */
function ownVerb(phase, verb) {
  const { open, steps } = fieldsOf({ phase, verb, values: {} }), first = open ?? steps[0], standing = ordersFor(phase).orders.findIndex((order) => verbIn(order) === verb);
  const price = priceOf(phase, verb), title = h("h3", {}, [labelOf(phase, verb), price].filter(Boolean).join(" · "));
  const left = first?.options?.filter((value) => !isAnswered(phase, verb, first.name, value));
  if (first?.options?.length && !left.length) return "";
  if (leansWholly(phase, verb) && !hasAbove({ phase, verb })) return h("section", { class: "field-of" }, title, h("p", { class: "hint" }, say("tap-after")));
  if (beginOf(phase, verb) !== undefined && first?.options?.length > (isOneOfMany(phase, verb, first.name) ? 0 : 1) && first.options.length <= 24) {
    return h("section", { class: "field-of" }, title, h("div", { class: "chips" }, ...left.map((value) =>
      chip(typeof value === "number" ? nameOfNumber(value) : toldInSigns(value), `own-${verb}=${value}`, () => act(() => begin(phase, verb, { [first.name]: value })), { used: usedBy(phase, verb, first.name, value), price: first.name === verb ? priceOf(phase, verb, { value }) : "" }))));
  }
  const kind = beginOf(phase, verb) !== undefined && first && !first.options && kindsOf(first.schema)[0].kind;
  if (kind === "list" && standing < 0) {
    const at = { key: `f-${first.name}`, label: labelOf(phase, verb), verb, last: lastList(phase, verb, first.name), once: first.node?.always?.uniqueItems ?? first.schema.uniqueItems };
    return h("section", { class: "field-of" }, title, picker(first.schema, undefined, (value) => act(() => begin(phase, verb, { [first.name]: value })), at));
  }
  if (standing >= 0) return h("section", { class: "field-of" }, h("div", { class: "chips" }, chip([labelOf(phase, verb), " ", pen()], `own-${verb}`, () => act(() => reopen(phase, standing)))));
  return h("section", { class: "field-of" }, h("div", { class: "chips" }, chip(labelOf(phase, verb), `own-${verb}`, () => act(() => begin(phase, verb)), { price })));
}

/** The other verbs without a subject on the map for which nothing is ordered yet: they stay open below. */
const untouched = (phase, but) => ownVerbs(phase).filter((verb) => verb !== but && ordersFor(phase).orders.every((order) => verbIn(order) !== verb)).map((verb) => ownVerb(phase, verb));

/** What an order can begin with; nothing once the phase is passed. */
function openSubjects(phase) {
  const known = subjectsIn(phase), left = leftIn(phase).filter(isLeft), names = left.map(({ subject }) => String(subject)).filter((name) => known.has(name) && spots.has(name));
  if (ordersFor(phase).pass || !left.length) return [];
  return names.length ? names : [...known.keys()].filter((name) => [...known.get(name).values()].some(({ verb, field, value }) => !usedBy(phase, verb, field, value)));
}

/** The button that puts a bot's orders for what is open in the phase into its list. */
function proposalButton() {
  const { orders } = ordersFor(now.phase), more = ordersOfBot(now.phase);
  return more.length ? chip(say("tap-propose"), "propose", () => act(() => { Object.assign(ordersFor(now.phase), { orders: [...orders, ...copied(more)], pass: false }); }), { kind: "chip main" }) : "";
}
