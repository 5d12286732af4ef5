// Dependent choices: a table of nodes says what each field may hold, and which field comes next after each choice.

const END = 0, OPEN = 1;

/**
 * The fields of an order, in the order in which its rule asks for them, up to the first that is needed and missing.
 *
 * Each has its name, its schema (what goes with the fields before it, then its type), whether it is needed, the node
 * it comes from (none: all that is known is its type), and the only value that it can have, if there is just one.
 */
function stepsOf(definition, verb, order) {
  const found = [], types = definition.properties;
  const now = definition === data.schema.definitions[`${data.kind}-${verb}`];
  let at = (now && data.verbs[verb]) || OPEN;
  while (at > OPEN) {
    const node = data.nodes[at], name = node.field, chosen = has(order, name);
    const only = node.skip === undefined && node.values?.length === 1 ? node.values[0] : undefined;
    found.push({ name, node: at, needed: node.skip === undefined, schema: narrowed(node, types[name]), only });
    if (!chosen && only === undefined && node.skip === undefined) return found;
    at = chosen || only !== undefined ? following(node, chosen ? order[name] : only) : node.skip;
  }
  if (at === OPEN) {
    for (const name of ordinary(definition)) {
      if (found.every((step) => step.name !== name)) {
        found.push({ name, node: OPEN, needed: (definition.required ?? []).includes(name), schema: types[name] });
      }
    }
  }
  return found;
}

/** The node that comes after a value; a value that nobody has tried leaves it open. */
function following(node, value) {
  if (!node.values) return node.then;
  const index = node.values.indexOf(value);
  if (index < 0) return OPEN;
  return isList(node.then) ? node.then[index] : node.then;
}

/** What a node admits now, before what the type admits. */
function narrowed(node, type) {
  const parts = branches(type), own = { description: type.description };
  if (node.values) return { ...own, anyOf: [{ enum: node.values }, ...parts.slice(-1)] };
  const way = node.from === undefined ? {} : { way: { from: node.from, borders: data.borders[node.borders], legal: node.ways, longest: node.longest } };
  const now = { ...node.schema, ...way };
  const kinds = new Set(branches(node.schema).map(kindOf));
  return { ...own, anyOf: [now, ...parts.filter((part, index) => index === parts.length - 1 || !kinds.has(kindOf(part)))] };
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
