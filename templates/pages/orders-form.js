// The form of one order, or of an answer: a row for each field, in the order in which the rule asks for them.

/** The field into which a name picked on the map goes: the one that was used last. */
let lastUsed;

/**
 * A form. `verb` and `definition` say what it is for, `known` what is known of the choices in its phase, `order` what it
 * begins with, `fixed` the fields that can't be changed; `changed` is called after each change. It has an element, the order as it stands, and what is wrong in it.
 */
function orderForm({ verb, definition, known, order = {}, fixed = {}, changed = () => {} }) {
  const held = holders(definition).map(([name]) => name);
  const values = Object.fromEntries(Object.entries(order).filter(([name]) => !held.includes(name) && !has(fixed, name)));
  const rows = new Map();
  const element = h("div", { class: "fields" });
  let extras = [];  // other fields of a pasted sheet
  arrange();
  extras = Object.keys(values).filter((name) => !rows.has(name));
  arrange();

  function steps() {
    let found = stepsOf(definition, verb, { ...values, ...fixed }, known);
    const stale = () => known.certain && found.find(({ name, node, schema }) =>
      rows.has(name) && rows.get(name).step.node !== node && has(values, name) && node > OPEN && data.nodes[node].values && !data.nodes[node].values.includes(values[name]) && !inOtherForm(values[name], schema));
    for (let step = stale(); step; step = stale()) {
      delete values[step.name];
      found = stepsOf(definition, verb, { ...values, ...fixed }, known);
    }
    for (const { name, only } of found) if (only !== undefined && !has(values, name)) values[name] = only;
    found = found.filter(({ name }) => !has(fixed, name));
    const kept = extras.filter((name) => found.every((step) => step.name !== name));
    if (definition.properties.if && !kept.includes("if")) kept.push("if");
    return [...found, ...kept.map((name) => ({ name, node: END, needed: false, schema: definition.properties[name] ?? {} }))];
  }

  /** Rows that are as they were stay where they are, and keep the focus. */
  function arrange() {
    const now = steps();
    now.forEach((step, index) => {
      let row = rows.get(step.name);
      if (!row || row.step.node !== step.node || !same(row.control.value, values[step.name])) {
        row?.element.remove();
        row = fieldRow(step, values[step.name], () => took(step.name));
        rows.set(step.name, row);
      }
      if (element.children[index] !== row.element) element.insertBefore(row.element, element.children[index] ?? null);
    });
    for (const [name, row] of rows) {
      if (now.some((step) => step.name === name)) continue;
      row.element.remove();
      rows.delete(name);
      delete values[name];
    }
  }

  function took(name) {
    const row = rows.get(name);
    if (row.control.value === undefined) delete values[name];
    else values[name] = row.control.value;
    lastUsed = row;
    arrange();
    row.tell(wrongAt(row));
    point(row);
    changed();
  }

  function wrongAt({ step, control }) {
    if (control.value === undefined) return step.needed ? say("needed") : "";
    const always = step.node > OPEN ? data.nodes[step.node].always : undefined;
    return [definition.properties[step.name] ?? {}, definition.always?.[step.name], always].flatMap((schema) => faults(control.value, schema))[0]?.text ?? "";
  }

  return {
    element,
    rows,
    get order() {
      const all = { ...fixed, ...Object.fromEntries([...steps()].map(({ name }) => [name, values[name]])) };
      const found = { [verb]: all[verb], ...all };
      for (const [name, value] of Object.entries(found)) if (value === undefined && name !== verb) delete found[name];
      return { ...found, ...Object.fromEntries(held.filter((name) => has(order, name)).map((name) => [name, order[name]])) };
    },
    /** Says beside each field what is wrong in it; the first such field has the focus then. */
    check({ focus = true } = {}) {
      const wrong = [...rows.values()].filter((row) => row.tell(wrongAt(row)));
      if (wrong.length && focus) wrong[0].focus();
      return wrong.length === 0;
    },
    /** Is everything there that is needed, and nothing wrong in it? */
    get good() { return [...rows.values()].every((row) => !wrongAt(row)); },
    focus: () => [...rows.values()][0]?.focus(),
  };
}

