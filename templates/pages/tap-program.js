// What the page asks of the program where that answers it: what can be chosen for one thing, beside the orders that stand;
// what the sheet would bring its player; and what a bot would order next.

/** What can be chosen for one thing: its `subject`, and where its `verbs` begin; the thing and the sheet of these choices, and those that came with the page. */
let beside = { phase: "", verbs: {} }, chosenBeside, came;

/** The node at which orders of a verb about the thing begin that is ordered about; undefined until the program has said it. */
const besideOf = (phase, verb) => (beside.phase === phase && has(beside.verbs, verb) && same(thingAsked().subject, beside.subject) ? beside.verbs[verb] : undefined);

/** Asks for the choices, and shows them once they are here, unless something was changed meanwhile. */
async function askChoices(judge, isNews) {
  const asked = { thing: thingAsked(), sheet: withoutOpen(copied(sheet)) };
  if (same(asked, chosenBeside) || !Object.keys(asked.thing.verbs).length) return;
  const choices = await judge.choices(sheetOf(asked.sheet), asked.thing);
  if (!isNews() || !choices?.nodes) return;
  chosenBeside = asked;
  takeChoices(asked.thing, choices);
  showAnswer();
}

/** What the program is asked about: the thing that is chosen or ordered about; else the player, with all verbs without another subject. */
function thingAsked() {
  const { making, phase } = now, name = making ? making.subject ?? namesOnMap({ [making.verb]: making.values[making.verb], ...making.values }, wayFields(phase, making.verb), phase)[0] : now.chosen;
  const about = name === undefined ? [] : [...(subjectsIn(phase).get(name)?.values() ?? [])];
  if (about.length) return { phase, subject: about[0].value, verbs: Object.fromEntries(about.map(({ verb, field }) => [verb, [field]])) };
  return { phase, subject: null, verbs: Object.fromEntries((making ? [making.verb] : ownVerbs(phase)).map((verb) => [verb, []])) };
}

/** The sheet without the order that is being changed, if there is one: what that order may be depends on the others alone. */
function withoutOpen(sheet) {
  const { making } = now, at = making?.under ?? making?.index;
  if (at === undefined) return sheet;
  const found = copied(sheet);
  (making.phase === data.kind ? found.orders : found.later[making.phase]).orders.splice(at, 1);
  return found;
}

/** The choices as the program has found them for a thing: they follow those that came with the page. */
function takeChoices({ phase, subject, verbs }, answer) {
  came ??= { nodes: data.nodes, borders: data.borders };
  const shift = came.nodes.length, maps = came.borders.length, moved = (at) => (isList(at) ? at.map(moved) : at > OPEN ? at + shift : at);
  const nodes = answer.nodes.map((node) => ({ ...node, then: moved(node.then), ...(node.skip === undefined ? {} : { skip: moved(node.skip) }), ...(node.borders === undefined ? {} : { borders: node.borders + maps }) }));
  Object.assign(data, { nodes: [...came.nodes, ...nodes], borders: [...came.borders, ...answer.borders] });
  beside = { phase, subject, verbs: Object.fromEntries(Object.keys(verbs).filter((verb) => has(answer.verbs, verb)).map((verb) => [verb, moved(answer.verbs[verb])])) };
  choicesChanged();
}

/** Moves the open order from the end of the list, if the program knows a better place for it. */
function isMoved() {
  const { making } = now, { orders } = making && making.under === undefined ? ordersFor(making.phase) : {};
  const place = orders && making.index === orders.length - 1 ? lookedAt(making.phase, making.index)?.place : undefined;
  if (place === undefined) return false;
  orders.splice(place, 0, ...orders.splice(making.index, 1));
  making.index = place;
  return true;
}

/** What the program says is left to do in a phase, as far as it has said so already. */
const toldLeft = (phase) => (looked.left ?? []).filter((thing) => thing.phase === phase);

