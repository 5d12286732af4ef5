// The page: puts lists, forms and the sheet's text together, and keeps them the same.

const data = dataFrom(document.getElementById("data").textContent, document.getElementById("schema").textContent);
const NOW = { kind: data.kind, verbs: data.verbs, certain: true };
let sheet, last;

function ordersPage() {
  sheet = emptySheet();
  const draft = kept();
  if (draft) {
    try {
      takeDraft(draft);
      $("draft-back").hidden = false;
    } catch {
      keep("");
    }
  }
  prepareTap();
  if (!draft) keep("");
  written();
  prepareAnew();
  document.addEventListener("program", () => { looked = {}; askEngine(); });
  $("load").addEventListener("click", load);
  $("form").addEventListener("toggle", () => { if ($("form").open) build(); });
  for (const take of document.querySelectorAll("[data-take]")) take.addEventListener("click", () => takeOver(take.dataset.take));
}

/** Deletes an earlier draft only after asking twice. */
function prepareAnew() {
  const sure = $("anew-sure"), [keeps, goes] = sure.querySelectorAll("button");
  $("anew").addEventListener("click", () => { sure.hidden = false; keeps.focus(); });
  keeps.addEventListener("click", () => { sure.hidden = true; $("anew").focus(); });
  goes.addEventListener("click", () => {
    act(() => { sheet = emptySheet(); now.making = null; });
    keep("");
    sure.hidden = $("draft-back").hidden = true;
    $("prompt").focus();
  });
}

/** Makes everything that shows the sheet. */
function build() {
  const orders = $("board");
  orders.replaceChildren();
  board({ element: orders, key: "orders", kind: data.kind, state: sheet.orders, known: NOW, passes: passing(data.kind, "pass"), changed: formChanged });
  data.asked.forEach(askedBoard);
  $("later").replaceChildren(...Object.keys(sheet.later).filter((phase) => !data.asked.includes(phase)).map(laterBoard));
  $("standing").replaceChildren(...Object.entries(data.schema.properties.standing.properties).map((entry) => (entry[0] === PHASES ? phasesRow(entry[1]) : standingRow(entry))));
  for (const [id, name] of [["salt", "salt"], ["draft", "draft"]]) {
    const input = $(id).cloneNode();
    $(id).replaceWith(input);
    if (input.type === "checkbox") input.checked = sheet[name];
    else input.value = sheet[name];
    input.addEventListener("input", () => { sheet[name] = input.type === "checkbox" ? input.checked : input.value; formChanged(); });
  }
  written();
}

/** A kind of standing instructions: what is in force, and what the sheet is to put in its place. */
function standingRow([key, schema]) {
  const now = data.standing[key], place = h("div", {});
  const told = h("p", { class: "told", role: "status" });
  const back = button(say("as-it-was"), say("as-it-was-of", { key }), "reset", () => { delete sheet.standing[key]; make(); tell(); formChanged(); });
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
      formChanged();
    } });
    place.replaceChildren(made.element);
  };
  const opened = () => { if (element.open && !place.children.length) make(); };
  element.addEventListener("toggle", opened);
  opened();
  tell();
  return element;
}

/** The form has changed the sheet: the map and its prompt follow, and it can be undone there. */
function formChanged() {
  past.push(last);
  future.length = 0;
  now.making = null;
  written();
  showAll();
  askEngine();
}

/** The sheet's text, and whether it is a whole sheet yet. What several orders take together isn't known here, so no order is called good. */
function written() {
  hush();
  const plain = sheetOf(sheet);
  writeOut(plain);
  keep(isEmpty() && !now.making ? "" : snapshot());
  tellState();
  tellPhases();
  tellTakes();
  last = snapshot();
}

/** Does the sheet say nothing yet, not even that nothing is ordered? */
const isEmpty = () => same(Object.keys(sheetOf(sheet)), Object.keys(head()));

