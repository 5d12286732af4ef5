// Controls for thumbs: chips for names, steppers for numbers, two buttons for yes and no, lists that are tapped in order.
// Each is made again from its value after a change. `set` is called with the new value, undefined for none.

/** A button with a key, by which it keeps the focus when everything is drawn again. */
function chip(content, key, onclick, { pressed, label, kind = "chip", disabled = false, used = "", price = "" } = {}) {
  const made = h("button", { type: "button", class: used ? `${kind} used` : kind, title: used || undefined, "data-key": key, "aria-label": label, "aria-pressed": pressed === undefined ? undefined : String(pressed), disabled, onclick });
  made.append(...[content].flat(), ...(used || price ? [h("small", {}, used || price)] : []));
  return made;
}

/** The sign of a good, a card or a resource, where the map has one. */
function signOf(id) {
  if (!document.getElementById(`sign-${id}`)) return [];
  const svg = s("svg", { class: "sign", viewBox: "0 0 16 16", "aria-hidden": "true" }, s("use", { href: `#sign-${id}` }));
  return [svg];
}
/** By each word for a thing that has a sign: its name in sheets. */
const signedWords = () => once("signs", () => new Map([...document.querySelectorAll("[id^=sign-]")].map(({ id }) => id.slice(5)).flatMap((id) => [counted(id, 2), counted(id, 1), nameOf(id)].map((word) => [word.toLowerCase(), id]))));

/** A text with signs before the words that have one. */
function signed(text) {
  const words = signedWords(), longest = [...words.keys()].sort((one, other) => other.length - one.length);
  return words.size ? text.split(new RegExp(`(?<!\\p{L})(${longest.join("|")})(?!\\p{L})`, "iu")).flatMap((part) => [...signOf(words.get(part.toLowerCase())), part]) : [text];
}

const named = (value) => [...signOf(String(value).replace(/-\d+$/, "")), capital(nameOf(value))];

/** The control for a schema. `at` has its key, its label, and what the order names already. */
function picker(schema, value, set, at) {
  const kinds = kindsOf(schema).filter(({ kind }) => kind !== "orders");
  const of = (wanted) => kinds.find(({ kind }) => kind === wanted);
  const words = of("word"), mapping = of("mapping"), list = of("list");
  const places = mapping && list ? Object.keys(mapping.known).filter((name) => at.names?.has(name)) : [];
  const rest = places.length ? { ...mapping, only: places } : of("number") ?? list ?? (words?.values.length || words?.others.length ? undefined : mapping) ?? of("flag");
  const parts = [];
  if (words) parts.push(wordChips(words, typeof value === "string" ? value : undefined, set, at));
  if (rest) parts.push(PICKERS[rest.kind](rest, kindOfValue(value) === rest.kind ? value : undefined, set, at));
  return h("div", { class: "picker", role: "group", "aria-label": at.label }, ...parts);
}

const PICKERS = { number: stepper, flag: yesOrNo, list: tappedList, mapping: partsOf, word: wordChips };
const FEW = 16;

function wordChips({ values, others }, value, set, at) {
  const made = (word) => chip(named(word), `${at.key}=${word}`, () => set(word === value ? undefined : word), { pressed: word === value });
  const first = values.length ? values : others.length <= FEW ? others : [], rest = first === others ? [] : others;
  const shownRest = rest.length ? [h("details", { class: "later-chips", open: rest.includes(value) }, h("summary", {}, say("perhaps-later")), h("div", { class: "chips" }, ...rest.map(made)))] : [];
  return h("div", {}, h("div", { class: "chips" }, ...first.map(made)), ...shownRest);
}

function stepper({ least, most, lowest, step, only }, value, set, at) {
  if (only && only.length <= FEW) return h("div", { class: "chips" }, ...only.map((each) => chip(nameOfNumber(each), `${at.key}=${each}`, () => set(each === value ? undefined : each), { pressed: each === value })));
  const first = least ?? lowest ?? 0, shown = value ?? 0, gone = at.part ? undefined : value;
  const up = value === undefined ? Math.max(first, step) : value + step, down = value === undefined ? undefined : value - step;
  const put = (next) => { if (next === undefined || (at.part && next === 0)) set(gone); else if (!Number.isNaN(next)) set(next); };
  const input = h("input", { type: "text", inputmode: "numeric", "aria-label": at.label, "data-key": `${at.key}#`, size: String(String(most ?? 99).length + 1), onchange: (event) => put(event.target.value.trim() === "" ? undefined : Math.round(Number(event.target.value))) });
  input.value = value === undefined && at.part ? "0" : String(shown);
  const end = most !== undefined && most !== first && shown !== most ? chip(say("tap-all", { most }), `${at.key}*`, () => set(most), { kind: "chip quiet", label: `${at.label}: ${say("tap-all", { most })}` }) : "";
  return h("div", { class: "stepper" },
    chip("−", `${at.key}-`, () => put(down < first && at.part ? undefined : down), { kind: "step", label: say("tap-less", { name: at.label }), disabled: value === undefined || (!at.part && down < first) || (at.part && value <= first && first < 0) }),
    input,
    chip("+", `${at.key}+`, () => put(up === 0 ? step : up), { kind: "step", label: say("tap-more", { name: at.label }), disabled: most !== undefined && up > most }), end);
}

const nameOfNumber = (value) => (spots.has(String(value)) ? capital(nameOf(value)) : String(value));