/** Adds what orders of the sheet have made possible to the things that an order can be about. */
function addSubjects(phase, found) {
  for (const { subject, verbs } of toldLeft(phase).filter((thing) => isLeft(thing) && thing.subject !== null)) {
    const known = found.get(String(subject)) ?? new Map();
    for (const [verb, [field]] of Object.entries(verbs)) if (!known.has(verb)) known.set(verb, { verb, field, value: subject });
    found.set(String(subject), known);
  }
  const asked = beside.phase === phase ? found.get(String(beside.subject)) : undefined;  // of this one the program has said what is possible
  for (const verb of [...asked?.keys() ?? []]) if (!has(beside.verbs, verb)) asked.delete(verb);
}

/** The verbs without another subject that orders of the sheet may have made possible. */
const newVerbs = (phase) => toldLeft(phase).filter((thing) => isLeft(thing) && thing.subject === null).flatMap(({ verbs }) => Object.keys(verbs));

/** Which order decides a thing already, in words; empty if none does. */
function decidedBy(phase, verb, value) {
  const { by } = toldLeft(phase).find(({ state, subject, verbs }) => state === "decided" && has(verbs, verb) && (subject === null || same(subject, value))) ?? {};
  return by ? `→ ${numbered().find((each) => each.phase === phase && each.index === by.find(Number.isInteger))?.number}` : "";
}

/** Asks what comes after the answer to a tap: what the sheet would bring, and what a bot would order next. */
async function askMore(judge, isNews) {
  await askForeseen(judge, isNews);
  if (isNews()) await askAdvice(judge, isNews);
}

async function askAdvice(judge, isNews) {
  if (now.making || same(advice.sheet, sheet) || !ordersIn(sheet).length) return;
  const about = copied(sheet), orders = await judge.advise(sheetOf(about));
  if (!isNews()) return;
  advice = { sheet: about, orders };
  showAll();
}

/** The sheet of which it was said last what it would bring. */
let foreseenOf;

/** Asks what the sheet would bring its player, and shows it: now, then, and what it may be. */
async function askForeseen(judge, isNews) {
  const about = sheetOf(sheet);
  if (same(about, foreseenOf)) return;
  $("foreseen")?.classList.add("old");
  const { on, sheets, known } = window.adjudicator.guesses ?? {}, found = await judge.foresee(about, on ? { guesses: sheets, known } : {});
  if (!isNews()) return;
  foreseenOf = about;
  looked.may = found.may;
  showForeseen(found);
  drawOwn();
  showCards();
}

function showForeseen({ heads, lines, brief, as }) {
  if (!$("foreseen")) {
    document.querySelector(".choices").before(h("details", { id: "foreseen", class: "foreseen", open: matchMedia(DESK).matches || Boolean(window.adjudicator.guesses?.on) }));
    $("do").scrollTop = 0;
  }
  const row = ({ words, now: was, then, may, better }) => h("tr", {}, h("th", { scope: "row" }, words), h("td", {}, was), h("td", { class: ["loss", "", "gain"][better + 1] }, then), h("td", {}, may));
  const table = h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), ...heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...lines.map(row)));
  $("foreseen").hidden = !lines.length;
  $("foreseen").classList.remove("old");
  $("foreseen").replaceChildren(h("summary", {}, brief), table, h("p", { class: "hint" }, as), ...guessing());
}

/** Where others may meet the orders, dotted, with who; and what may come to nothing. */
function* drawnMay(gone) {
  const labels = new Map();
  for (const { phase, index } of numbered()) {
    const every = mayOf(phase, index), met = every.filter(({ place }) => place);
    for (const { place, who, words } of met.length ? met : every.slice(0, 1)) {
      const name = place || endsAt(phase, ordersFor(phase).orders[index]), point = (gone.has(name) && wayPointOf(gone.get(name))) || pointOf(name);
      if (point) labels.set(String(point), { point, said: new Set(labels.get(String(point))?.said).add(who || words.split(/[:;]/)[0]) });
    }
  }
  for (const { point: [x, y], said } of labels.values()) {
    const text = say("tap-perhaps", { words: [...said].join(", ") }), half = 4.1 * text.length + 8;
    yield s("circle", { class: "may", cx: x, cy: y, r: 29 });
    yield s("rect", { class: "may", x: x - half, y: y + 32, width: 2 * half, height: 20, rx: 6 });
    yield s("text", { class: "of-may", x, y: y + 42 }, text);
  }
}