/** A sentence that says what the sheet's text is. */
function tellState() {
  const plain = sheetOf(sheet);
  const orders = ordersIn(sheet), wrong = wrongPlaces();
  const doubtful = phasesOfSheet().flatMap((phase) => ordersFor(phase).orders.filter((order, index) => isDoubtful(phase, order, index))).length;
  const key = wrong.length ? "state-wrong"
    : sheet.draft ? "state-draft"
    : isEmpty() ? "state-empty"
    : !has(plain, "orders") ? "state-no-orders"
    : doubtful ? "state-doubtful"
    : orders.length ? "state-good" : "state-pass";
  const passed = has(plain, "orders") && orders.length ? passedIn(sheet).map(titleOf).join(", ") : "";
  showState(key, { count: orders.length, doubtful, where: wrong.join(", "), passed: passed && say("state-passed", { passed }) });
}

function showState(key, facts = {}) {
  $("state").replaceChildren(...coded(say(key, facts)));
  $("state").className = key.endsWith("-wrong") ? "wrong" : "";
}

/** Where on the page something is wrong in any position. */
function wrongPlaces() {
  const isWrong = (orders, kind, known) => orders.some((order) => wrongIn(order, kind, known));
  const standing = Object.keys(sheet.standing).filter((key) => key !== PHASES && faults(sheet.standing[key], data.schema.properties.standing.properties[key]).length);
  const phases = Object.entries(sheet.standing[PHASES] ?? {}).filter(([phase, orders]) => isWrong(orders, phase, UNKNOWN));
  const later = Object.keys(sheet.later).filter((phase) => isWrong(sheet.later[phase].orders, phase, aheadOf(phase)));
  return [
    ...(isWrong(sheet.orders.orders, data.kind, NOW) ? [say(data.asked.length ? "where-later" : "where-orders", { phase: titleOf(data.kind) })] : []),
    ...standing.map((key) => say("where-standing", { key })),
    ...phases.map(([phase]) => say("where-standing-phase", { phase: titleOf(phase) })),
    ...later.map((phase) => say("where-later", { phase: whenOf(phase) })),
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
  now.making = null;
  changedAll();
  $("load-said").textContent = say("loaded", { count: ordersIn(sheet).length });
  $("load-said").className = "told";
}

/** The page for an answer: one form, whose text is always the answer. */
function answerPage() {
  const { verb, fixed } = data.answer;
  const made = orderForm({ verb, definition: verbsOf("answer")[verb], known: NOW, fixed, changed: written });
  $("board").replaceChildren(h("form", { novalidate: true, "data-form": verb, "aria-label": verb, onsubmit: (event) => { event.preventDefault(); made.check(); } },
    ...Object.entries(fixed).map(([name, value]) => h("p", { class: "fixed" }, h("code", {}, `${name}: ${inBrackets(value, 30)}`))), made.element));
  for (const row of made.rows.values()) if (row.element.querySelector("select") && kindsOf(row.step.schema)[0].kind === "flag") $("question").append(twoButtons(row));
  function written() {
    hush();
    for (const each of document.querySelectorAll("#question [data-key]")) each.setAttribute("aria-pressed", String(made.order[each.dataset.field] === (each.dataset.key === "yes")));
    const order = made.order, whole = made.good;
    const plain = { ...head(), answers: whole ? [order] : [] };
    writeOut(plain);
    showState(!whole ? "state-unanswered" : !programIsHere() && doubtfulIn(order, NOW) ? "state-answer-doubtful" : "state-answered");
    if (whole && programIsHere()) judge(plain).catch((error) => showState("state-program-wrong", { why: error.message }));
  }
  async function judge(plain) {
    const about = $("sheet").value, { orders, problems } = await window.adjudicator.engine.look(null, plain);
    if (about !== $("sheet").value) return;
    const told = [...orders.flatMap((each) => each.problems), ...problems][0];
    if (told) showState("state-answer-wrong", told);
  }
  document.addEventListener("program", written);
  written();
}

/** Yes and no as two buttons, which answer for the form. */
function twoButtons(row) {
  const words = (data.prompts.answers?.[data.answer.verb] ?? `${say("true")}|${say("false")}`).split("|");
  return h("div", { class: "chips two" }, ...["yes", "no"].map((key, index) => {
    const made = chip(capital(words[index]), key, () => { row.control.put(key === "yes"); row.element.querySelector("select").dispatchEvent(new Event("change")); }, { pressed: false });
    made.dataset.field = row.step.name;
    return made;
  }));
}

document.querySelector("style + style").before(h("style", {}, STYLE));
prepareWaysOut();
if (data.answer) answerPage();
else ordersPage();
document.body.dataset.ready = "";
