// The guide: what the phase is for, three things to try, and what a bot would order next and why. It opens by itself on the
// first sheet of a match, until its reader has closed one.

const GUIDED = "adjudicator guide";
let guiding, shownOrder = 0;

function isGuiding() {
  guiding ??= data.first && remembersGuide() !== "no";
  return guiding;
}

function remembersGuide() {
  try {
    return localStorage.getItem(GUIDED);
  } catch {
    return null;
  }
}

function guide(opened) {
  guiding = opened;
  try {
    localStorage.setItem(GUIDED, opened ? "yes" : "no");
  } catch { /* it opens again on the next first sheet */ }
  showAll();
  (opened ? $("guide") : $("prompt")).focus({ preventScroll: true });
}

/** What a bot would still order in the phase, beside the orders that stand. */
function ordersOfBot(phase) {
  const { orders } = ordersFor(phase), left = leftIn(phase).filter(({ state }) => state !== "open");
  const isAbout = (order, { subject, verbs }, verb = verbIn(order)) => has(verbs, verb) && same(subject, verbs[verb].length ? order[verbs[verb][0]] : null);
  const found = advice.sheet && same(advice.sheet, sheet) ? advice.orders[phase] : data.proposal?.[phase];
  return (found ?? []).filter((order) => !orders.some((each) => same(each, order)) && !left.some((thing) => isAbout(order, thing)));
}

/** What the program advises, and for which sheet: it has the bot go on after the orders that stand. */
let advice = {};

/** The button that opens the guide, where the phase has one. */
const guideButton = () => (data.guide[now.phase] && !isGuiding() ? chip(say("tap-guide"), "guide", () => guide(true), { kind: "chip quiet" }) : "");

function showGuide() {
  const found = data.guide[now.phase], opened = Boolean(found) && isGuiding() && !now.making && !now.chosen;
  const changes = $("guide").hidden === opened;
  $("guide").hidden = !opened;
  if (changes) leaveRoom();
  if (!opened) return;
  $("guide").replaceChildren(
    h("div", { class: "head-of" }, h("h3", {}, say("tap-for")), chip(say("tap-no-guide"), "no-guide", () => guide(false), { kind: "chip quiet" })),
    h("p", {}, found.for, " ", rulesChip()),
    h("div", { class: "tries" }, ...(found.try ?? []).map(aTry)),
    ...goodOrder(found.why ?? {}),
  );
}

/** A thing to try: its first words, and all of it once they are tapped. */
function aTry(text) {
  const [, head, rest] = /^\*\*(.*?)\*\*(.*)$/.exec(text) ?? [, text, ""];
  return h("details", { name: "tries" }, h("summary", { class: "chip", "data-key": `try-${head}` }, head), h("p", {}, ...starred(`**${head}**${rest}`)));
}

/** The good order that the guide shows; undefined while the guide is closed, or has none. */
function goodOrderNow() {
  const orders = $("guide").hidden ? [] : ordersOfBot(now.phase);
  return orders[shownOrder % orders.length];
}

/** Draws it on the map, and brings its thing into sight. */
function showGood() {
  drawOwn();
  const order = goodOrderNow(), point = order && pointOf(endsAt(now.phase, order));
  if (point) bringIn(...point);
}

/** One order as a bot would give it, and why, to be taken or changed. */
function* goodOrder(why) {
  const orders = ordersOfBot(now.phase), order = goodOrderNow();
  if (!order) return;
  const take = () => act(() => Object.assign(ordersFor(now.phase), { orders: [...ordersFor(now.phase).orders, copied(order)], pass: false }));
  yield h("div", { class: "good-order" },
    h("h3", {}, say("tap-good"), " ", h("span", {}, say("tap-as-bot"))),
    h("p", {}, ...starred(sentenceOf(now.phase, order))),
    why[verbIn(order)] ? h("p", {}, say("tap-why", { why: why[verbIn(order)] })) : "",
    h("div", { class: "buttons" }, chip(say("tap-do-this"), "do-this", take, { kind: "chip main" }),
      orders.length > 1 ? chip(say("tap-another"), "another", () => { shownOrder += 1; showGuide(); showGood(); }) : ""));
}
