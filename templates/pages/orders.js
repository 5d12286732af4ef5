// The page: puts lists, forms and the sheet's text together, and keeps them at one.

const data = JSON.parse(document.getElementById("data").textContent, bare);
data.schema = unfolded(JSON.parse(document.getElementById("schema").textContent, bare));
for (const [key, names] of Object.entries(data.needed ?? {})) data.schema.properties.standing.properties[key].items.required = names;
for (const [name, always] of Object.entries(data.always ?? {})) data.schema.definitions[name].always = always;
let sheet;

/** The schema, with its lists of names again where a number stands for them. */
function unfolded({ lists, schema }) {
  const within = (part) => {
    if (isList(part)) part.forEach(within);
    else if (isMapping(part)) {
      if (typeof part.enum === "number") part.enum = lists[part.enum];
      Object.values(part).forEach(within);
    }
    return part;
  };
  return within(schema);
}

function ordersPage() {
  sheet = emptySheet();
  const draft = kept();
  if (draft) {
    try {
      sheet = sheetFrom(draft);
      $("draft-back").hidden = false;
    } catch {
      keep("");
    }
  }
  build();
  prepareAnew();
  $("load").addEventListener("click", load);
}

/** What was begun before goes only when it has been asked for twice. */
function prepareAnew() {
  const sure = $("anew-sure"), [keeps, goes] = sure.querySelectorAll("button");
  $("anew").addEventListener("click", () => { sure.hidden = false; keeps.focus(); });
  keeps.addEventListener("click", () => { sure.hidden = true; $("anew").focus(); });
  goes.addEventListener("click", () => {
    keep("");
    sheet = emptySheet();
    build();
    sure.hidden = $("draft-back").hidden = true;
    $("begin").focus();
  });
}

/** Everything that shows the sheet, made from it. */
function build() {
  const orders = $("board");
  orders.replaceChildren();
  board({ element: orders, key: "orders", kind: data.kind, state: sheet.orders, changed: written });
  $("later").replaceChildren(...Object.keys(sheet.later).map(laterBoard));
  $("standing").replaceChildren(...Object.entries(data.schema.properties.standing.properties).map(standingRow));
  for (const [id, name] of [["salt", "salt"], ["draft", "draft"]]) {
    const input = $(id).cloneNode();
    $(id).replaceWith(input);
    if (input.type === "checkbox") input.checked = sheet[name];
    else input.value = sheet[name];
    input.addEventListener("input", () => { sheet[name] = input.type === "checkbox" ? input.checked : input.value; written(); });
  }
  written();
}

/** Orders for a later phase: made when they are looked at first. */
function laterBoard(phase) {
  const place = h("div", {}), state = sheet.later[phase];
  const element = h("details", { class: "fold", "data-later": phase, open: isSent(state) }, h("summary", {}, data.phases[phase] ?? phase), place);
  const made = () => { if (element.open && !place.children.length) board({ element: place, key: `later.${phase}`, kind: phase, state, changed: written }); };
  element.addEventListener("toggle", made);
  made();
  return element;
}

/** A kind of standing instructions: what is in force, and what the sheet is to put in its place. */
function standingRow([key, schema]) {
  const now = data.standing[key], place = h("div", {});
  const told = h("p", { class: "told", role: "status" });
  const back = button(say("as-it-was"), say("as-it-was-of", { key }), "reset", () => { delete sheet.standing[key]; make(); tell(); written(); });
  const text = now === undefined ? "" : h("code", {}, inBrackets(now, 30));
  const element = h("details", { class: "fold", "data-standing": key, open: has(sheet.standing, key) },
    h("summary", {}, h("b", {}, key), " ", text), h("p", { class: "hint" }, ...coded(schema.description ?? "")), place, told, h("p", {}, back));
  const tell = () => {
    const wrong = has(sheet.standing, key) ? faults(sheet.standing[key], schema)[0]?.text : "";
    told.textContent = wrong || (has(sheet.standing, key) ? say("standing-changed") : now === undefined ? say("standing-none") : say("standing-kept"));
    told.classList.toggle("wrong", Boolean(wrong));
    back.hidden = !has(sheet.standing, key);
  };
  const make = () => {
    const made = control(schema, has(sheet.standing, key) ? sheet.standing[key] : now, { id: nextId(), name: key, keepEmpty: false, changed: () => {
      const value = made.value ?? (schema.type === "array" ? [] : undefined);
      const asNow = same(value, now) || (now === undefined && isList(value) && !value.length);
      if (value === undefined || asNow) delete sheet.standing[key];
      else sheet.standing[key] = value;
      tell();
      written();
    } });
    place.replaceChildren(made.element);
  };
  const opened = () => { if (element.open && !place.children.length) make(); };
  element.addEventListener("toggle", opened);
  opened();
  tell();
  return element;
}

