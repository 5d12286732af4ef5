// The reader's cards in rows, the orders as cards, the phases of the sheet above them, totals, and what is left to decide.

/** A card as the map draws it, by itself. */
function face(drawn) {
  const card = drawn.cloneNode(true);
  for (const place of ["transform", "x", "y", "data-name", "data-in"]) card.removeAttribute(place);
  return s("svg", { class: "map a-card", viewBox: "0 0 118 168", "aria-hidden": "true" }, card);
}

/** The map's cards in a row of its table, or the one of a name. */
const drawnIn = (row, name) => [...(chart?.querySelectorAll(`[data-in="${row}"]${name === undefined ? "" : `[data-name="${CSS.escape(name)}"]`}`) ?? [])];

/** A card of the hand, where the map draws it, with its name below; else its sign and name. */
const faced = (name) => { const [drawn] = drawnIn("hand", name); return drawn ? [face(drawn), h("span", {}, capital(nameOf(name)))] : named(name); };

/** Is it a phase about cards? Then the map is a strip. */
const isAboutCards = (phase) => Boolean(promptOf("folded", phase, phase));

/** What lies before the reader on the map's table, in rows, unless the same cards are asked for below. */
function showRows() {
  const rows = isAboutCards(now.phase) && chart ? [...chart.querySelectorAll("[data-row]")] : [], asked = $("tray").querySelector(".a-card");
  const captions = rows.filter(({ dataset }) => dataset.row !== "hand" || !asked);
  $("rows").replaceChildren(...captions.map(({ textContent, dataset: { row, note } }) => h("section", { class: `row-of ${row}` },
    h("h3", {}, textContent, note ? h("span", {}, note) : ""),
    h("div", {}, ...drawnIn(row).map((drawn) => cardInRow(drawn))))));
  $("rows").hidden = !captions.length;
}

function cardInRow(drawn) {
  const { name } = drawn.dataset;
  return name ? chip(faced(name), `card-${name}`, () => (learned?.name === name ? forget() : pickOnMap(name)), { kind: "chip", label: titleOn(drawn), pressed: subjectOf(now.making) === name || isNamedIn(now.making?.values, name) }) : face(drawn);
}

/** Does an order in the making name it, at any depth? */
const isNamedIn = (value, name) => value === name || (Boolean(value) && typeof value === "object" && Object.values(value).some((each) => isNamedIn(each, name)));

const titleOn = (drawn) => drawn?.querySelector("title")?.textContent;

const pen = () => {
  const svg = s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4" }));
  return svg;
};

function showSteps() {
  const phases = phasesOfSheet(), place = $("steps");
  place.hidden = phases.length < 2;
  place.replaceChildren(...phases.map((phase) => chip([h("b", {}, titleOf(phase)), h("span", { class: ordersFor(phase).orders.length ? "" : "none" }, stepNote(phase))], `step-${phase}`, () => act(() => turnTo(phase)), { kind: "phase-step", pressed: phase === now.phase })));
}

const turnTo = (phase) => Object.assign(now, { phase, making: null, chosen: undefined });

/** The word that says what the sheet holds for a phase. */
function stepNote(phase) {
  const { orders, pass } = ordersFor(phase);
  if (orders.length) return say("tap-orders", { count: orders.length });
  return say(pass ? "tap-passing" : Object.keys(knownIn(phase).verbs).length ? "tap-open" : "tap-none-now");
}

function showCards() {
  const every = numbered(), shownPhases = phasesOfSheet().filter((phase) => ordersFor(phase).orders.length);
  $("cards").replaceChildren(
    ...(every.length ? [] : [h("p", { class: "hint" }, say("tap-no-orders"))]),
    ...shownPhases.flatMap((phase) => [
      shownPhases.length > 1 || phasesOfSheet().length > 1 ? h("h3", {}, titleOf(phase)) : "",
      h("ol", {}, ...every.filter((each) => each.phase === phase).map(card)),
    ]),
    toDecide(),
  );
}

/** The numbers of the orders that are wrong by themselves, or that the engine finds refused. */
const refusedNow = () => numbered().filter(({ phase, order, index }) => !has(verbsOf(phase), verbIn(order)) || wrongIn(order, phase, knownIn(phase)) || lookedAt(phase, index)?.state === REFUSED).map(({ number }) => number);

