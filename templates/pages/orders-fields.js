// Controls: one for each kind of value. A control has an element, a value (undefined: left out), a remark on what
// is unusual in it, and takes a name that was picked on the map if it can.

let count = 0;
const nextId = () => `f${++count}`;

/** An element with its properties and children; texts stay texts. */
function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

/** A text in which what stands in backquotes is code. */
const coded = (text) => text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));

/** A name with its reading form: `venezia – Venezia`. */
const shown = (name) => (data.names[name] && data.names[name] !== name ? `${name} – ${data.names[name]}` : String(name));

const button = (text, label, act, onclick) =>
  h("button", { type: "button", "data-act": act, "aria-label": label, title: label, onclick }, text);

/** The control for a schema. `at` has the id and accessible name of its first input, and `changed`, to be called. */
function control(schema, value, at) {
  const kinds = (inOtherForm(value, schema) ? allKindsOf(schema) : kindsOf(schema)).filter(({ kind }) => kind !== "orders");
  if (kinds.length === 1) return controlOf(kinds[0], value, at);
  return eitherControl(kinds, value, at);
}

const controlOf = (kind, value, at) =>
  ({ word: wordControl, number: numberControl, flag: flagControl, list: listControl, mapping: mappingControl })[kind.kind](kind, value, at);

/** The attributes that identify an input. */
const marked = (at) => ({ id: at.id, "aria-label": at.name, "aria-describedby": at.described });

function wordControl({ values, others, free }, value, at) {
  if (!values.length && !others.length) return textControl(free[0], value, at);
  const select = h("select", marked(at), h("option", { value: "" }, "–"));
  const group = (label, words) => h("optgroup", { label }, ...words.map(option));
  const option = (word) => h("option", { value: word }, shown(word));
  if (others.length && values.length) {
    select.append(group(say("now"), values), group(say("perhaps-later"), others));
  } else select.append(...[...values, ...others].map(option));
  if (free.length) select.append(h("option", { value: " " }, say("another")));
  const text = free.length ? textControl(free[0], undefined, { ...at, id: nextId(), name: say("another-of", { name: at.name }) }) : undefined;
  const element = h("span", { class: "word" }, select, text ? text.element : "");
  const show = () => { if (text) text.element.hidden = select.value !== " "; };
  const put = (word) => {
    const listed = word === undefined || values.includes(word) || others.includes(word);
    select.value = listed ? word ?? "" : " ";
    if (!listed && text) text.put(word);
    show();
  };
  select.addEventListener("change", () => { show(); at.changed(); if (select.value === " ") text.element.querySelector("input").focus(); });
  put(value);
  return {
    element,
    get value() { return select.value === " " ? text?.value : select.value === "" ? undefined : select.value; },
    get note() { return others.includes(select.value) && values.length ? say("not-now") : ""; },
    put,
    takes: (name) => takesWord({ values, others, free }, name),
    pick(name) { put(name); at.changed(); },
  };
}

/** Does a name that was picked on the map fit? What is possible now decides; if that isn't known, the type does. */
const takesWord = ({ values, others, free }, name) =>
  values.length ? values.includes(name) : others.includes(name) || free.some((pattern) => new RegExp(pattern).test(name));

function textControl(pattern, value, at) {
  const input = h("input", { ...marked(at), type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  input.value = value ?? "";
  input.addEventListener("input", at.changed);
  return {
    element: h("span", { class: "text" }, input),
    get value() { return input.value === "" ? undefined : input.value; },
    note: "",
    put(word) { input.value = word ?? ""; },
    takes: (name) => Boolean(pattern) && new RegExp(pattern).test(name),
    pick(name) { input.value = name; at.changed(); },
  };
}

function numberControl({ least, most, lowest, step, only }, value, at) {
  const input = h("input", { ...marked(at), type: "number", inputmode: "numeric", min: least ?? lowest, max: most, step });
  input.value = value ?? "";
  input.addEventListener("input", at.changed);
  const gaps = only && only.length <= most - least;
  const between = gaps ? only.join(", ") : least === most ? say("only", { most }) : say("limits", { least: least ?? 0, most });
  const limits = most === undefined ? "" : between + (step > 1 ? say("in-steps", { step }) : "");
  const note = (number) => {
    if (number > most) return say("more-than-now", { most });
    if (number < least) return say("less-than-now", { least });
    return gaps && !only.includes(number) ? say("not-now") : "";
  };
  return {
    element: h("span", { class: "number" }, input, limits ? h("span", { class: "quiet" }, limits) : ""),
    get value() { return input.value === "" ? undefined : Number(input.value); },
    get note() { return input.value !== "" ? note(Number(input.value)) : input.validity.badInput ? say("kind") : ""; },
    put(number) { input.value = number ?? ""; },
    takes: () => false,
  };
}

function flagControl({ only }, value, at) {
  const select = h("select", marked(at), h("option", { value: "" }, "–"),
    h("option", { value: "true" }, say("true")), h("option", { value: "false" }, say("false")));
  select.value = value === undefined ? "" : String(value);
  select.addEventListener("change", at.changed);
  return {
    element: h("span", { class: "word" }, select),
    get value() { return select.value === "" ? undefined : select.value === "true"; },
    get note() { return select.value === "" || only.some((each) => String(each) === select.value) ? "" : say("not-now"); },
    put(flag) { select.value = flag === undefined ? "" : String(flag); },
    takes: () => false,
  };
}

/** The control of a value of one of several kinds: the kind is chosen first. */
function eitherControl(kinds, value, at) {
  const select = h("select", marked(at), h("option", { value: "" }, "–"),
    ...kinds.map(({ kind, values }, index) => h("option", { value: index }, values?.length === 1 ? shown(values[0]) : say(`kind-${kind}`))));
  const place = h("div", { class: "either" });
  let inner;
  const turn = (given) => {
    const kind = kinds[select.value];
    const single = kind?.kind === "word" && kind.values.length === 1 && !kind.free.length && !kind.others.length;
    inner = kind && (single ? { element: "", value: kind.values[0], note: "", takes: () => false } : controlOf(kind, given, { ...at, id: nextId() }));
    place.replaceChildren(inner?.element ?? "");
  };
  const put = (given) => {
    const index = kinds.findIndex(({ kind }) => kind === kindOfValue(given));
    select.value = given === undefined || index < 0 ? "" : index;
    turn(given);
  };
  select.addEventListener("change", () => { turn(); at.changed(); });
  put(value);
  return {
    element: h("div", {}, select, place),
    get value() { return inner?.value; },
    get note() { return inner?.note ?? ""; },
    put,
    takes: (name) => Boolean(inner?.takes(name)),
    pick: (name) => inner.pick(name),
  };
}
