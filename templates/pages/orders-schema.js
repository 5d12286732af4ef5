// Schemas: which kinds of value a schema admits, and what is wrong with a value. All of them were made by the program.

/** A text of the page, with its blanks filled in; of a `count` of one, in the singular if the text has one. */
function say(key, facts = {}) {
  const one = facts.count === 1 ? data.texts[`${key}-one`] : undefined;
  return (one ?? data.texts[key] ?? key).replace(/\{(\w+)\}/g, (blank, name) => facts[name] ?? blank);
}

/** Has the language the singular before a number? */
const isOne = (count) => say("tap-single").split(" ").includes(String(count));

const has = (thing, key) => Object.prototype.hasOwnProperty.call(thing, key);
const isList = Array.isArray;
const isMapping = (value) => typeof value === "object" && value !== null && !isList(value);
/** A mapping without inherited names: a player may call something `constructor`. */
const bare = (_, value) => (isMapping(value) ? Object.assign(Object.create(null), value) : value);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const copied = (value) => JSON.parse(JSON.stringify(value));

/** The page's data and schema, as the page holds them. */
function dataFrom(text, schema) {
  const data = unfolded(JSON.parse(text, bare));
  data.schema = unfolded(JSON.parse(schema, bare));
  const { definitions, properties } = data.schema, standing = properties?.standing?.properties ?? {};
  for (const [key, names] of Object.entries(data.needed ?? {})) standing[key] = { ...standing[key], items: { ...standing[key].items, required: names } };
  for (const [name, always] of Object.entries(data.always ?? {})) definitions[name] = { ...definitions[name], always };
  return data;
}

/** A value whose repeated parts were written once: {"=": 3} stands for the fourth of them. */
function unfolded({ parts, whole }) {
  const made = [];
  const within = (value) => {
    if (isList(value)) return value.map(within);
    if (!isMapping(value)) return value;
    if (has(value, "=")) return made[value["="]];
    for (const [key, each] of Object.entries(value)) value[key] = within(each);
    return value;
  };
  for (const part of parts) made.push(within(part));
  return within(whole);
}

/** The name of the definition that a schema points to; empty if it points to none. */
const pointed = (schema) => (schema?.$ref ?? "").replace("#/definitions/", "");

/** The schema itself, or the definition that it points to. */
function followed(schema) {
  return schema?.$ref ? data.schema.definitions[pointed(schema)] : schema;
}

/** The definition of each verb that an order of a kind may begin with. */
function verbsOf(kind) {
  const found = Object.create(null);
  for (const branch of data.schema.definitions[kind]?.allOf ?? []) {
    if (branch.then) found[branch.if.required[0]] = followed(branch.then);
  }
  return found;
}

/** The kind of orders that a list of orders holds; empty for every other schema. */
function kindOfOrders(schema) {
  const kind = schema?.type === "array" || isList(schema?.type) ? pointed(schema.items) : "";
  return kind && data.schema.definitions[kind].allOf ? kind : "";
}

/**
 * The schemas of an `anyOf`, also of one within another, as one list: what is possible now comes before the type.
 *
 * For what can be written in several forms, only the plain one.
 */
function branches(schema) {
  const here = followed(schema);
  return here.anyOf ? here.anyOf.filter((each) => isMapping(each) && !each.otherForm).flatMap(branches) : [here];
}

/** The other forms in which a value can be written: `{most: 3}`, a list in order of preference. */
const otherForms = (schema) =>
  (followed(schema)?.anyOf ?? []).filter(isMapping).flatMap((each) => (each.otherForm ? [each] : otherForms(each)));

/** Is a value written in another form than the plain one? */
const inOtherForm = (value, schema) => value !== undefined && otherForms(schema).some((each) => faults(value, each).length === 0);

/** Is it a word, a number, a yes or no, a list, orders or a mapping that a branch admits? */
function kindOf(branch) {
  if (branch.enum && branch.type !== "boolean") return branch.enum.length && branch.enum.every((value) => typeof value === "number") ? "number" : "word";
  if (kindOfOrders(branch)) return "orders";
  const type = isList(branch.type) ? branch.type[0] : branch.type;
  return { string: "word", integer: "number", number: "number", boolean: "flag", array: "list" }[type] ?? "mapping";
}

const kindOfValue = (value) =>
  isList(value) ? "list" : { string: "word", number: "number", boolean: "flag" }[typeof value] ?? "mapping";

/** What a schema admits, by kind, each with what its control must know. */
const kindsOf = (schema) => kindsAmong(branches(schema));

/** The same with the other forms; those of the same kind as the plain one take its place. */
function allKindsOf(schema) {
  const others = otherForms(schema), kinds = others.map(kindOf);
  return kindsAmong([...branches(schema).filter((each) => !kinds.includes(kindOf(each))), ...others]);
}

function kindsAmong(parts) {
  const found = new Map();
  for (const branch of parts) {
    const kind = kindOf(branch);
    found.set(kind, [...(found.get(kind) ?? []), branch]);
  }
  const made = { word: words, number: numbers, flag: (parts) => ({ only: parts[0].enum ?? [true, false] }), list: lists, mapping: mappings, orders: () => ({}) };
  return [...found].map(([kind, parts]) => ({ kind, ...made[kind](parts) }));
}

/** The words to choose from, the other words of the type, and patterns for words that can't be listed. */
function words(parts) {
  const values = new Set(parts.flatMap((part) => part.enum ?? []));
  const others = new Set(), free = [];
  for (const part of parts.filter((part) => !part.enum)) {
    const listed = /^\^\(([^()[\]\\.*+?]+)\)\$$/.exec(part.pattern ?? "");
    if (listed) for (const word of part.examples ?? listed[1].split("|")) values.has(word) || others.add(word);
    else free.push(part.pattern ?? "");
  }
  return { values: [...values], others: [...others], free };
}