/** The sheet's text, and whether it is one yet. Nothing here knows what several orders take together, so none is praised. */
function written() {
  hush();
  const plain = sheetOf(sheet), empty = same(Object.keys(plain), Object.keys(head()));
  writeOut(plain);
  keep(empty ? "" : $("sheet").value);
  const orders = sheet.orders.orders, wrong = wrongPlaces();
  const doubtful = orders.filter((order) => doubtfulIn(order, data.kind)).length;
  const key = wrong.length ? "state-wrong"
    : sheet.draft ? "state-draft"
    : empty ? "state-empty"
    : !isSent(sheet.orders) ? "state-no-orders"
    : doubtful ? "state-doubtful"
    : orders.length ? "state-good" : "state-pass";
  showState(key, { count: orders.length, doubtful, where: wrong.join(", ") });
}

function showState(key, facts = {}) {
  $("state").replaceChildren(...coded(say(key, facts)));
  $("state").className = key === "state-wrong" ? "wrong" : "";
}

/** Where on the page something is wrong, however things stand. */
function wrongPlaces() {
  const isWrong = (orders, kind) => orders.some((order) => wrongIn(order, kind));
  const standing = Object.keys(sheet.standing).filter((key) => faults(sheet.standing[key], data.schema.properties.standing.properties[key]).length);
  const later = Object.keys(sheet.later).filter((phase) => isWrong(sheet.later[phase].orders, phase));
  return [
    ...(isWrong(sheet.orders.orders, data.kind) ? [say("where-orders")] : []),
    ...standing.map((key) => say("where-standing", { key })),
    ...later.map((phase) => say("where-later", { phase: data.phases[phase] ?? phase })),
  ];
}

function load() {
  try {
    sheet = sheetFrom($("pasted").value);
  } catch (error) {
    $("load-said").textContent = `${error.message} ${say("left-alone")}`;
    $("load-said").className = "told wrong";
    return;
  }
  build();
  $("load-said").textContent = say("loaded", { count: sheet.orders.orders.length });
  $("load-said").className = "told";
}

/** The page for an answer: one form, whose text is always the answer. */
function answerPage() {
  const { verb, fixed } = data.answer;
  const made = orderForm({ verb, definition: verbsOf("answer")[verb], fixed, changed: written });
  $("board").replaceChildren(h("form", { novalidate: true, "data-form": verb, "aria-label": verb, onsubmit: (event) => { event.preventDefault(); made.check(); } },
    ...Object.entries(fixed).map(([name, value]) => h("p", { class: "fixed" }, h("code", {}, `${name}: ${inBrackets(value, 30)}`))), made.element));
  function written() {
    hush();
    const order = made.order, whole = made.good;
    writeOut({ ...head(), answers: whole ? [order] : [] });
    showState(!whole ? "state-unanswered" : doubtfulIn(order, data.kind) ? "state-answer-doubtful" : "state-answered");
  }
  written();
}

/** Where there is room, the sheet stands beside the orders, under the map; else it is the last thing on the page. */
function placeSheet(wide) {
  (wide.matches ? $("look") : $("do")).append($("out"));
}

const wide = matchMedia("(min-width: 70rem)");
wide.addEventListener("change", placeSheet);
placeSheet(wide);
document.addEventListener("click", (event) => { const names = picked(event); if (names.length) pick(names); });
prepareWaysOut();
if (data.answer) answerPage();
else ordersPage();
