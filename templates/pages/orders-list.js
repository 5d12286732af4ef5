// Lists of orders: to add to, edit, reorder, copy and delete from; an order may hold orders of its own (`else`).

/**
 * A list of orders of one phase, with the forms by which they are made. `key` is its name on the page, `kind` the
 * kind of its orders; `state` has `orders` and `pass`; `known` is what is known of the choices, `passes` the text with
 * which one passes, `where` tells controls of several boards apart, and `opens` is false where the form of an only verb
 * stays closed until it is asked for. `changed` is called after each change.
 */
function board({ element, key, kind, state, known, passes, where, opens = true, changed }) {
  if (where) for (const [name, value] of [["role", "group"], ["aria-label", where]]) element.setAttribute(name, value);
  const lines = h("div", { class: "lines", "data-list": key });
  const place = h("div", { class: "place" });
  const pass = h("input", { type: "checkbox", id: nextId(), name: "pass" });
  const passing = h("p", { class: "pass" }, pass, h("label", { for: pass.id }, passes));
  const gone = [];  // what was deleted, the last at the end
  let target;
  pass.addEventListener("change", () => { state.pass = pass.checked; changed(); });
  element.append(lines, place, passing);
  aim(state.orders, kind);
  show();
  return { show, close: () => aim(state.orders, kind) };

  /** Makes this the list that the next order goes into; the forms are those of its kind. */
  function aim(list, itsKind, said = "") {
    target = { list, kind: itsKind };
    const verbs = Object.keys(verbsOf(itsKind));
    const now = known.certain && itsKind === kind ? verbs.filter((verb) => has(known.verbs, verb)) : verbs;
    const rest = verbs.filter((verb) => !now.includes(verb));
    const form = h("div", { class: "form" });
    const choose = (verb) => open(form, verb);
    place.replaceChildren(
      !now.length ? h("p", { class: "notice" }, say("nothing-now")) : "",
      ...(said ? [h("p", { class: "aim" }, said, " ", button(say("cancel"), say("cancel"), "back", () => aim(state.orders, kind)))] : []),
      h("div", { class: "verbs" }, ...now.map((verb) => verbButton(itsKind, verb, choose))),
      rest.length ? h("details", { class: "rest" }, h("summary", {}, say("impossible")), h("div", { class: "verbs" }, ...rest.map((verb) => verbButton(itsKind, verb, choose)))) : "",
      form,
    );
    if (opens && now.length === 1 && !state.orders.length) open(form, now[0], { focus: false });
  }

  function verbButton(itsKind, verb, choose) {
    return h("button", { type: "button", "data-verb": verb, "aria-pressed": "false", onclick: () => choose(verb) },
      h("b", {}, verb), h("span", {}, ...coded(purposeOf(itsKind, verb))));
  }

  /** Nothing is known of orders that stand within orders of another kind. */
  function knownOf(itsKind) {
    return itsKind === kind ? known : UNKNOWN;
  }

  /** Opens the form of a verb, empty or with the order that it changes. */
  function open(form, verb, { order, done, focus = true } = {}) {
    const { list, kind: itsKind } = target;
    const made = orderForm({ verb, definition: verbsOf(itsKind)[verb], known: knownOf(itsKind), order });
    const finish = (event) => {
      event.preventDefault();
      if (!made.check()) return;
      if (order) done(made.order);
      else {
        const said = say("added", { number: list.push(made.order), order: lineText(made.order, []).textContent });
        show();
        changed();
        if (list === state.orders) open(form, verb);
        else aim(state.orders, kind);
        announce(said, (echo) => (form.isConnected ? form.prepend(echo) : lines.after(echo)));
      }
    };
    const cancel = () => { form.replaceChildren(); press(""); if (done) done(); };
    form.replaceChildren(h("form", { novalidate: true, "data-form": verb, "aria-label": where ? `${where}: ${verb}` : verb, onsubmit: finish },
      h("p", { class: "purpose" }, h("b", {}, verb), " ", ...coded(purposeOf(itsKind, verb))),
      made.element,
      h("p", { class: "acts" }, h("button", { type: "submit", class: "main" }, say(order ? "save" : "add")),
        button(say("cancel"), say("cancel"), "cancel", cancel))));
    press(verb);
    if (focus) made.focus();
  }

  function press(verb) {
    for (const each of place.querySelectorAll("[data-verb]")) each.setAttribute("aria-pressed", String(each.dataset.verb === verb));
  }

  /** Shows the list again; `focus` is the path of the button that then has the focus. */
  function show(focus) {
    lines.replaceChildren(
      state.orders.length ? listOf(state.orders, kind, "", key) : h("p", { class: "quiet" }, say("none-yet")),
      ...(gone.length ? [wayBack()] : []),
    );
    pass.checked = Boolean(state.pass);
    pass.disabled = state.orders.length > 0;
    passing.classList.toggle("quiet", pass.disabled);
    if (!focus) return;
    const row = [...lines.querySelectorAll("[data-path]")].find((each) => each.dataset.path === focus.path);
    const acts = [focus.act, { up: "down", down: "up" }[focus.act], "edit", "delete"];
    const found = acts.map((act) => row?.querySelector(`:scope > .tools [data-act="${act}"]:not([disabled])`)).find(Boolean);
    (found ?? place.querySelector("[data-verb]"))?.focus();
  }

  /** The button that takes back the last deleted order; after it, the ones deleted before. */
  function wayBack() {
    const { list, index, order } = gone[gone.length - 1], text = lineText(order, []);
    return h("p", { class: "gone" }, say("deleted-order"), " ", text, " ", button(say("take-back"), say("take-back-order", { order: text.textContent }), "take-back", () => {
      gone.pop();
      list.splice(index, 0, order);  // beyond the end is at the end
      aim(state.orders, kind);
      show();
      changed();
      [...lines.querySelectorAll("li")].find((line) => line.order === order)?.querySelector(".tools button:not([disabled])").focus();
      announce(say("taken-back", { order: text.textContent }));
    }));
  }

  function listOf(list, itsKind, path, id) {
    return h("ol", id ? { id: id.replace(".", "-") } : {}, ...list.map((order, index) => lineOf(list, itsKind, index, path ? `${path}.${index + 1}` : String(index + 1))));
  }

  function lineOf(list, itsKind, index, path) {
    const order = list[index], verb = verbIn(order), definition = verbsOf(itsKind)[verb];
    const wrong = wrongIn(order, itsKind, knownOf(itsKind)), doubt = h("p", { class: "told doubtful" });
    const inner = definition ? holders(definition).filter(([name]) => isList(order[name]) && order[name].length) : [];
    const first = path.split(".")[0] === "1";
    const line = h("li", { "data-path": path },
      lineText(order, definition ? holders(definition).map(([name]) => name) : []),
      h("span", { class: "tools" }, ...tools(list, itsKind, index, path, definition)),
      wrong ? h("p", { class: "told wrong" }, wrong) : "",
      ...inner.map(([name, innerKind]) => h("div", { class: "inner" }, h("code", {}, `${name}:`), listOf(order[name], innerKind, `${path}.${name}`))));
    line.order = order;
    line.tellDoubt = () => {
      const doubtful = !wrong && (list === ordersFor(kind)?.orders ? isDoubtful(kind, order, index) : !programIsHere() && doubtfulIn(order, knownOf(itsKind)));
      doubt.textContent = say(!known.certain ? "doubtful-ahead" : first ? "doubtful" : "doubtful-below", { field: doubtfulIn(order, knownOf(itsKind)) || verb });
      if (doubtful) line.querySelector(":scope > .tools").after(doubt);
      else doubt.remove();
    };
    line.tellDoubt();
    return line;
  }

  function tools(list, itsKind, index, path, definition) {
    const order = list[index], verb = verbIn(order);
    const label = (key, facts) => { const what = say(key, { path, ...facts }); return where ? say("of-board", { what, where }) : what; };
    const parent = path.replace(/[^.]+$/, "");
    const below = (echo) => lines.after(echo);
    const after = (to, act, said, put) => { show({ path: `${parent}${to + 1}`, act }); changed(); announce(say(said, { path: `${parent}${to + 1}` }), put); };
    const move = (by, act) => () => {
      list.splice(index + by, 0, ...list.splice(index, 1));
      after(index + by, act, "moved", below);
    };
    const found = [];
    if (definition) found.push(button(say("edit"), label("edit-order"), "edit", () => edit(list, itsKind, index, path)));
    const up = button("↑", label("up-order"), "up", move(-1, "up")), down = button("↓", label("down-order"), "down", move(1, "down"));
    up.disabled = index === 0;
    down.disabled = index === list.length - 1;
    found.push(up, down, button(say("copy-order-short"), label("copy-order"), "copy", () => {
      list.splice(index + 1, 0, copied(order));
      after(index + 1, "edit", "copied-order", below);
    }));
    for (const [name, innerKind] of definition ? holders(definition) : []) {
      found.push(button(`+ ${name}`, label("add-inner", { name }), name, () => {
        if (!isList(order[name])) order[name] = [];
        aim(order[name], innerKind, say("aim", { name, path }));
        place.querySelector("[data-verb]")?.focus();
        place.scrollIntoView({ block: "nearest" });
      }));
    }
    found.push(button("×", label("delete-order"), "delete", () => {
      list.splice(index, 1);
      gone.push({ list, index, order });
      aim(state.orders, kind);
      after(Math.min(index, list.length - 1), "delete", "deleted");
    }));
    return found;
  }

  function edit(list, itsKind, index, path) {
    aim(list, itsKind, say("editing", { path }));
    const form = place.querySelector(".form");
    open(form, verbIn(list[index]), { order: list[index], done: (order) => {
      if (order) list[index] = order;
      aim(state.orders, kind);
      show({ path, act: "edit" });
      if (order) { changed(); announce(say("saved", { path }), (echo) => lines.after(echo)); }
    } });
    place.scrollIntoView({ block: "nearest" });
  }
}

const purposeOf = (kind, verb) => data.purposes[kind]?.[verb] ?? "";

/** An order as a readable line, its verb bold. */
function lineText(order, held) {
  if (!isMapping(order)) return h("code", { class: "order" }, inBrackets(order, 30));
  const verb = verbIn(order), rest = Object.entries(order).filter(([name]) => name !== verb && !held.includes(name));
  return h("code", { class: "order" }, h("b", {}, keyText(verb)), `: ${inBrackets(order[verb], 30)}`,
    ...rest.map(([name, value]) => h("span", {}, `, ${keyText(name)}: ${inBrackets(value, 30)}`)));
}