/** The limits now, and those of the type. */
function numbers(parts) {
  const limits = parts.map((part) =>
    part.enum ? { minimum: Math.min(...part.enum), maximum: Math.max(...part.enum) } : part);
  const [now, type] = [limits[0], limits[limits.length - 1]];
  return { least: now.minimum, most: now.maximum, lowest: type.minimum, step: type.multipleOf ?? 1, only: parts[0].enum };
}

function lists(parts) {
  const items = parts.flatMap((part) => part.items ?? []);
  return {
    items: items.length > 1 ? { anyOf: items } : items[0] ?? {},
    least: parts[0].minItems ?? 0,
    most: parts[0].maxItems ?? Infinity,
    way: parts.find((part) => part.way)?.way,
  };
}

/** The names that are known, each with its schema, and the patterns of others. */
function mappings(parts) {
  const known = Object.create(null), patterns = [];
  for (const part of parts) {
    for (const [name, schema] of Object.entries(part.properties ?? {})) (known[name] ??= []).push(schema);
    patterns.push(...Object.entries(part.patternProperties ?? {}));
  }
  for (const [name, schemas] of Object.entries(known)) {
    const types = patterns.filter(([pattern]) => new RegExp(pattern).test(name)).map(([, schema]) => schema);
    const all = [...schemas, ...types].filter((schema, index, every) => every.findIndex((other) => same(other, schema)) === index);
    known[name] = all.length > 1 ? { anyOf: all } : all[0];
  }
  const now = parts.slice(0, Math.max(1, parts.length - 1));  // the last one is the type
  const laidOut = parts[0].patternProperties ? [] : [...new Set(now.flatMap((part) => Object.keys(part.properties ?? {})))];
  return { known, patterns, laidOut, required: parts[parts.length - 1].required ?? [] };
}

// -- what is wrong ---------------------------------------------------------------------------------------------------

/** The faults that the schema finds in a value, each with the path to its place. */
function faults(value, schema, path = []) {
  schema = followed(schema);
  if (schema === true || schema === undefined) return [];
  const wrong = (key, facts) => [{ path, text: say(key, facts) }];
  const found = [];
  if (schema.anyOf && !schema.properties) {
    const tried = schema.anyOf.map((each) => faults(value, each, path));
    if (tried.some((each) => each.length === 0)) return [];
    const fitting = schema.anyOf.map((each) => each !== true && kindsOf(each).some(({ kind }) => kind === kindOfValue(value)));
    return tried.find((_, index) => fitting[index] && index === fitting.lastIndexOf(true)) ?? wrong("kind");
  }
  const types = [schema.type ?? []].flat();
  if (types.length && !types.some((type) => isOf(value, type))) return wrong("kind");
  if (schema.enum && !schema.enum.includes(value)) return wrong("not-listed", { value });
  if (typeof value === "string" && schema.pattern && !new RegExp(schema.pattern).test(value)) return wrong("not-listed", { value });
  if (typeof value === "number") {
    if (value < schema.minimum) return wrong("too-low", { least: schema.minimum });
    if (value > schema.maximum) return wrong("too-high", { most: schema.maximum });
    if (schema.multipleOf && value % schema.multipleOf) return wrong("no-multiple", { step: schema.multipleOf });
  }
  if (isList(value)) {
    if (value.length > schema.maxItems) return wrong("too-long", { most: schema.maxItems });
    if (value.length < schema.minItems) return wrong("too-short", { least: schema.minItems });
    const twice = schema.uniqueItems ? value.find((item, index) => value.findIndex((other) => same(other, item)) < index) : undefined;
    if (twice !== undefined) return wrong("twice", { value: inBrackets(twice, 30) });
    if (schema.items) value.forEach((item, index) => found.push(...faultsOfItem(item, schema.items, [...path, index])));
  }
  if (isMapping(value)) found.push(...faultsOfMapping(value, schema, path));
  return found;
}

const isOf = (value, type) =>
  ({ integer: Number.isInteger(value), object: isMapping(value), array: isList(value), null: value === null })[type] ?? typeof value === type;

/** The faults of an entry in a list: of an order by the schema of its verb, else by the schema of the entries. */
function faultsOfItem(item, schema, path) {
  const kind = kindOfOrders({ type: "array", items: schema });
  if (!kind) return faults(item, schema, path);
  const verbs = verbsOf(kind), verb = verbIn(item);
  if (!has(verbs, verb)) return [{ path, text: say("no-order") }];
  return faults(item, verbs[verb], path);
}

function faultsOfMapping(value, schema, path) {
  const found = [];
  const total = Object.values(value).reduce((sum, count) => sum + (Number(count) || 0), 0);
  if (total < schema.total) found.push({ path, text: say("too-few", { least: schema.total }) });
  for (const name of schema.required ?? []) {
    if (!has(value, name)) found.push({ path: [...path, name], text: say("missing", { name }) });
  }
  for (const [name, inner] of Object.entries(value)) {
    const patterns = Object.entries(schema.patternProperties ?? {}).filter(([pattern]) => new RegExp(pattern).test(name));
    const known = has(schema.properties ?? {}, name) ? [schema.properties[name]] : patterns.map(([, each]) => each);
    if (!known.length && schema.additionalProperties === false) found.push({ path: [...path, name], text: say("unknown", { name }) });
    for (const each of known) {
      found.push(...(kindOfOrders(each) && isList(inner)
        ? inner.flatMap((item, index) => faultsOfItem(item, each.items, [...path, name, index]))
        : faults(inner, each, [...path, name])));
    }
  }
  return found;
}

/** An order's first key. */
const verbIn = (order) => (isMapping(order) ? Object.keys(order)[0] ?? "" : "");
