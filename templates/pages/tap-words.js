// Plain words for what stands in sheets: names, values, orders, questions. All of them come from the templates.

let called;
const patterns = () => (called ??= Object.entries(data.prompts.called ?? {}).map(([pattern, text]) => [new RegExp(`^(?:${pattern})$`), text]));

/** A thing's name as people say it. */
function nameOf(value) {
  const id = String(value);
  if (data.labels?.[id]) return data.labels[id];
  for (const [pattern, text] of patterns()) {
    const found = pattern.exec(id);
    if (found) return text.replace(/\{(\d)\}/g, (_, index) => (Number(index) ? nameOf(found[index]) : id));
  }
  if (data.names[id]) return data.names[id];
  const [, head, rest] = /^([^-]+)-(.+)$/.exec(id) ?? [];
  if (head && (data.names[head] || /^\d+$/.test(rest))) return `${nameOf(head)} ${nameOf(rest)}`;
  return id.replace(/[-_]/g, " ");
}

const capital = (text) => text.replace(/^(\**)(.)/u, (_, stars, first) => stars + first.toUpperCase());
const listed = (parts) => (parts.length < 2 ? parts.join("") : say("tap-and", { first: parts.slice(0, -1).join(", "), last: parts.at(-1) }));

/** A number with the mark of the language between its thousands. (`toLocaleString` does that too, and takes longer the first time than all else.) */
const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, say("tap-thousands"));

/** A value as people say it. */
function worded(value, isWay = false) {
  if (isList(value)) {
    if (!isWay) return listed(value.map((each) => worded(each)));
    const way = value.map(nameOf);
    return way.length < 2 ? way.join("") : say("tap-way", { to: way.at(-1), by: listed(way.slice(0, -1)) });
  }
  if (isMapping(value)) {
    return listed(Object.entries(value).filter(([, each]) => each !== 0).map(([name, each]) =>
      typeof each === "number" ? `${grouped(each)} ${counted(name, each)}` : typeof each === "string" ? `${nameOf(name)} ${nameOf(each)}` : worded(each)));
  }
  if (typeof value === "boolean") return say(value ? "true" : "false");
  return typeof value === "number" ? grouped(value) : nameOf(value);
}

/** The facts of a condition in words, in their order. */
function factsIn(value) {
  if (isList(value)) return value.map(factsIn).join(say("tap-or"));
  if (!isMapping(value)) return worded(value);
  return Object.entries(value).map(([name, each]) => (name === "any" ? factsIn(each) : `${nameOf(name)} ${factsIn(each)}`)).join(", ");
}

/** The name of what is counted, one or many. */
const counted = (name, count) => (isOne(count) ? data.prompts.one?.[name] : data.prompts.many?.[name]) ?? nameOf(name);

/** The text of a part for a verb, or for a field of it: of that phase, else of any. */
const promptOf = (part, phase, key) => data.prompts[part]?.[`${phase}.${key}`] ?? data.prompts[part]?.[key];

/** A text with its blanks filled in: `[…]` is left out where a blank in it is empty; `{n|one|many}` says what is counted. */
function filledIn(text, values, wayFields = new Set()) {
  const blank = (_, name, one, many) => {
    const value = values[name.replace("@", "")];
    if (value === undefined) return "";
    if (name.endsWith("@")) return nameOf(spots.get(String(value))?.at ?? "");
    return one === undefined ? worded(value, wayFields.has(name)) : `${worded(value)} ${isOne(value) ? one : many}`;
  };
  const pattern = /\{([\w-]+@?)(?:\|([^|}]*)\|([^}]*))?\}/g;
  return text
    .replace(/\[([^[\]]*)\]/g, (_, part) => ([...part.matchAll(pattern)].every(([, name]) => values[name.replace("@", "")] !== undefined && !same(values[name.replace("@", "")], [])) ? part : ""))
    .replace(pattern, blank);
}

/** What a verb does, on a button. */
function labelOf(phase, verb) {
  const own = promptOf("verbs", phase, verb);
  return own ?? purposeOf(phase, verb).split(/[:;,.(]/)[0].replaceAll("`", "").trim() ?? verb;
}

/** What a verb costs, or one of its values or fields; empty if that isn't told. */
function priceOf(phase, verb, { value, field } = {}) {
  const count = data.prices?.[phase]?.[verb]?.[value ?? field ?? ""];
  const text = count === undefined ? undefined : (field && promptOf("prices", phase, `${verb}.${field}`)) || promptOf("prices", phase, verb);
  return text ? filledIn(text, { count }) : "";
}

/** The fields of a verb that hold ways. */
const wayFields = (phase, verb) => once(`ways ${phase} ${verb}`, () => {
  const found = new Set(["via"]);
  for (const number of nodesFrom(knownIn(phase).verbs[verb] ?? END)) if (data.nodes[number].from !== undefined) found.add(data.nodes[number].field);
  return found;
});

/** An order as a sentence: its template's, else what it does and its values. */
function sentenceOf(phase, order, verb = verbIn(order)) {
  const text = promptOf("orders", phase, verb), ways = wayFields(phase, verb);
  if (text) return capital(filledIn(text, order, ways).replace(/\s+/g, " ").trim());
  const held = ["if", "else"], parts = Object.entries(order).filter(([name]) => !held.includes(name)).map(([name, value]) => worded(value, ways.has(name)));
  return say("tap-of", { of: labelOf(phase, verb), text: parts.filter(Boolean).join(", ") });
}

/** A text in which what stands between two pairs of stars is bold. */
const starred = (text) => text.split("**").map((part, index) => (index % 2 ? h("b", {}, part) : part));
const plainOf = (text) => text.replaceAll("**", "");

/** What is asked for a field. */
function questionOf({ phase, verb, values }, name) {
  const text = promptOf("asks", phase, `${verb}.${name}`) ?? promptOf("asks", phase, name);
  if (text) return capital(filledIn(text, values).trim());
  if (seen.targets.size && isWayAsked()) return say("tap-where", { name: capital(nameOf(subjectOf(now.making) ?? "")) });
  const hint = hintOf(verbsOf(phase)[verb].properties[name] ?? {}, name);
  return say("tap-asks", { of: labelOf(phase, verb), text: (hint || name).split(/[;:(]/)[0].replaceAll("`", "").trim() });
}

/** A field's name beside its control. */
function fieldLabel(phase, verb, name) {
  const text = promptOf("fields", phase, `${verb}.${name}`) ?? promptOf("fields", phase, name);
  if (text) return text;
  const hint = hintOf(verbsOf(phase)[verb].properties[name] ?? {}, name);
  return (hint || name).split(/[;:(,.]/)[0].replaceAll("`", "").trim();
}
