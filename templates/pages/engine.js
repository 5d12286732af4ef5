// The engine that comes with the page: what a sheet brings about, by the choices listed when the page was made and by
// what each verb uses up (`data.about`, `data.limits`). It knows no rule. Where it can't tell, it says so.

const engine = (() => {
  const FINE = "fine", REFUSED = "refused", UNKNOWN = "unknown";
  const ANYTHING = [-Infinity, Infinity];

  /**
   * What the page knows of a sheet: `orders`, each with its path `at`, its `state` (fine, refused, unknown) and `problems`;
   * `used`, the choices that are used up; `totals`, what there is still of what is counted; `left`, what is left to do; whether
   * it is `sure` of it all. It never changes the sheet.
   */
  function look(sheet) {
    const parts = [partOf(data.kind, ["orders"], sheet.orders.orders, NOW)];
    for (const [phase, { orders }] of Object.entries(sheet.later)) parts.push(partOf(phase, ["later", phase], orders, knownIn(phase)));
    const orders = parts.flatMap((part) => part.judged), own = parts[0].left;
    return {
      orders,
      used: parts.flatMap(usedUp),
      totals: totalsOf(own),
      left: data.left.map((thing) => leftOf(thing, parts.find(({ phase }) => phase === thing.phase))),
      sure: orders.every(({ state }) => state !== UNKNOWN) && !own.open,
    };
  }

  const aboutVerb = (phase, verb) => data.about?.[phase]?.[verb] ?? {};

  /** What is known of a phase; nothing is certain about later ones. */
  const knownIn = (phase) => ({ kind: phase, verbs: data.ahead?.[phase] ?? Object.create(null), certain: false });

  /** The orders of a phase, judged one after another, and what they leave. */
  function partOf(phase, at, orders, known) {
    const left = leftIn(phase), unordered = Boolean(data.unordered?.includes(phase));
    left.unordered = unordered;
    const judged = orders.flatMap((order, index) => judgedIn(order, [...at, index], phase, known, left));
    // If the phase carries orders out in its own order, nobody knows which of several comes too late.
    const short = ({ state, takes }) => unordered && state === FINE && takes.some((id) => left.of(id)?.low < 0);
    const settled = judged.map((each) => (short(each) ? { ...each, state: UNKNOWN } : each));
    // Nor whether a second one comes too late, if the first may come to nothing.
    const isTaken = (id) => left.of(id).most <= 0 || settled.some(({ state, takes }) => state === FINE && takes.includes(id));
    const open = ({ state, spent = [] }) => unordered && state === REFUSED && spent.length && !spent.some(isTaken);
    return { phase, known, left, judged: settled.map((each) => (open(each) ? { ...each, state: UNKNOWN } : each)) };
  }

  // -- what is left -----------------------------------------------------------------------------------------------------

  /** What is left in a phase: of each limit at least `low` and at most `high`, as far as can be known. */
  function leftIn(phase) {
    const told = data.limits?.[phase] ?? {}, entries = new Map();
    const of = (id, once) => {
      const name = typeof told[id] === "string" ? told[id] : id;
      if (!entries.has(name)) {
        const [most, rule, words, given, shown] = told[name] ?? (once ? [1, ...once] : []);
        if (most === undefined) return undefined;
        entries.set(name, { id: name, low: most, high: most, most, rule, words, given, shown });
      }
      return entries.get(name);
    };
    for (const id of Object.keys(told)) of(id);
    return { of, entries, changed: new Set(), open: false, quiet: true };
  }

  /** What an order takes and gives: the use, the limit's name, and least and most of it; undefined if that can't be told. */
  function amounts(use, order, definition) {
    if (!use.what) return [{ use, id: "", range: ANYTHING }];
    const names = namesFor(use, order);
    if (names === undefined) return undefined;
    return names && countsOf(use, order, definition)?.map(([each, range]) => ({ use, id: names.replace("{each}", each), range, each }));
  }

  /** The name of a limit, with the order's fields filled in; empty if it has none of them, undefined if one has several values. */
  function namesFor({ what }, order) {
    let missing = false, untold = false;
    const name = what.replace(/\{([\w|]+)\}/g, (blank, fields) => {
      if (fields === "each") return blank;
      const value = fields.split("|").map((field) => order[field]).find((each) => each !== undefined);
      missing ||= value === undefined;
      untold ||= typeof value === "object";
      return value;
    });
    return missing ? "" : untold ? undefined : name;
  }

  /** How many an order takes; by name, if each name counts by itself. */
  function countsOf({ what, by, times = 1, perhaps }, order, definition) {
    const scaled = (count) => (times === null ? ANYTHING : perhaps && times < 0 ? [-Infinity, 0] : [count * times, count * times]), each = what.includes("{each}");
    if (!by) return [["", scaled(1)]];
    const [field, part] = by.split("."), whole = order[field], value = part ? whole?.[part] : whole;
    const isNumber = !part && kindsOf(definition.properties[field])[0].kind === "number";
    if (value === undefined) return each || part || !isNumber ? [] : [["", scaled(1)]];
    if (isMapping(times)) return has(times, value) ? [["", [times[value], times[value]]]] : undefined;
    if (typeof value === "number") return [["", scaled(value)]];
    if (isNumber) return [["", times < 0 ? [-Infinity, times] : [times, Infinity]]];  // in another form: at least one
    const entries = isList(value) ? value.map((name) => [name, 1]) : isMapping(value) ? Object.entries(value) : [[value, 1]];
    if (entries.some(([name, count]) => typeof name === "object" || typeof count !== "number")) return undefined;
    if (each) return entries.map(([name, count]) => [name, scaled(count)]);
    return [["", scaled(entries.reduce((sum, [, count]) => sum + count, 0))]];
  }

  // -- one order --------------------------------------------------------------------------------------------------------

  /** Judges an order and those in its `else`, and takes what they take. */
  function judgedIn(order, at, phase, known, left) {
    const { else: others, ...own } = order ?? {}, inElse = isList(others) ? others : [];
    const verb = verbIn(order), definition = verbsOf(phase)[verb], { uses = [], changes = [] } = aboutVerb(phase, verb);
    const wrong = wrongIn(inElse.length ? own : order, phase, known), isBad = wrong || !definition;
    const found = isBad ? [] : uses.map((use) => amounts(use, order, definition)), taken = found.filter(Boolean).flat(), untold = found.includes(undefined);
    const verdict = isBad ? { state: REFUSED, problems: [{ rule: "SCHEMA", words: wrong, field: "" }] } : judgement(order, known, left, taken, untold);
    const isTried = inElse.length > 0 && verdict.state !== FINE, isRefused = verdict.state === REFUSED;
    if (!isRefused) leave(order, taken, changes, verdict, left);
    else if (!isTried) lose(order, phase, left);
    left.open ||= isTried || (untold && !isRefused);
    const inner = isTried ? inElse.flatMap((each, index) => judgedIn(each, [...at, "else", index], phase, known, left)) : [];
    // Other things are played before a later phase: nothing about it is certain.
    return [{ at, ...verdict, state: known.certain || isBad ? verdict.state : UNKNOWN, takes: taken.map(({ id }) => id) }, ...inner];
  }

  function judgement(order, known, left, taken, untold) {
    const problems = [], spent = [];
    let state = FINE, agreed = true;
    const doubt = () => { if (state === FINE) state = UNKNOWN; };
    for (const { use, id, least, most, given } of together(taken)) {
      const entry = left.of(id, use.once), keeps = use.keeps ?? 0;
      if (!entry || (most <= 0 && !keeps) || entry.low - most >= keeps) continue;
      const short = entry.high + given - least < keeps, isPart = isList(order[use.by]) && aboutVerb(known.kind, verbIn(order)).ranks === use.by;
      if (short || Number.isFinite(entry.low)) problems.push({ rule: entry.rule, words: filled(entry, use, order, known, left), field: fieldOf(use, order) });
      if (short && !use.perhaps && !isPart && !left.open && (use.once || !left.unordered)) { state = REFUSED; spent.push(id); }
      else doubt();
      agreed &&= !(short && (use.perhaps || isPart));
    }
    if (taken.some((each) => isOpen(each) && isTouched(left.of(each.id)))) doubt();
    if (state === REFUSED) return { state, problems, agreed, spent };
    const { field, sure } = listed(order, known, left), isChanged = known === NOW && data.changed?.includes(verbIn(order));
    if (isChanged) doubt();
    if (field && !isChanged && state === FINE && known.certain && left.quiet && data.alone) return { state: REFUSED, problems: [{ rule: "SHEET", words: say("not-now-alone"), field }], agreed };
    if (field || !sure || untold || left.open || order.if || namesIn(order, known).some((name) => left.changed.has(name))) doubt();
    return { state, problems, agreed };
  }

  /** Does nobody know how much of a limit an order takes or gives? */
  const isOpen = ({ range: [least, most] }) => least === -Infinity && most === Infinity;

  /** May an order above have taken something of a limit? */
  const isTouched = (entry) => Boolean(entry) && entry.low < entry.most;

  /** What an order takes of each limit in all, and what it gives, which it may not be able to take itself. */
  function together(taken) {
    const found = new Map();
    for (const each of taken) {
      const { use, id, range: [least, most] } = each;
      if (use.ends || isOpen(each)) continue;
      const all = found.get(id) ?? { use, id, least: 0, most: 0, given: 0 };
      found.set(id, { use: least < 0 ? all.use : use, id, least: all.least + Math.max(0, least), most: all.most + Math.max(0, most), given: all.given - Math.min(0, least) });
    }
    return [...found.values()];
  }

  /** Takes what an order takes. What is uncertain may be taken or not. */
  function leave(order, taken, changes, { state, agreed }, left) {
    const sure = state === FINE;
    left.quiet = false;
    for (const { use, id, range: [least, most], each } of taken) {
      if (!use.what) left.open = true;
      const entry = left.of(id, use.once);
      if (!entry) continue;
      if (use.ends) {
        entry.low = Math.min(entry.low, 0);
        if (sure) entry.high = Math.min(entry.high, 0);
        continue;
      }
      entry.low -= agreed ? (sure ? most : Math.max(0, most)) : Infinity;
      entry.high -= agreed ? (sure ? least : Math.min(0, least)) : -Infinity;
      if (use.gone && entry.low <= 0) left.changed.add(String(use.gone === "each" ? each : order[use.gone]));
    }
    for (const field of changes) if (has(order, field)) namesUnder(order[field]).forEach((name) => left.changed.add(name));
  }

  /** Takes what an order takes even if it is refused. */
  function lose(order, phase, left) {
    for (const { what, always } of aboutVerb(phase, verbIn(order)).uses ?? []) {
      const entry = always && left.of(what);
      if (entry) [entry.low, entry.high] = [entry.low - 1, entry.high - 1];
    }
  }

  /** Is an order among the choices? `field` is the first field that isn't, or that needs an order above where there is none; `sure`: all its values were tried. */
  function listed(order, known, left) {
    const field = doubtfulIn(order, known);
    if (field) return { field, sure: false };
    const types = verbsOf(known.kind)[verbIn(order)].properties;
    let at = known.verbs[verbIn(order)] ?? OPEN, sure = true, last = "";
    while (at > OPEN) {
      const node = data.nodes[at], chosen = has(order, node.field), value = order[node.field];
      const beyond = isList(value) && value.length > node.longest, loose = node.loose && !bound(order, node.field, known), other = node.values ? ![value].flat().every((each) => node.values.includes(each)) : chosen && faults(value, node.schema).length > 0;
      if (chosen && (loose || beyond || other || inOtherForm(value, types[node.field]))) sure = false;
      const next = chosen ? following(node, value) : node.skip;
      at = chosen && next === LEANS && !leans(node, value) ? END : next;
      last = beyond ? "" : node.field;
    }
    return { field: at === LEANS && left.quiet ? last : "", sure: sure && at === END && !ordersWithin(order) };
  }

  /** Is a field limited only by what the order uses up? Then it is judged already. */
  const bound = (order, field, known) => (aboutVerb(known.kind, verbIn(order)).uses ?? []).some((use) => use.bounds && use.by === field);

  /** Does an order hold other orders, each a step of its own? */
  const ordersWithin = (order) => Object.entries(order).some(([name, value]) => name !== "else" && isList(value) && value.some(isMapping));

  /** Everything that an order names, numbers included if they are names. */
  function namesIn(order, known) {
    const numbers = Object.keys(aboutVerb(known.kind, verbIn(order)).names ?? {});
    return Object.entries(order).filter(([field]) => field !== "else" && field !== "if")
      .flatMap(([field, value]) => namesUnder(value, numbers.includes(field)));
  }

  function namesUnder(value, numbers = true) {
    if (isList(value)) return value.flatMap((each) => namesUnder(each, numbers));
    if (isMapping(value)) return Object.entries(value).flatMap(([key, each]) => [key, ...namesUnder(each, false)]);
    return typeof value === "string" || (numbers && typeof value === "number") ? [String(value)] : [];
  }

  // -- what is told -----------------------------------------------------------------------------------------------------

  /** The first field in a limit's name. */
  const fieldIn = ({ what }, order) => (what.match(/\{([\w|]+)\}/)?.[1] ?? "").split("|").find((field) => field !== "each" && has(order, field));
  const fieldOf = (use, order) => use.by?.split(".")[0] ?? fieldIn(use, order) ?? verbIn(order);

  /** Why there isn't enough, with what is left. A blank may have a noun, for one and for many: `{most:ducat|ducats}`. */
  function filled({ words, low, high, given }, use, order, known, left) {
    const field = fieldOf(use, order), value = order[field] ?? 1, shown = isMapping(value) || isList(value) ? inBrackets(value, 3) : value;
    const facts = { ...given, field, value: shown, most: Math.max(0, Number.isFinite(low) ? low : Math.min(high, 0)), possible: stillPossible(use, order, known, left).join(", ") || "–" };
    return words.replace(/\{(\w+)(?::([^{}|]+)\|([^{}]+))?\}/g, (blank, name, one, many) => {
      if (facts[name] === undefined) return blank;
      return one ? `${facts[name]} ${isOne(facts[name]) ? one : many}` : facts[name];
    });
  }

  /** The values of a use's field that are possible and not used up. */
  function stillPossible(use, order, known, left) {
    const field = fieldIn(use, order), verb = verbIn(order);
    return field ? valuesOf(verb, field, known).filter((value) => !isUsed(use, { ...order, [field]: value }, left, true)) : [];
  }

  /** Is nothing left of what an order would take? `perhaps`: may nothing be left? */
  function isUsed(use, order, left, perhaps = false) {
    const id = namesFor(use, order), entry = id && left.of(id, use.once);
    return Boolean(entry) && (perhaps ? entry.low : entry.high) < Math.max(use.keeps ?? 0, 1);
  }

  /** The verbs, and the values of fields, of which nothing is left. */
  function usedUp({ phase, known, left }) {
    return Object.keys(known.verbs).flatMap((verb) => (aboutVerb(phase, verb).uses ?? []).flatMap((use) => {
      const blanks = use.what.match(/\{[\w|]+\}/g) ?? [], takes = use.times === undefined || use.times > 0 || use.keeps;
      if (!use.what || blanks.length > 1 || use.ends || use.perhaps || !takes || blanks[0] === "{each}") return [];
      const field = (blanks[0] ?? "").slice(1, -1).split("|")[0];
      return (field ? valuesOf(verb, field, known) : [undefined]).flatMap((value) => {
        const order = { [verb]: undefined, ...(field ? { [field]: value } : {}) };
        if (!isUsed(use, order, left)) return [];
        const entry = left.of(namesFor(use, order), use.once);
        return [{ phase, verb, field, value: value ?? null, rule: entry.rule, words: filled(entry, use, order, known, left) }];
      });
    }));
  }

  const listedBefore = new Map();

  /** The values listed for a field of a verb, whatever the fields before it hold. */
  function valuesOf(verb, field, known) {
    const begin = known.verbs[verb], key = `${begin} ${field}`;
    if (!listedBefore.has(key)) listedBefore.set(key, valuesFrom(begin, field));
    return listedBefore.get(key);
  }

  function valuesFrom(begin, field) {
    const seen = new Set(), found = new Set();
    const onward = (at) => {
      if (!(at > OPEN) || seen.has(at)) return;
      seen.add(at);
      const node = data.nodes[at];
      if (node.field === field) for (const value of node.values ?? []) found.add(value);
      [node.then, node.skip].flat().forEach(onward);
    };
    onward(begin);
    return [...found];
  }

  const totalsOf = (left) => [...left.entries.values()].filter(({ shown }) => shown)
    .map(({ id, low, most, shown }) => ({ id, words: shown, left: Number.isFinite(low) ? low : null, of: most }));

  /** A thing with what decides it: the last order that takes of its limit and isn't refused; if it is counted, once it is used up. */
  function leftOf(thing, part) {
    if (!part || thing.state === "past") return thing;
    const found = Object.entries(thing.verbs).flatMap(([verb, [field]]) => (aboutVerb(part.phase, verb).uses ?? [])
      .filter(({ decide }) => decide).map((use) => ({ use, id: namesFor(use, { [field]: thing.subject }) })));
    if (!found.length) return thing;
    const by = part.judged.filter(({ state, takes }) => state !== REFUSED && found.some(({ id }) => takes.includes(id))).at(-1)?.at, [{ use, id }] = found;
    return (use.once ? by : part.left.of(id)?.low <= 0) ? { ...thing, state: "decided", by } : thing;
  }

  return { look };
})();