function card({ phase, order, index, number }) {
  const verb = verbIn(order), definition = verbsOf(phase)[verb], { making } = now;
  const current = making?.phase === phase && making.index === index && making.under === undefined;
  const known = knownIn(phase), found = lookedAt(phase, index);
  const wrong = definition ? wrongIn(order, phase, known) : say("no-order"), doubt = !wrong && isDoubtful(phase, order, index);
  const told = toldOf(found);
  const text = definition ? sentenceOf(phase, order) : inBrackets(order, 30);
  return h("li", { class: `card${current ? " current" : ""}`, "data-card": `${phase}-${index}` },
    h("span", { class: `disc${phase === data.kind ? "" : " square"} s${data.seat}`, "aria-hidden": "true" }, h("span", { class: `t${data.seat}` }, String(number))),
    h("div", { class: "said" },
      h("p", {}, ...starred(text)),
      definition && isIdle(phase, verb, order) ? h("p", { class: "warn" }, say("tap-does-nothing")) : "",
      wrong && !told.length ? h("p", { class: "wrong" }, wrong) : "",
      ...(found?.brings ?? []).map((words) => h("p", { class: found.state === FINE ? "brings" : "brings open" }, words)),
      found?.word && found.state !== FINE ? h("p", { class: found.state === REFUSED ? "wrong" : "warn" }, capital(found.word)) : "",
      ...told.map(({ kind, words, rule }) => h("p", { class: kind === "problem" ? "wrong" : "warn" }, capital(inNames(words)), isRule(rule) ? h("span", { class: "rule-of" }, ` ${rule}`) : "")),
      ...(programIsHere() ? mayOnCard(phase, index) : []),
      doubt && !found?.word && !told.length ? h("p", { class: "warn" }, say(!known.certain ? "doubtful-ahead" : hasAbove({ phase, index }) ? "tap-doubtful" : "not-now-alone")) : "",
      current ? toolsOf(phase, order, index, definition) : elses(phase, order, index)),
    definition ? chip(pen(), `edit-${phase}-${index}`, () => act(() => (current ? done() : reopen(phase, index))), { kind: "pen", label: say("tap-change", { order: plainOf(text) }), pressed: current }) : "",
    chip("×", `drop-${phase}-${index}`, () => act(() => remove(phase, index)), { kind: "pen", label: say("tap-drop", { order: plainOf(text) }) }));
}

/** Is it the number of a game's rule, such as MED-3.1? What any sheet must be has a word instead. */
const isRule = (rule) => /^[A-Z]+-\d/.test(rule ?? "");

const FINE = "fine", REFUSED = "refused";

const pathOf = ({ phase, index }) => (phase === data.kind ? ["orders", index] : ["later", phase, index]);

/** What the engine has found out about an order, unless the order was changed since. */
function lookedAt(phase, index) {
  const at = pathOf({ phase, index });
  const ordersOf = (sheet) => (phase === data.kind ? sheet?.orders : sheet?.later[phase])?.orders[index];
  return same(ordersOf(looked.sheet), ordersOf(sheet)) ? looked.orders?.find((each) => same(each.at, at)) : undefined;
}

/** Does the program itself answer the page? Then only what it says counts. */
const programIsHere = () => Boolean(window.adjudicator?.engine);

/** Is an order impossible now, as far as the page and its engine know? */
function isDoubtful(phase, order, index) {
  const found = lookedAt(phase, index);
  return programIsHere() ? Boolean(found?.doubtful) : found?.state !== FINE && Boolean(doubtfulIn(order, knownIn(phase)));
}

/** What the engine says of an order: why it is refused; else what speaks against it, or may. */
function toldOf(found) {
  const problems = (found?.problems ?? []).map((each) => (found.state === REFUSED ? { ...each, kind: "problem" } : { ...each, kind: "warn", words: say("tap-perhaps", { words: each.words }) }));
  return [...problems, ...(found?.warns ?? []).map((each) => ({ ...each, kind: "warn" }))];
}

/** The orders in an `else` and the condition in an `if`, where the order has any. */
function elses(phase, order, index) {
  const chips = [
    ...(isList(order.else) ? order.else : []).map((each, under) => chip(`${say("tap-else")} ${plainOf(sentenceOf(phase, each))} ×`, `else-${index}-${under}`, () => act(() => remove(phase, under, index)), { kind: "chip stands", label: say("tap-drop", { order: plainOf(sentenceOf(phase, each)) }) })),
    ...(has(order, "if") ? [chip(`${say("tap-if")} ${factsIn(order.if)} ×`, `if-${index}`, () => act(() => { delete ordersFor(phase).orders[index].if; }), { kind: "chip stands", label: say("tap-drop-if") })] : []),
  ];
  return chips.length ? h("div", { class: "chips" }, ...chips) : "";
}