/** What may happen to an order, as far as the program says so. */
const mayOf = (phase, index) => (looked.may ?? []).filter(({ at }) => same(at, pathOf({ phase, index })));

/** The same in lines for its card. */
const mayOnCard = (phase, index) => mayOf(phase, index).map(({ who, words }) => h("p", { class: "warn" }, say("tap-perhaps", { words: who ? `${who}: ${inNames(words)}` : inNames(words) })));

/** The switch between others who pass and others who order as is guessed, and the pages on which that is tapped. */
function* guessing() {
  const { guesses } = window.adjudicator;
  if (!guesses?.others.length && !guesses?.suspects.length) return;
  const turn = (on) => { guesses.on = on; foreseenOf = undefined; return askEngine(); };
  const way = (on, text) => chip(text, `others-${on}`, () => turn(on), { pressed: guesses.on === on });
  yield h("div", { class: "buttons", role: "group", "aria-label": guesses.words["guess-others"] }, guesses.words["guess-others"], way(false, guesses.words["guess-pass"]), way(true, guesses.words["guess-on"]));
  const of = (other) => chip(guesses.words["guess-of"].replace("{name}", other.name), `guess-${other.id}`, () => guesses.open(other), { pressed: has(guesses.sheets, other.id) });
  if (!guesses.on) return;
  yield h("div", { class: "buttons" }, ...guesses.others.map(of));
  if (guesses.suspects.length) yield suspecting(guesses);
}

/** What the player suspects others to hold, each thing with its control. */
function suspecting(guesses) {
  const line = ({ place, words, ...of }) => {
    const why = h("span", { class: "loss", role: "status" });
    const set = async (value) => {
      why.textContent = await guesses.suspect(place, value) ?? "";
      if (why.textContent) return;
      foreseenOf = undefined;
      await askEngine();
    };
    return h("div", {}, h("span", {}, words), (isCards(of) ? suspectedCards : suspectedNumber)({ place, words, ...of }, guesses, set), why);
  };
  const isOpen = $("suspected")?.open ?? false;
  return h("details", { id: "suspected", open: isOpen }, h("summary", {}, guesses.words.suspect), ...guesses.suspects.map(line));
}

const isCards = ({ room = 0, held = {} }) => room > 0 || Object.keys(held).length > 0;

/** The number that is suspected at a place, with a way to suspect none. */
function suspectedNumber({ place, words, least = 0, most }, { suspected }, set) {
  const value = suspected[place], made = stepper({ least, most: most || undefined, step: 1 }, value, set, { key: `suspect-${place}`, label: words });
  if (value === undefined) made.querySelector("input").value = "?";
  else made.append(chip("×", `suspect-${place}×`, () => set(undefined), { kind: "step", label: say("tap-drop", { order: words }) }));
  return made;
}

/** The cards that are suspected at a place, each dropped by a tap, and the others of which one can be; any of a kind, where a kind has several. */
function suspectedCards({ place, room = 0, cards = {}, held = {} }, { suspected, words }, set) {
  const kind = (id) => id.replace(/-\d+$/, ""), called = ([id, said]) => capital(said.replaceAll(" ", "-") === id ? nameOf(kind(id)) : said), ids = suspected[place] ?? [];
  const without = (id) => (ids.length > 1 ? ids.toSpliced(ids.indexOf(id), 1) : undefined);
  const dropped = ([id, said]) => chip([...signOf(kind(id)), `${called([id, said])} ×`], `suspect-${place}-${id}`, () => set(without(id)), { kind: "chip stands" });
  const more = h("select", { "aria-label": words["suspect-card"], "data-key": `suspect-${place}+`, disabled: !room, onchange: ({ target }) => set([...ids, target.value]) }, h("option", { value: "" }, words["suspect-card"]));
  const kinds = new Map(Object.entries(cards).map((card) => [called(card), card[0]]));
  more.append(...[...kinds].map(([text, value]) => h("option", { value }, text)));
  return h("div", { class: "buttons" }, ...Object.entries(held).map(dropped), more);
}
