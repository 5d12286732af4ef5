// What can be ordered, subject first: read from the table of nodes, which the engine may make again after each change.

/** What is known of the choices in a phase. */
const knownIn = (phase) => (phase === NOW.kind ? NOW : aheadOf(phase));

/** The node at which the orders of a verb begin; the program knows it for the thing that is ordered about. */
const beginOf = (phase, verb) => (programIsHere() ? besideOf(phase, verb) : undefined) ?? knownIn(phase).verbs[verb];

/** The node after a value of a node; undefined if the node doesn't admit the value. */
function after(node, value) {
  if (!node.values) return isList(node.then) ? OPEN : node.then;
  const index = node.values.findIndex((each) => same(each, value));
  if (index < 0) return undefined;
  return isList(node.then) ? node.then[index] : node.then;
}

/** Is there an order from this node on in which each of the fields comes up and has its value? */
function reaches(at, values, fields, known = new Map()) {
  if (at === undefined) return false;
  if (at <= OPEN) return at === OPEN || !fields.length;
  const key = `${at} ${fields.join()}`;
  if (!known.has(key)) {
    const node = data.nodes[at], rest = fields.filter((field) => field !== node.field);
    const next = has(values, node.field) ? [after(node, values[node.field])]
      : [...(node.skip === undefined ? [] : [node.skip]), ...(isList(node.then) ? node.then : [node.then])];
    known.set(key, next.some((each) => reaches(each, values, rest, known)));
  }
  return known.get(key);
}

/**
 * The fields of an order in the making: `steps`, in the order in which its rule asks for them, up to the first that is
 * needed and missing, `open`; `values` are those given, and those that are the only possible ones.
 */
function fieldsOf({ phase, verb, values }) {
  const definition = verbsOf(phase)[verb], types = definition.properties, filled = { ...values }, steps = [];
  let at = beginOf(phase, verb) ?? OPEN;
  while (at > OPEN) {
    const node = data.nodes[at], name = node.field;
    const later = Object.keys(values).filter((field) => field !== name && has(types, field) && field !== "if" && field !== "else" && steps.every((step) => step.name !== field));
    const options = node.values?.filter((value) => reaches(after(node, value), values, later));
    const may = node.skip !== undefined && reaches(node.skip, values, later);
    if (!has(filled, name) && !may && options?.length === 1) filled[name] = options[0];
    steps.push({ name, node, options, may, schema: narrowed(node, types[name]) });
    if (has(filled, name)) at = following(node, filled[name]);
    else if (may) at = node.skip;
    else return { steps, values: filled, open: steps.at(-1) };
  }
  if (at === OPEN) {
    for (const name of ordinary(definition)) {
      if (steps.some((step) => step.name === name)) continue;
      const may = !(definition.required ?? []).includes(name);
      steps.push({ name, may, schema: types[name] });
      if (!may && !has(filled, name)) return { steps, values: filled, open: steps.at(-1) };
    }
  }
  return { steps, values: filled, open: undefined };
}

/** Can the order be complete with a field's value? */
function isWhole({ name, node, schema }, value, definition) {
  return [schema, node?.always, definition.always?.[name]].every((each) => each === undefined || !faults(value, each).length);
}

/** A node and all that come after it. */
function nodesFrom(at, found = new Set()) {
  if (at > OPEN && !found.has(at)) {
    found.add(at);
    const { then, skip } = data.nodes[at];
    for (const next of [then, skip ?? END].flat()) nodesFrom(next, found);
  }
  return found;
}

/** What depends only on the choices, worked out once. */
const keptOnce = new Map();
function once(key, make) {
  if (!keptOnce.has(key)) keptOnce.set(key, make());
  return keptOnce.get(key);
}
const choicesChanged = () => keptOnce.clear();

const namedIn = (phase, verb) => once(`named ${phase} ${verb}`, () => namedAnew(phase, verb));
const subjectsIn = (phase) => once(`subjects ${phase}`, () => subjectsAnew(phase));

/** What is left to do in a phase; the page's own engine tells only of what must be decided. */
function leftIn(phase) {
  const told = (looked.left ?? data.left).filter((thing) => thing.phase === phase);
  if (programIsHere() && looked.left) return told;
  const things = [...[...subjectsIn(phase).values()].map((verbs) => [...verbs.values()]), ...ownVerbs(phase).map((verb) => [{ verb, value: null }])];
  const free = things.filter((each) => each.some(({ verb, field, value }) => !told.some(({ verbs }) => has(verbs, verb)) && !usedBy(phase, verb, field, value)));
  return [...told, ...free.map((each) => ({ subject: each[0].value, verbs: Object.fromEntries(each.map(({ verb, field }) => [verb, [field]])), state: "free" }))];
}
const isLeft = ({ state }) => state === "open" || state === "free";

/** The fields of a verb that name things on the map, each with those that it may name; what a rulebook declares comes first. */
function namedAnew(phase, verb) {
  const at = knownIn(phase).verbs[verb], declared = aboutOf(phase, verb).subject, found = new Map();
  for (const number of nodesFrom(at)) {
    const { field, values } = data.nodes[number];
    if (declared && !declared.includes(field)) continue;
    if (!values?.length || !values.every((value) => spots.has(String(value)))) continue;
    const known = found.get(field) ?? new Set();
    for (const value of values) if (!known.has(value) && reaches(at, { [field]: value }, [field])) known.add(value);
    found.set(field, known);
  }
  const order = (declared ?? []).filter((field) => found.has(field));
  return order.length ? order.map((field) => [field, found.get(field)]) : [...found];
}