/** A field: its name, its control, what it is for, what is wrong or unusual in it. */
function fieldRow(step, value, changed) {
  const { name, needed, schema } = step;
  const id = nextId(), hintId = nextId(), text = hintOf(schema, name);
  const told = h("p", { class: "told", id: nextId() });
  const inner = control(schema, value, { id, name, needed, described: `${hintId} ${told.id}`, changed });
  const hint = h("p", { class: "hint", id: hintId }, ...coded(text));
  const may = needed ? "" : h("span", { class: "quiet" }, ` ${say("optional")}`);
  const large = kindsOf(schema).length > 1 || ["list", "mapping"].includes(kindsOf(schema)[0].kind);
  let element;
  if (large && !needed) {
    element = h("details", { class: "field", "data-field": name, open: value !== undefined }, h("summary", {}, name, may), hint, inner.element, told);
  } else if (large) {
    element = h("fieldset", { class: "field", "data-field": name }, h("legend", {}, name), hint, inner.element, told);
  } else {
    element = h("div", { class: "field", "data-field": name }, h("label", { for: id }, name, may), inner.element, hint, told);
  }
  const row = {
    step,
    element,
    control: inner,
    focus: () => { element.open = true; element.querySelector("select, input, button")?.focus(); },
    /** Shows what is wrong, or else what is unusual; is anything wrong? */
    tell(wrong) {
      const note = wrong || inner.note;
      if (told.textContent !== note) told.textContent = note;
      told.classList.toggle("wrong", Boolean(wrong));
      return Boolean(wrong);
    },
  };
  row.tell("");
  element.row = row;
  element.addEventListener("focusin", () => { lastUsed = row; point(row); });
  return row;
}

/** What a field is for; what its verb is for is said with the verb already. */
function hintOf(schema, name) {
  const text = schema.description ?? followed(schema).description ?? branches(schema).find((each) => each.description)?.description ?? "";
  const purpose = Object.values(data.purposes).find((verbs) => verbs[name] && text.startsWith(`${verbs[name]}. `))?.[name];
  return purpose ? text.slice(purpose.length + 2) : text;
}

// -- the map -----------------------------------------------------------------------------------------------------------

/** What was picked, from top to bottom: places, and pieces, each before the place on which it stands. */
function picked({ target, clientX, clientY }) {
  if (!target.closest?.("#map")) return [];
  const hit = document.elementsFromPoint(clientX, clientY).map((each) => each.closest("#map [data-name]"));
  return [...new Set(hit.flatMap(namesOf))];
}
const namesOf = (element) => [element?.dataset.name, element?.dataset.at].filter(Boolean);

/** Marks on the map what the field can hold. */
function point(row) {
  for (const each of document.querySelectorAll("#map [data-name]")) each.classList.toggle("fits", namesOf(each).some((name) => row?.control.takes(name)));
}

/**
 * What was picked on the map goes into the field used last, if it takes it; else into the first open one that does:
 * the piece, or where no field asks for that piece, its place.
 */
function pick(names) {
  const open = [...document.querySelectorAll("form .field")].map((element) => element.row).filter((row) => row && row.element.isConnected);
  const shownOnes = open.filter((row) => row.element.checkVisibility() && (row.element.tagName !== "DETAILS" || row.element.open));
  const last = shownOnes.includes(lastUsed) ? [lastUsed] : [];
  const tries = [...names.map((name) => [last, name]), ...names.map((name) => [shownOnes, name])];
  const [rows, name] = tries.find(([rows, name]) => rows.some((row) => row.control.takes(name))) ?? [];
  const below = (echo) => $("map").after(echo);
  if (!rows) return announce(say("not-taken", { name: names.map(shown).join(", ") }), below);
  const takers = rows.filter((row) => row.control.takes(name));
  const row = takers.find((each) => each.control.value === undefined) ?? takers[0];
  row.control.pick(name);
  announce(say("taken", { name: shown(name), field: row.step.name }), below);
}
