// Dependent choices: a table of nodes says what each field may hold, and which field comes next after each choice.

const END = 0, OPEN = 1, LEANS = -1;

/** What is known of the choices in a phase of a kind: at which node each verb begins, and whether that is certain. */
const UNKNOWN = { verbs: Object.create(null), certain: false };

/**
 * The fields of an order, in the order in which its rule asks for them, up to the first that is needed and missing.
 *
 * Each has its name, its schema (what goes with the fields before it, then its type), whether it is needed, the node
 * it comes from (none: all that is known is its type), and the only value that it can have, if there is just one.
 * Where nothing is certain no value is the only one, and fields that aren't asked for as things stand may be later.
 */
function stepsOf(definition, verb, order, known) {
  const found = [], types = definition.properties;
  let at = known.verbs[verb] ?? OPEN;
  while (at > OPEN) {
    const node = data.nodes[at], name = node.field, chosen = has(order, name);
    const only = known.certain && node.skip === undefined && node.values?.length === 1 ? node.values[0] : undefined;
    found.push({ name, node: at, needed: node.skip === undefined, schema: narrowed(node, types[name]), only });
    if (!chosen && only === undefined && node.skip === undefined) return found;
    at = chosen || only !== undefined ? following(node, chosen ? order[name] : only) : node.skip;
  }
  if (at === OPEN || !known.certain) {
    for (const name of ordinary(definition)) {
      if (found.every((step) => step.name !== name)) {
        found.push({ name, node: OPEN, needed: at === OPEN && (definition.required ?? []).includes(name), schema: types[name] });
      }
    }
  }
  return found;
}

/** The node that comes after a value; after a value that nobody has tried, anything may come. */
function following(node, value) {
  if (!node.values) return node.then;
  const index = node.values.indexOf(value);
  if (index < 0) return OPEN;
  return isList(node.then) ? node.then[index] : node.then;
}

/** What a node admits now, followed by what the type admits. */
function narrowed(node, type) {
  const parts = branches(type), own = { description: type.description };
  if (node.values) return { ...own, anyOf: [{ enum: node.values }, ...parts.slice(-1), ...otherForms(type)] };
  const now = node.from === undefined ? node.schema : { ...node.schema, way: wayOf(node) };
  const kinds = new Set(branches(node.schema).map(kindOf));
  return { ...own, anyOf: [now, ...parts.filter((part, index) => index === parts.length - 1 || !kinds.has(kindOf(part))), ...otherForms(type)] };
}

/** Where a way begins, the map, which of the shortest ways are legal, and which ways need an order above. */
const wayOf = (node) => ({ from: node.from, borders: data.borders[node.borders], legal: node.ways, longest: node.longest, leans: (way) => leans(node, way) });

/** Is a value possible only if an order above makes it so? Some of the ways that may be, aren't. */
const leans = (node, value) => following(node, value) === LEANS && !(value.length <= node.plain && !node.leans.some((each) => same(each, value)));

/** What is wrong in an order in any position: with its type, or with what always holds of a field. */
function wrongIn(order, kind, known) {
  const found = faultsOfItem(order, { $ref: `#/definitions/${kind}` }, []);
  if (found.length) return found[0].text;
  const definition = verbsOf(kind)[verbIn(order)];
  const always = [
    ...Object.entries(definition.always ?? {}).flatMap(([name, schema]) => (has(order, name) ? faults(order[name], schema) : [])),
    ...picks(order, known).flatMap(({ node, value }) => faults(value, node.always)),
  ];
  const inner = holders(definition).flatMap(([name, innerKind]) => (order[name] ?? []).map((each) => wrongIn(each, innerKind, innerKind === kind ? known : UNKNOWN)));
  return always[0]?.text ?? inner.find(Boolean) ?? "";
}

/** The first field of an order that isn't possible now; empty if all are, as far as that was tried. */
function doubtfulIn(order, known) {
  const verb = verbIn(order);
  if (!has(known.verbs, verb)) return known.certain ? verb : "";
  const types = verbsOf(known.kind)[verb].properties;
  const found = picks(order, known).find(({ node, value }) => !isPossible(node, value) && !inOtherForm(value, types[node.field]));
  return found ? found.node.field : "";
}

/** The nodes that an order passes, each with the order's value there. */
function picks(order, known) {
  const found = [];
  let at = known.verbs[verbIn(order)] ?? OPEN;
  while (at > OPEN) {
    const node = data.nodes[at], chosen = has(order, node.field);
    if (chosen || node.skip === undefined) found.push({ node, value: order[node.field] });
    if (!chosen && node.skip === undefined) return found;
    at = chosen ? following(node, order[node.field]) : node.skip;
  }
  return found;
}

/** Does a node admit a value? If a needed one is left out, the type says so. */
function isPossible(node, value) {
  if (value === undefined) return false;
  if (node.values) return node.values.includes(value);
  if (!node.spare && faults(value, node.schema).length) return false;
  return node.from === undefined || isLegal(wayOf(node), value);
}

/** The fields that a form shows by themselves: not those that hold orders, nor `if`. */
function ordinary(definition) {
  return Object.keys(definition.properties).filter((name) => name !== "if" && !kindOfOrders(definition.properties[name]));
}

/** The fields of an order that hold orders, and of which kind. */
function holders(definition) {
  return Object.entries(definition.properties)
    .map(([name, schema]) => [name, kindOfOrders(schema)])
    .filter(([, kind]) => kind);
}