const aboutOf = (phase, verb) => data.about?.[phase]?.[verb] ?? {};

/** Does an order do nothing before more is chosen? */
const isIdle = (phase, verb, order) => Boolean(aboutOf(phase, verb).idle) && Object.keys(order).every((name) => [verb, "if", "else"].includes(name));

/** By name of a thing on the map: the verbs that it can be the subject of, each with the field that names it. */
function subjectsAnew(phase) {
  const found = new Map();
  for (const verb of Object.keys(knownIn(phase).verbs)) {
    for (const [field, values] of namedIn(phase, verb)) {
      for (const value of values) {
        const name = String(value), verbs = found.get(name) ?? new Map();
        if (!verbs.has(verb)) verbs.set(verb, { verb, field, value });
        found.set(name, verbs);
      }
    }
  }
  if (programIsHere()) addSubjects(phase, found);
  return found;
}

/** The orders that a thing can begin: those about it; else those of the player that can list it, such as a card. */
function verbsAbout(name) {
  const about = [...(subjectsIn(now.phase).get(name)?.values() ?? [])].map((each) => ({ ...each, subject: name }));
  return about.length ? about : ownVerbs(now.phase).filter((verb) => !leansWholly(now.phase, verb) || hasAbove({ phase: now.phase, verb })).flatMap((verb) => listing(verb, name).slice(0, 1));
}

/** The fields of a verb that can list a name, each with the list that has it alone. */
const listing = (verb, name) => [...nodesFrom(beginOf(now.phase, verb))].flatMap((number) => {
  const { field, schema } = data.nodes[number], value = schema && listWith(schema, name);
  return value ? [{ verb, field, value }] : [];
});

/** The list with a name alone, by itself or in the part that takes it; undefined if a field can't have it. */
function listWith({ items, properties = {} }, name) {
  if (items?.enum?.includes(name)) return [name];
  const [part] = Object.entries(properties).find(([, each]) => each.items?.enum?.includes(name)) ?? [];
  return part && { [part]: [name] };
}

/** Is every order of a verb one that needs another order above it? */
const leansWholly = (phase, verb) => once(`leans ${phase} ${verb}`, () => {
  const nodes = [...nodesFrom(beginOf(phase, verb))].map((number) => data.nodes[number]);
  const ends = nodes.flatMap(({ then, skip, plain }) => [...(plain ? [END] : []), ...[then].flat(), skip ?? LEANS]).filter((next) => next <= OPEN);
  return ends.length > 0 && ends.every((next) => next === LEANS);
});

/** The verbs of a phase whose subject is the player. */
const ownVerbs = (phase) => [...new Set([...Object.keys(knownIn(phase).verbs), ...(programIsHere() ? newVerbs(phase) : [])])].filter((verb) => !namedIn(phase, verb).length)
  .sort((one, other) => placeOfVerb(one) - placeOfVerb(other));

/** Where a verb stands among the words of the game: verbs are shown in their order. */
const placeOfVerb = (verb) => (Object.keys(data.prompts.verbs ?? {}).indexOf(verb) + 1) || Infinity;

// -- ways --------------------------------------------------------------------------------------------------------------

/** The number of steps to each place, over the board's borders. */
function distances(borders, from) {
  const found = new Map([[from, 0]]), rim = [from];
  for (const here of rim) for (const there of borders[here] ?? []) if (!found.has(there)) { found.set(there, found.get(here) + 1); rim.push(there); }
  return found;
}

/** A shortest way to a place, without its first place; if ways were tried, one of the legal ones. Empty if there is none. */
function shortestWay(way, from, to, most) {
  if (way.legal && from === way.from) {
    const tried = way.legal.filter((each) => each.at(-1) === to).sort((one, other) => way.leans(one) - way.leans(other) || one.length - other.length)[0];
    if (tried) return tried;
  }
  const away = distances(way.borders, from);
  if (!away.has(to) || away.get(to) > most || !away.get(to)) return [];
  const back = [to];
  while (away.get(back[0]) > 1) back.unshift(Object.keys(way.borders).find((each) => away.get(each) === away.get(back[0]) - 1 && way.borders[each].includes(back[0])));
  return back;
}

/** The places that a way can go to from where it stands now, or be cut back to, each with the whole way. */
function reachOf(way, places, most) {
  const here = places.at(-1) ?? way.from, found = new Map();
  for (let count = 1; count < places.length; count++) if (isLegal(way, places.slice(0, count))) found.set(places[count - 1], places.slice(0, count));
  for (const to of distances(way.borders, here).keys()) {
    const on = to === here ? [] : bent(way, places, to, most);
    if (on.length > places.length) found.set(to, on);
  }
  return found;
}

/** A way after a tap on a place: cut short there, led over it, made longer to it, or made again; the first of these that can be legal. */
function bent(way, places, to, most) {
  if (to === way.from) return [];
  if (places.includes(to)) return places.slice(0, places.indexOf(to) + 1);
  const end = places.at(-1), there = shortestWay(way, way.from, to, most), made = [];
  if (end) {
    const on = there.length ? shortestWay(way, to, end, most - there.length) : [], further = shortestWay(way, end, to, most - places.length);
    if (on.length && there.length + on.length === places.length) made.push([...there, ...on]);
    if (further.length) made.push([...places, ...further]);
    if (on.length) made.push([...there, ...on]);
  }
  return [...made, there].find((each) => each.length && isLegal(way, each)) ?? [];
}
