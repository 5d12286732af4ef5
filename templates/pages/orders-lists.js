// Controls for lists, ways from place to place, and mappings: made of controls for what is in them.

/** A list with a row for each entry. In a way, each place is a neighbour of the one before. */
function listControl(kind, value, at) {
  const rows = h("ol", { class: "rows" }), controls = [];
  const schemaAt = (index) => {
    if (!kind.way) return kind.items;
    const here = index === 0 ? kind.way.from : controls[index - 1].value;
    const beside = { enum: kind.way.borders[here] ?? [] };
    return index === 0 ? { anyOf: [beside, ...branches(kind.items)] } : beside;  // earlier orders change where it begins
  };
  const add = (item) => {
    const index = controls.length;
    const id = index === 0 ? at.id : nextId();
    const inner = control(schemaAt(index), item, { ...at, id, name: `${at.name} ${index + 1}`, changed: () => { renewWay(inner); at.changed(); } });
    controls.push(inner);
    rows.append(row(inner));
    arrange();
    return inner;
  };
  const row = (inner) => h("li", {}, inner.element, h("span", { class: "moves" },
    kind.way ? "" : button("↑", say("up"), "up", () => shift(inner, -1)),
    button("×", say("remove"), "remove", () => { drop(inner); at.changed(); more.focus(); })));
  const drop = (inner) => {
    const index = controls.indexOf(inner);
    const gone = kind.way ? controls.splice(index) : controls.splice(index, 1);
    for (const each of gone) each.element.closest("li").remove();
    arrange();
  };
  const shift = (inner, by) => {
    const index = controls.indexOf(inner);
    if (index + by < 0) return;
    const values = controls.map((each) => each.value);
    [values[index], values[index + by]] = [values[index + by], values[index]];
    values.forEach((each, at) => controls[at].put(each));
    at.changed();
  };
  const renewWay = (inner) => {
    const after = kind.way ? controls[controls.indexOf(inner) + 1] : undefined;
    if (after) drop(after);
  };
  const arrange = () => {
    more.hidden = controls.length >= kind.most;
    [...rows.children].forEach((each, index) => each.querySelector("[data-act=up]")?.toggleAttribute("hidden", index === 0));
  };
  const more = button(say(kind.way ? "add-place" : "add-entry"), say("add-to", { name: at.name }), "add", () => {
    const inner = add();
    at.changed();
    inner.element.querySelector("select, input, button")?.focus();
  });
  const put = (items) => {
    while (controls.length) drop(controls[0]);
    for (const item of isList(items) ? items : []) add(item);
    if (at.needed) while (controls.length < kind.least) add();
  };
  put(value);
  const filled = () => controls.map((each) => each.value).filter((each) => each !== undefined);
  return {
    element: h("div", { class: "list" }, rows, more),
    get value() { return filled().length || at.keepEmpty ? filled() : undefined; },
    get note() { return controls.map((each) => each.note).find(Boolean) || wayNote(); },
    put,
    takes: (name) => controls.some((each) => each.value === undefined && each.takes(name)) || (controls.length < kind.most && takesNext(name)),
    pick(name) {
      const free = controls.find((each) => each.value === undefined && each.takes(name));
      if (free) free.pick(name);
      else { add(name); at.changed(); }
    },
  };
  function wayNote() {
    const places = filled();
    return kind.way && places.length && !isLegal(kind.way, places) ? say("way-not-now") : "";
  }
  function takesNext(name) {
    return kindsOf(schemaAt(controls.length)).some((each) => each.kind === "word" && takesWord(each, name));
  }
}

/** Is a way legal now, as far as ways were tried? */
function isLegal(way, places) {
  const beside = places.every((place, index) => way.borders[index ? places[index - 1] : way.from]?.includes(place));
  const tried = way.legal && places.length <= way.longest;
  return beside && (!tried || way.legal.some((each) => same(each, places)));
}

/** A mapping: a row for each name that is possible now; others are added by name. */
function mappingControl(kind, value, at) {
  const given = isMapping(value) ? value : {};
  const names = Object.keys(kind.known), laidOut = kind.laidOut;
  const rows = h("div", { class: "parts" }), parts = new Map();
  const add = (name, item) => {
    const schema = kind.known[name] ?? kind.patterns.find(([pattern]) => new RegExp(pattern).test(name))?.[1] ?? {};
    const id = parts.size === 0 ? at.id : nextId();
    const needed = kind.required.includes(name);
    const inner = control(schema, item, { id, name, needed, changed: at.changed });
    parts.set(name, inner);
    const away = laidOut.includes(name) ? "" : button("×", say("remove"), "remove", () => {
      parts.delete(name);
      part.remove();
      at.changed();
    });
    const hint = branches(schema).length && followed(schema).description;
    const part = h("div", { class: "part", "data-field": name }, h("label", { for: id }, shown(name)), inner.element, away,
      hint ? h("span", { class: "quiet" }, ...coded(hint)) : "");
    rows.append(part);
    return inner;
  };
  const put = (items) => {
    rows.replaceChildren();
    parts.clear();
    for (const name of laidOut) add(name, items[name]);
    for (const name of Object.keys(items)) if (!parts.has(name)) add(name, items[name]);
  };
  put(given);
  const element = h("div", { class: "mapping" }, rows);
  if (kind.patterns.length) element.append(adder(kind, at, parts, add, names));
  return {
    element,
    get value() {
      const filled = [...parts].map(([name, inner]) => [name, inner.value]).filter(([, value]) => value !== undefined);
      return filled.length || at.keepEmpty ? Object.fromEntries(filled) : undefined;
    },
    get note() { return [...parts.values()].map((each) => each.note).find(Boolean) ?? ""; },
    put: (items) => put(isMapping(items) ? items : {}),
    takes: (name) => [...parts.values()].some((each) => each.value === undefined && each.takes(name)),
    pick: (name) => [...parts.values()].find((each) => each.value === undefined && each.takes(name)).pick(name),
  };
}

/** The control that adds a named part to a mapping. */
function adder(kind, at, parts, add, names) {
  const schema = { anyOf: [...(names.length ? [{ enum: names }] : []), ...kind.patterns.map(([pattern]) => ({ type: "string", pattern }))] };
  const key = control(schema, undefined, { id: nextId(), name: say("name-in", { name: at.name }), changed: () => {} });
  return h("div", { class: "adder" }, key.element, button(say("add-entry"), say("add-to", { name: at.name }), "add", () => {
    const name = key.value;
    if (name === undefined || parts.has(name) || faults(name, schema).length) return;
    const inner = add(name);
    key.put(undefined);
    at.changed();
    inner.element.querySelector("select, input, button")?.focus();
  }));
}
