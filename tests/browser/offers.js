// Every single offer of a page in the open phase, as an order: each value that a field takes by a tap or a chip, each place
// that a way can go to in one tap or two, and of numbers, lists and mappings the least and the most; before it the shortest
// way that leads to that field, after it the shortest one to a whole order. What needs another order isn't offered yet.
// What a field offers is the same after each way on the map, so other orders have the same value after other ways.

([scripts, text, schema]) => new Function("text", "schema", `${scripts}
  const NOW = { kind: data.kind, verbs: data.verbs, certain: true }, programIsHere = () => false;

  /** What a control gives at least and at most; of names each. */
  function* given(schema) {
    for (const { kind, ...of } of kindsOf(schema)) {
      if (kind === "flag") yield* of.only;
      else if (kind === "word") yield* of.values.length ? of.values : of.others;
      else if (kind === "number" && of.only) yield* of.only;
      else if (kind === "number") yield* [of.least ?? of.lowest ?? 0, of.most ?? of.least ?? 1];
      else if (kind === "list") {
        const items = [...given(of.items)], count = Math.max(1, of.least);
        yield* items.map((_, index) => Array.from({ length: count }, (_, more) => items[(index + more) % items.length]));
      } else if (kind === "mapping") {
        for (const [name, each] of Object.entries(of.known)) for (const value of given(each)) if (value) yield { [name]: value };
        for (const part of branches(schema).filter(({ required }) => required)) {
          const all = part.required.map((name) => [name, given(part.properties[name]).next().value]);
          if (all.every(([, value]) => value !== undefined)) yield Object.fromEntries(all);
        }
      }
    }
  }

  /** What a field offers, each with the node after it; isFree: is it made in a control for amounts? */
  function* offered(node) {
    if (node.values) {
      for (const value of node.values) yield { value, next: after(node, value) };
    } else if (node.from !== undefined) {
      const way = wayOf(node), most = node.schema.maxItems, known = new Set();
      const ways = [...reachOf(way, [], most).values()].filter((each) => !hides(way, each));
      for (const each of [...ways, ...ways.flatMap((each) => [...reachOf(way, each, most).values()].filter((more) => !hides(way, more)))]) {
        if (!known.has(String(each))) yield { value: each, next: node.then };
        known.add(String(each));
      }
    } else {
      for (const value of given(node.schema)) {
        if ([node.schema, node.always].every((each) => !each || !faults(value, each).length)) yield { value, next: node.then, isFree: true };
      }
    }
  }
  const hides = (way, places) => data.alone && way.leans(places);

  /** The shortest way from a node to a whole order: fields, values, and which are free; or undefined. */
  function onward(at) {
    if (at <= OPEN) return [];
    const node = data.nodes[at], left = node.skip === undefined ? undefined : onward(node.skip);
    if (left) return left;
    for (const { value, next, isFree } of offered(node)) {
      const rest = onward(next);
      if (rest) return [[node.field, value, isFree], ...rest];
    }
    return undefined;
  }

  const found = [], MOST_WAYS = 40;
  for (const verb of Object.keys(data.verbs).filter((verb) => !leansWholly(data.kind, verb))) {
    const seen = new Set();
    const walk = (at, ways) => {
      if (at <= OPEN || seen.has(at)) return;
      seen.add(at);
      const node = data.nodes[at], following = new Map();
      if (node.skip !== undefined) walk(node.skip, ways);
      for (const { value, next, isFree } of offered(node)) {
        const here = ways.map((before) => [...before, [node.field, value, isFree]]);
        const every = here.map((each) => [...each, ...onward(next) ?? [[]]]).filter((each) => each.at(-1).length);
        const orders = every.map((each) => ({ [verb]: Object.fromEntries(each)[verb], ...Object.fromEntries(each) })).filter((order) => !wrongIn(order, data.kind, NOW));
        if (orders.length) found.push({ orders, free: every[0].some(([,, isFree]) => isFree) });
        following.set(next, [...following.get(next) ?? [], ...node.from === undefined && following.has(next) ? [] : here].slice(0, MOST_WAYS));
      }
      for (const [next, here] of following) walk(next, here);
    };
    walk(data.verbs[verb], [[]]);
  }
  return found.map(({ orders: [order, ...others], free }) => ({ order, others, free, state: engine.look({ orders: { orders: [order] }, later: {} }).orders[0].state }));
`)(text, schema)