function yesOrNo({ only }, value, set, at) {
  return h("div", { class: "chips two" }, ...only.map((each) => chip(capital(say(each ? "true" : "false")), `${at.key}=${each}`, () => set(each), { pressed: each === value })));
}

/** A list of names, tapped in its order; a list of parts, one below the other. */
function tappedList(kind, value = [], set, at) {
  const words = kindsOf(kind.items).find((each) => each.kind === "word" || (each.kind === "number" && each.only));
  const put = (items) => set(items.length || at.keepEmpty ? items : undefined);
  if (!words) return listOfParts(kind, value, put, at);
  const names = words.only ?? (words.values.length ? words.values : words.others), once = kind.once ?? at.once;
  const toggled = (name) => (once && value.includes(name) ? value.filter((each) => each !== name) : [...value, name]);
  const isFull = (name) => value.length >= kind.most && !(once && value.includes(name));
  const chips = names.map((name) => {
    const places = value.flatMap((each, index) => (each === name ? [index + 1] : []));
    const badge = places.length ? [h("span", { class: "badge" }, places.length > 1 && !once ? `×${places.length}` : String(places[0]))] : [];
    return chip([...badge, ...(typeof name === "number" ? [nameOfNumber(name)] : faced(name))], `${at.key}=${name}`, () => (isFull(name) ? sayNo(say("too-long", { most: kind.most })) : put(toggled(name))), { pressed: places.length > 0, label: titleOn(drawnIn("hand", name)[0]) });
  });
  const clear = value.length ? [chip(say("tap-clear"), `${at.key}/clear`, () => put([]), { kind: "chip quiet", label: `${at.label}: ${say("tap-clear")}` })] : [];
  const last = (at.last ?? []).filter((each) => !faults(each, kind.items).length).slice(0, kind.most);
  const again = last.length && !same(last, value) ? [chip(say("tap-last"), `${at.key}/last`, () => put(last), { kind: "chip quiet", label: `${at.label}: ${say("tap-last")}, ${worded(last)}` })] : [];
  const rest = names.filter((name) => !value.includes(name)), restWords = data.prompts.rest?.[at.verb];
  const others = restWords && value.length && rest.length > 1 ? [chip(restWords, `${at.key}/rest`, () => put([...value, ...rest]), { kind: "chip quiet", label: `${at.label}: ${restWords}, ${worded(rest)}` })] : [];
  const odd = value.filter((each) => !names.includes(each));
  const said = !once && value.length > 1 || odd.length ? h("p", { class: "hint" }, worded(value)) : "";
  return h("div", {}, h("div", { class: "chips cards-of" }, ...again, ...chips, ...others, ...clear), said);
}

function listOfParts(kind, value, put, at) {
  const items = value.length ? value : [undefined];
  const rows = items.map((item, index) => h("div", { class: "part-of-list" },
    picker(kind.items, item, (next) => put(next === undefined ? value.filter((_, each) => each !== index) : Object.assign([...value], { [index]: next })), { ...at, key: `${at.key}.${index}`, label: `${at.label} ${index + 1}` })));
  const more = value.length && value.length < kind.most ? [chip(say("tap-another-part"), `${at.key}/more`, () => put([...value, {}]), { kind: "chip quiet", label: `${at.label}: ${say("tap-another-part")}` })] : [];
  return h("div", {}, ...rows, ...more);
}

/** The parts of a mapping that have a choice now, each with its name. If there are many, only those that the order names already. */
function partsOf({ known, only, required, laidOut }, value = {}, set, at) {
  const every = Object.keys(known).filter((name) => !laidOut.length || laidOut.includes(name)), names = only ?? (every.length > FEW ? every.filter((name) => at.names?.has(name) || has(value, name)) : every);
  const put = (name, next) => {
    const all = { ...value };
    if (next === undefined) delete all[name];
    else all[name] = next;
    set(Object.keys(all).length || at.keepEmpty ? all : undefined);
  };
  if (names.length > 1 && names.every((name) => kindsOf(known[name])[0].kind === "number" && (kindsOf(known[name])[0].step ?? 1) === 1)) return countedChips(known, names, value, put, set, at);
  return h("div", { class: "parts-of" }, ...[...new Set([...names, ...Object.keys(value)])].map((name) => {
    const label = labelOfPart(name, at);
    return h("div", { class: "part-of" }, h("span", { class: "label" }, ...signOf(name), capital(label)),
      picker(known[name] ?? {}, value[name], (next) => put(name, next), { ...at, key: `${at.key}.${name}`, label, part: !required.includes(name) }));
  }));
}

const labelOfPart = (name, at) => promptOf("parts", at.verb, name) ?? data.prompts.many?.[name] ?? nameOf(name);

/** Many things to count: each tap adds one. */
function countedChips(known, names, value, put, set, at) {
  const chips = names.map((name) => {
    const { least, most } = kindsOf(known[name])[0], count = value[name] ?? 0, badge = count ? [h("span", { class: "badge" }, String(count))] : [];
    return chip([...badge, ...named(name)], `${at.key}.${name}+`, () => put(name, Math.max(least ?? 0, count + 1)), { pressed: count > 0, disabled: most !== undefined && count >= most, label: count ? `${count} ${counted(name, count)}` : undefined });
  });
  const clear = Object.keys(value).length ? [chip(say("tap-clear"), `${at.key}/clear`, () => set(at.keepEmpty ? {} : undefined), { kind: "chip quiet", label: `${at.label}: ${say("tap-clear")}` })] : [];
  return h("div", { class: "chips cards-of" }, ...chips, ...clear);
}
