// A tap on what is no answer now: what it is, why it can't be chosen, and the rule behind. All of it is said by the map
// and by the program.

/** The thing whose sheet is open, and why it can't be chosen. */
let learned;

function learn(name) {
  learned = { name, ...whyNot(name) };
  showLearned();
  askWhyNot(name).catch(() => {});  // what the page knows stands already
}

/** A tap where nothing is. */
const learnNothing = () => sayNo(say("tap-nothing-there"));

/** Says why a tap changes nothing. */
function sayNo(text) {
  $("help").textContent = text;
  announce(text);
}

function forget() {
  if (!learned) return;
  learned = undefined;
  showLearned();
}

/** A thing's name as sheets have it: some pieces are called by numbers. */
const valueOf = (name) => (/^\d+$/.test(name) ? Number(name) : name);

/** The place of a thing: where a piece lies, else the thing itself. */
const placeOf = (name) => spots.get(name)?.at ?? name;

/** Why a thing is no answer to the open question, or can't be ordered about; with the rule, where one says so. */
function whyNot(name) {
  const { asked } = seen, { making, phase } = now;
  if (!making || !asked) {
    const [rule, words] = data.whyNot[phase]?.find(([, , names]) => names.includes(name)) ?? [];
    return { rule, words: words ? capital(filledIn(words, { value: valueOf(name) })) : say("tap-no-order", { phase: titleOf(phase) }) };
  }
  return { rule: data.rules.by[making.verb]?.[asked.name], words: isWayAsked() ? whyNoWay(placeOf(name), asked) : say("tap-no-answer") };
}

function whyNoWay(place, { name, node }) {
  const way = wayOf(node), most = node.schema.maxItems, steps = distances(way.borders, way.from).get(place);
  if (place === (now.making.values[name]?.at(-1) ?? way.from)) return say("tap-is-there");
  if (seen.targets.has(place)) return "";
  return steps === undefined ? say("tap-no-way") : steps > most ? say("tap-too-far", { steps, most }) : say("not-now-alone");
}

/** Asks the program, where it answers the page, what it would say of the tapped answer. */
async function askWhyNot(name) {
  const judge = window.adjudicator?.engine, { making } = now, { asked } = seen;
  if (!judge || !making || !asked || making.under !== undefined) return;
  const way = isWayAsked() && wayOf(asked.node), value = way ? shortestWay({ ...way, legal: undefined }, way.from, placeOf(name), Infinity) : valueOf(name);
  const tried = withoutOpen(copied(sheet)), { orders } = making.phase === data.kind ? tried.orders : tried.later[making.phase];
  orders.push({ [making.verb]: undefined, ...making.values, [asked.name]: value });
  const answer = await judge.look(tried, sheetOf(tried)), found = answer.orders.filter(({ at }) => at.at(-1) === orders.length - 1).at(-1)?.problems[0];
  if (found && learned?.name === name) showLearned(Object.assign(learned, { words: capital(inNames(found.words)), rule: found.rule }));
}

/** The seats that a text names, with the people who play them. */
const playersIn = (text) => Object.entries(data.people).filter(([player]) => text.includes(nameOf(player)));

/** The way to the rules, where the program has them; at a rule if one is named. */
const rulesChip = (rule) => (window.adjudicator?.rules ? chip(say("tap-rules"), `rules-${rule ?? ""}`, () => window.adjudicator.rules(rule), { kind: "chip quiet" }) : "");

function showLearned() {
  document.body.classList.toggle("learning", Boolean(learned));
  $("learn").hidden = !learned;
  drawOwn();
  if (!learned) return;
  const { name, words, rule } = learned, { titles } = spots.get(name), place = placeOf(name), text = data.rules.text[rule];
  const beside = [place, ...[...spots.keys()].filter((each) => placeOf(each) === place)].filter((each, index, all) => each !== name && spots.has(each) && all.indexOf(each) === index);
  $("learn").replaceChildren(
    h("div", { class: "head-of" }, h("h3", {}, capital(nameOf(name))), chip("×", "learned", () => { forget(); pane.focus(); }, { kind: "pen", label: say("tap-close") })),
    words ? h("p", { class: "warn" }, words, isRule(rule) ? h("span", { class: "rule-of" }, ` ${rule}`) : "") : chip(say("tap-go-to", { name: nameOf(place) }), `to=${place}`, () => act(() => answer(place)), { kind: "chip main" }),
    ...playersIn([nameOf(name), words, ...titles].join(" ")).map(([player, person]) => h("p", { class: "facts-of" }, h("span", {}, `${capital(nameOf(player))}: ${person}`))),
    ...titles.map((title) => h("p", { class: "facts-of" }, ...title.split(/[:;] /).map((fact) => h("span", {}, fact)))),
    text ? h("details", {}, h("summary", {}, say("tap-rule", { rule })), h("p", {}, ...starred(text)), rulesChip(rule)) : "",
    beside.length ? h("div", { class: "chips" }, h("span", { class: "label" }, say("tap-beside")), ...beside.map((each) => chip(capital(nameOf(each)), `learn-${each}`, () => pickOnMap(each)))) : "",
  );
  announce([capital(nameOf(name)), words, rule].filter(Boolean).join(". "));
}