/** The buttons that are seldom needed: another order instead, a condition, another place in the list. */
function toolsOf(phase, order, index, definition) {
  const last = ordersFor(phase).orders.length - 1, verb = verbIn(order), subject = namedIn(phase, verb)[0]?.[0];
  const same_ = subject !== undefined && has(order, subject) ? { [subject]: order[subject] } : {};
  return h("div", {}, elses(phase, order, index), h("div", { class: "chips" },
    definition.properties.else ? chip(say("tap-otherwise"), `otherwise-${index}`, () => act(() => begin(phase, verb, same_, { under: index })), { kind: "chip may" }) : "",
    definition.properties.if && !has(order, "if") ? chip(say("tap-only-if"), `only-if-${index}`, () => openIf(phase, index), { kind: "chip may" }) : "",
    last < 1 ? "" : chip("↑", `up-${index}`, () => act(() => shift(phase, index, -1)), { kind: "chip may", label: say("up-order", { path: index + 1 }), disabled: index === 0 }),
    last < 1 ? "" : chip("↓", `down-${index}`, () => act(() => shift(phase, index, 1)), { kind: "chip may", label: say("down-order", { path: index + 1 }), disabled: index === last })),
    now.ifOf === `${phase}-${index}` ? conditionOf(phase, order, index, definition) : "");
}

function openIf(phase, index) {
  now.ifOf = now.ifOf === `${phase}-${index}` ? undefined : `${phase}-${index}`;
  showAll();
  document.querySelector(".condition")?.scrollIntoView({ block: "nearest" });
}

/** The condition of an order: the form's own control for it. */
function conditionOf(phase, order, index, definition) {
  const made = control(definition.properties.if, order.if, { id: nextId(), name: say("tap-only-if"), changed: () => {
    const target = ordersFor(phase).orders[index];
    if (made.value === undefined) delete target.if;
    else target.if = made.value;
    if (now.making?.index === index) now.making.values = copied(target);
    written();
  } });
  return h("div", { class: "condition" }, h("p", { class: "hint" }, ...coded(hintOf(definition.properties.if, "if"))), made.element);
}

// -- what is left, and in all -------------------------------------------------------------------------------------------

/** What must still be decided. */
const leftToDecide = () => phasesOfSheet().filter((phase) => !ordersFor(phase).pass && (phase === data.kind || ordersFor(phase).orders.length))
  .flatMap((phase) => leftIn(phase).filter(({ state, must }) => must && state === "open"));

function toDecide() {
  const open = leftToDecide().filter(({ phase }) => phase === now.phase).map(({ subject }) => String(subject));
  const left = [...subjectsIn(now.phase).keys()].filter((name) => open.includes(name) || !spots.has(name));
  if (!left.length || left.length > 12) return "";
  return h("div", { class: "chips to-decide" }, h("span", { class: "label" }, say("tap-to-decide")),
    ...left.map((name) => chip(titleOfSpot(name), `decide-${name}`, () => { if (pointOf(name)) bringIn(...pointOf(name)); choose(name); }, { kind: "chip may" })));
}

function showTotals() {
  const totals = (looked.totals ?? []).filter(({ of }) => of !== 0);
  $("totals").hidden = !totals.length;
  const isDesk = matchMedia(DESK).matches;
  if (isDesk !== ($("totals").parentNode === $("send"))) (isDesk ? $("send").firstChild : $("cards")).before($("totals"));
  $("totals").replaceChildren(...totals.map(({ words, left, of, unit }) => h("div", {}, h("span", {}, inNames(words)), h("b", {}, `${grouped(left)}${of === undefined || of === null ? "" : ` / ${grouped(of)}`}${unit ? ` ${unit}` : ""}`))));
  $("sure").hidden = looked.sure === true || !ordersIn(sheet).length;
}

/** A text in which things on the map have their spoken names. */
const inNames = (text) => text.replace(/[\w-]+/g, (word) => (spots.has(word) && !/^\d+$/.test(word) ? nameOf(word) : word));
