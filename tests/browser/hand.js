// The hand that clicks sheets together, within the page: what a hand does to a form, without a way out of the browser and
// back for each touch. It touches only what is seen, can be used and has nothing lying on it, and writes as a keyboard does.

(place, [act, ...given]) => {
  const ELSEWHERE = " ";  // the choice by which a word that isn't on the list is written beside it
  const called = (at) => at.outerHTML.slice(0, 160);
  const within = (at, selector) => [...at.querySelectorAll(`:scope > ${selector}`)];
  const one = (at, selector) => {
    const found = within(at, selector)[0];
    if (!found) throw new Error(`no ${selector} in ${called(at)}`);
    return found;
  };
  const isMapping = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const holdsOrders = (value) => Array.isArray(value) && value.length > 0 && value.every(isMapping);

  /** What lies in the middle of a control, and where that is. */
  function touched(at) {
    const box = at.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    return { top: document.elementFromPoint(x, y), x, y };
  }

  /** What lies where one would touch a control, and where that is: the control itself, or something in it. */
  function reached(at) {
    if (!at.isConnected || !at.checkVisibility({ visibilityProperty: true })) throw new Error(`not to be seen: ${called(at)}`);
    if (at.disabled) throw new Error(`not to be used: ${called(at)}`);
    at.scrollIntoViewIfNeeded();
    let { top, x, y } = touched(at);
    if (!at.contains(top)) {  // the bar that stays at the edge of the window lies on it: one scrolls on
      at.scrollIntoView({ block: "center", behavior: "instant" });
      ({ top, x, y } = touched(at));
    }
    if (!at.contains(top)) throw new Error(`${top ? called(top) : "the edge of the window"} lies on ${called(at)}`);
    return { top, x, y };
  }

  function press(at) {
    const { top, x, y } = reached(at);
    at.focus({ preventScroll: true });
    click(top, x, y);
  }

  function click(at, x, y) {
    at.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true, view: window, detail: 1, clientX: x, clientY: y }));
  }

  function choose(select, value) {
    reached(select);
    const option = [...select.options].find((each) => each.value === value && !each.disabled);
    if (!option) throw new Error(`no ${value} in ${called(select)}`);
    select.focus({ preventScroll: true });
    option.selected = true;
    for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }

  function write(input, text) {
    reached(input);
    input.focus({ preventScroll: true });
    input.select();
    document.execCommand(text ? "insertText" : "delete", false, text);
    if (input.value !== text) throw new Error(`${text} can't be written into ${called(input)}`);
  }

  /** All orders of a sheet, one after the other, each with the orders that it holds. */
  function orders(lines, all) {
    all.forEach((each, index) => {
      order(each);
      for (const [name, inner] of Object.entries(each).filter(([, value]) => holdsOrders(value))) {
        for (const held of inner) {
          press(document.querySelector(`${lines} > li[data-path='${index + 1}'] > .tools [data-act='${name}']`));
          order(held);
        }
      }
    });
  }

  /** One order, into the list that is open. */
  function order(wanted) {
    const verb = Object.keys(wanted)[0], button = place.querySelector(`button[data-verb='${verb}']`);
    if (!button.checkVisibility()) press(place.querySelector("details.rest > summary"));
    press(button);
    const form = () => place.querySelector(`form[data-form='${verb}']`);
    fill(form(), Object.fromEntries(Object.entries(wanted).filter(([, value]) => !holdsOrders(value))));
    press(form().querySelector("button[type=submit]"));
  }

  /** The fields of a form, from the first to the last: which ones there are may depend on those before. */
  function fill(form, wanted) {
    const left = new Map(Object.entries(wanted));
    while (left.size) {
      const shown = within(form, ".fields > [data-field]"), field = shown.find((each) => left.has(each.dataset.field));
      if (!field) throw new Error(`no field for ${[...left.keys()]} among ${shown.map((each) => each.dataset.field)}`);
      if (field.tagName === "DETAILS" && !field.open) press(one(field, "summary"));
      const value = left.get(field.dataset.field);
      left.delete(field.dataset.field);
      control(field, value);
    }
  }

  /** The control below an element: a word, a number, yes or no, a list, a mapping, or one of several kinds. */
  function control(at, value) {
    const word = within(at, ".word")[0];
    if (within(at, "div > .either").length) either(within(at, "div").find((each) => within(each, ".either").length), value);
    else if (isMapping(value)) mapping(one(at, ".mapping"), value);
    else if (Array.isArray(value)) list(one(at, ".list"), value);
    else if (word) intoWord(word, String(value));
    else write(within(at, ".number > input, :scope > .text > input")[0], String(value));
  }

  /** What kind of value it is to be, then the value. */
  function either(at, value) {
    const select = one(at, "select"), wanted = isMapping(value) ? "mapping" : Array.isArray(value) ? "list" : Number.isInteger(value) ? "number" : "word";
    for (const choice of [...select.options].map((each) => each.value)) {
      choose(select, choice);
      const place = one(at, ".either"), inner = place.firstElementChild;
      const label = select.selectedOptions[0].innerText.trim().split(" – ")[0];
      if (!inner && label === value) return;
      const kind = inner?.classList[0], words = inner ? [...inner.querySelectorAll("option")].map((each) => each.value) : [];
      const offered = ["string", "boolean"].includes(typeof value)
        && (words.includes(String(value)) || (words.includes(ELSEWHERE) && typeof value === "string") || !words.length);
      if (kind === wanted && kind !== "word" || ["word", "text"].includes(kind) && offered) return control(place, value);
    }
    throw new Error(`no kind for ${JSON.stringify(value)}: ${select.innerText}`);
  }

  /** A word from the list, else beside it. */
  function intoWord(at, word) {
    const select = one(at, "select"), listed = [...select.options].some((each) => each.value === word);
    choose(select, listed ? word : ELSEWHERE);
    if (!listed) write(at.querySelector("input"), word);
  }

  /** Entry after entry; one too many is taken away. */
  function list(at, items) {
    const rows = () => within(at, "ol > li"), there = rows().length;
    items.forEach((item, index) => {
      if (there <= index) press(one(at, "[data-act=add]"));
      control(rows()[index], item);
    });
    for (let more = items.length; more < there; more += 1) press(one(rows().at(-1), ".moves [data-act=remove]"));
  }

  /** Name after name; one that isn't laid out is added. */
  function mapping(at, items) {
    for (const [name, value] of Object.entries(items)) {
      const part = () => within(at, `.parts > [data-field='${name}']`)[0];
      if (!part()) {
        control(one(at, ".adder"), name);
        press(one(at, ".adder > [data-act=add]"));
      }
      control(part(), value);
    }
  }

  /** Opens what is folded; what is in it is made when it has been opened. */
  function unfold() {
    if (place.tagName !== "DETAILS" || place.open) return undefined;
    const opened = new Promise((done) => place.addEventListener("toggle", done, { once: true }));
    press(one(place, "summary"));
    return opened;
  }

  /** The middle of a place on the map, or of a piece that stands there, in the window: where a click would hit it. */
  function where(name) {
    for (const element of document.querySelectorAll(`#map [data-name='${name}'], #map [data-at='${name}']`)) {
      element.scrollIntoView({ block: "center", inline: "center" });
      const box = element.getBoundingClientRect(), at = [box.x + box.width / 2, box.y + box.height / 2];
      const under = document.elementsFromPoint(...at).map((each) => each.closest("#map [data-name]"));
      if (under.some((each) => each && [each.dataset.name, each.dataset.at].includes(name))) return at;
    }
    throw new Error(`${name} can't be picked`);
  }

  function pick(names) {
    for (const name of names) {
      const at = where(name);
      click(document.elementFromPoint(...at), ...at);
    }
  }

  /** Names picked one after the other into a list, which is emptied before each: what it holds then. */
  function picked(field, names) {
    const list = () => place.querySelector(`[data-field='${field}'] select`);
    return names.map((name) => {
      choose(list(), "");
      pick([name]);
      return list().value;
    });
  }

  const acts = {
    orders,
    order,
    fill: (wanted) => fill(place, wanted),
    control: (value) => control(place, value),
    press: (selectors) => selectors.forEach((selector) => press(place.querySelector(selector))),
    unfold,
    where,
    pick,
    picked,
  };
  return acts[act](...given);
}
