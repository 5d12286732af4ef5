// The map of a report: near or whole, in a box that scrolls; and what happened, step by step, each step a line of the
// story. What the steps show is in #replay: `lines` of SVG that the page lacks, each told by one that it has, and the
// steps as who, part, whether it is the reader's, the names it is about, its own signs, and what changes in the picture.
(() => {
  const pane = document.querySelector("div.map"), chart = pane?.firstElementChild;
  if (!chart) return;
  document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
  const { first, lines, who, seat, parts, steps, words } = JSON.parse(document.getElementById("replay").textContent);
  const MARGIN = 64, RING = 27, NEAR = 0.85, NEAR_ON_DESK = 1.15; // units of the map, and pixels for each of them
  const LEAST = 1300, WORD = 190, MOST_WORDS = 34, MOVE = 700, BETWEEN = 20; // milliseconds; words; pixels between letters
  const { width: WIDE, height: HIGH } = chart.viewBox.baseVal;
  const sight = document.createElement("section");
  sight.className = "sight";
  sight.setAttribute("aria-label", pane.getAttribute("aria-label"));
  pane.before(sight);
  const button = (act, text, more = "") => `<button type="button" data-act="${act}"${more}>${text}</button>`;
  for (const line of document.querySelectorAll("[data-step]")) {
    if (line.dataset.step < first) line.removeAttribute("data-step");
    else line.dataset.step -= first;
  }
  const icon = (path) => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  sight.innerHTML = `<div class="view" role="group" aria-label="${words.view}">${button("near", words.near)}${button("whole", words.whole)}${button("more", "+", ` aria-label="${words.more}"`)}${button("less", "−", ` aria-label="${words.less}"`)}${button("now", words.now)}</div>`
    + (steps.length ? `<div class="replay" role="group" aria-label="${words.label}"><div class="told"><p class="whose"></p><p class="words" aria-live="polite"></p></div><div class="ticks" aria-hidden="true"></div><div class="buttons">${button("back", `${icon("M15 5l-7 7 7 7")}${words.back}`)}${button("play", "")}${button("next", `${words.next}${icon("M9 5l7 7-7 7")}`)}${seat < 0 ? "" : button("mine", words.mine, ' aria-pressed="false"')}</div></div>` : "");
  sight.prepend(pane);
  sight.classList.add("on");
  const part = Object.fromEntries(["whose", "words", "ticks", "replay"].map((name) => [name, sight.querySelector(`.${name}`)]));
  const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const NOW = steps.length;
  let at = NOW, timer = 0, scale = 1, onlyMine = false, near = { x: 0, y: 0, w: WIDE, h: HIGH };

  // -- the picture of each step ----------------------------------------------------------------------------------------
  const layers = ["under", "over"].map((id) => document.getElementById(id));
  const nodes = [], layerOf = [], texts = [];
  for (const layer of layers) for (const node of layer.children) { layerOf.push(layer); nodes.push(node); }
  const SEAM = ')">', writer = new XMLSerializer();
  const textOf = (number) => (texts[number] ??= writer.serializeToString(nodes[number]).replace(/ xmlns="[^"]*"/, "").replace(/<title>.*?<\/title>/, ""));
  const base = nodes.map((_, number) => number);
  for (const told of lines) {
    const number = layerOf.length;
    if (typeof told === "string") {
      layerOf.push(layers[told[0] === "u" ? 0 : 1]);
      texts[number] = told.slice(1);
    } else {
      const [like, ...cuts] = told, other = textOf(like), seam = other.indexOf(SEAM);
      const halves = cuts.length > 3 ? [other.slice(0, seam), other.slice(seam + SEAM.length)] : [other];
      layerOf.push(layerOf[like]);
      texts[number] = halves.map((half, at) => half.slice(0, cuts[3 * at]) + cuts[3 * at + 1] + half.slice(half.length - cuts[3 * at + 2])).join(SEAM);
    }
  }
  const nodeOf = (number) => (nodes[number] ??= made("g", {}, texts[number]).firstElementChild);
  const frames = [];
  let frame = base;
  for (const [, , , , , edits] of steps) {
    frame = [...frame];
    for (const [start, count, more] of edits) frame.splice(start, count, ...more);
    frames.push(frame);
  }
  frames.push(base);
  const lit = chart.appendChild(made("g", { class: "lit" }));

  function made(name, values, inside = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    element.innerHTML = inside;
    return element;
  }
  const marksOf = (name) => [...chart.querySelectorAll(`[data-name="${CSS.escape(name)}"]:not(.sign)`)];
  function pointOf(name) {
    const mark = marksOf(name).sort((one, other) => ("x" in other.dataset) - ("x" in one.dataset))[0];
    if (!mark) return undefined;
    if ("x" in mark.dataset) return [Number(mark.dataset.x), Number(mark.dataset.y)];
    const { x, y, width, height } = mark.getBBox();
    return [x + width / 2, y + height / 2];
  }
  const places = () => new Map([...layers[1].querySelectorAll("[data-at]")].map(({ dataset }) => [dataset.name, [Number(dataset.x), Number(dataset.y)]]));

  function draw(number) {
    const before = places();
    for (const layer of layers) layer.replaceChildren(...frames[number].filter((each) => layerOf[each] === layer).map(nodeOf));
    if (calm()) return;
    for (const piece of layers[1].querySelectorAll("[data-at]")) {
      const from = before.get(piece.dataset.name), x = Number(piece.dataset.x), y = Number(piece.dataset.y);
      if (from && (from[0] !== x || from[1] !== y)) piece.animate([{ translate: `${from[0] - x}px ${from[1] - y}px` }, { translate: "0 0" }], { duration: MOVE, easing: "ease-in-out" });
    }
  }

  /** Rings around what a step is about; returns their points. */
  function light(number) {
    const points = number < NOW ? steps[number][3].map(pointOf).filter(Boolean) : [];
    lit.replaceChildren(...points.map(([cx, cy]) => made("circle", { cx, cy, r: RING })));
    return points;
  }

  /** Two corners of the box around a sign, which may have its place by a transform. */
  function ends(node) {
    const { x, y, width, height } = node.getBBox(), { e = 0, f = 0 } = node.transform.baseVal.consolidate()?.matrix ?? {};
    return [[x + e, y + f], [x + e + width, y + f + height]];
  }

  // -- near and far ----------------------------------------------------------------------------------------------------
  const boxAround = (points) => {
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    const x = Math.min(...xs) - MARGIN, y = Math.min(...ys) - MARGIN;
    return { x, y, w: Math.max(...xs) + MARGIN - x, h: Math.max(...ys) + MARGIN - y };
  };
  const whole = () => Math.min(pane.clientWidth / WIDE, pane.clientHeight / HIGH);
  const closest = () => Math.max(whole(), pane.clientWidth < 600 ? NEAR : NEAR_ON_DESK);

  function zoom(to, x, y, smooth = false) {
    const same = Math.abs(to - scale) < 0.01;
    scale = to;
    chart.style.width = `${WIDE * scale}px`;
    chart.style.setProperty("--scale", scale);
    pane.scrollTo({ left: x * scale - pane.clientWidth / 2, top: y * scale - pane.clientHeight / 2, behavior: same && smooth && !calm() ? "smooth" : "instant" });
  }
  const showBox = ({ x, y, w, h }, smooth) => zoom(Math.max(whole(), Math.min(closest(), pane.clientWidth / w, pane.clientHeight / h)), x + w / 2, y + h / 2, smooth);
  const middle = () => [(pane.scrollLeft + pane.clientWidth / 2) / scale, (pane.scrollTop + pane.clientHeight / 2) / scale];
  const by = (factor) => zoom(Math.max(whole(), Math.min(4, scale * factor)), ...middle());

  /** The reader's own pieces; where they are too far from each other, the middle one and what is around it. */
  function ownWaters() {
    const own = [...layers[1].querySelectorAll("[data-x]")].filter((sign) => sign.querySelector(`.s${seat}`)).map(({ dataset }) => [Number(dataset.x), Number(dataset.y)]);
    if (!own.length) return { x: 0, y: 0, w: WIDE, h: HIGH };
    const box = boxAround(own), least = 0.72 * closest();
    if (box.w * least <= pane.clientWidth && box.h * least <= pane.clientHeight) return box;
    const [x, y] = [0, 1].map((axis) => own.map((point) => point[axis]).sort((one, other) => one - other)[own.length >> 1]);
    const w = pane.clientWidth / least, h = pane.clientHeight / least;
    return { x: x - w / 2, y: y - h / 2, w, h };
  }

  // -- step by step ----------------------------------------------------------------------------------------------------
  const lineOf = (number) => document.querySelector(`[data-step="${number}"]`);
  const bare = (line) => {
    const copy = line.cloneNode(true);
    for (const list of copy.querySelectorAll("ul")) list.remove();
    return copy.innerHTML.replace(/\s*\((?:<a class="rule"[^>]*>[^<]*<\/a>(?:, )?)+\)/g, "");
  };
  const tag = ([colour, mark]) => `<span class="tag s${colour}">${mark}</span>`;

  function show(number) {
    at = number;
    draw(at);
    for (const line of document.querySelectorAll("[data-step]")) line.classList.toggle("shown", Number(line.dataset.step) === at);
    if (sight.classList.toggle("at-work", at < NOW) && !part.ticks.innerHTML) ticks();
    const points = light(at);
    tell();
    if (at === NOW) return;
    const drawn = steps[at][4].map(nodeOf).flatMap(ends);
    if (points.length + drawn.length) showBox(boxAround([...points, ...drawn]), true);
    if (matchMedia("(min-width: 1000px)").matches) lineOf(at).scrollIntoView({ block: "nearest", behavior: calm() ? "instant" : "smooth" });
  }

  function tell() {
    const [actor, of] = steps[at] ?? [];
    part.whose.innerHTML = at === NOW ? words.watch : `<span>${actor < 0 ? "" : `${tag(who[actor])} ${who[actor][2]} · `}${parts[of]}</span><b>${words.of.replace("{number}", at + 1).replace("{of}", NOW)}</b>`;
    part.words.innerHTML = at === NOW ? "" : bare(lineOf(at));
    for (const tick of part.ticks.querySelectorAll("i")) {
      const number = Number(tick.dataset.number);
      tick.classList.toggle("past", number <= at && at < NOW);
      tick.classList.toggle("here", number === at);
      tick.classList.toggle("others", onlyMine && !steps[number][2]);
    }
    const button = sight.querySelector("[data-act=play]");
    button.innerHTML = timer ? icon("M8 5v14M16 5v14") : icon("M7 4.5l12 7.5-12 7.5z");
    button.setAttribute("aria-label", timer ? words.pause : words.play);
  }

  /** The steps of one player are one group, its letter above them where there is room. */
  function ticks() {
    const wide = part.ticks.clientWidth / NOW;
    const groups = [];
    steps.forEach(([actor], number) => (groups.at(-1)?.[0] === actor ? groups.at(-1)[1].push(number) : groups.push([actor, [number]])));
    part.ticks.innerHTML = groups.map(([actor, all]) => `<span style="flex:${all.length}">${actor >= 0 && wide * all.length > BETWEEN + 6 * who[actor][1].length ? tag(who[actor]) : "<br>"}<span>${all.map((number) => `<i data-number="${number}"></i>`).join("")}</span></span>`).join("");
  }

  const next = (way) => {
    let number = at === NOW ? (way > 0 ? 0 : NOW - 1) : at + way;
    while (onlyMine && number >= 0 && number < NOW && !steps[number][2]) number += way;
    return number;
  };
  function go(way) {
    rest();
    const number = next(way);
    if (number >= 0 && number <= NOW) show(number);
  }
  function rest() {
    clearTimeout(timer);
    timer = 0;
    part.words.setAttribute("aria-live", "polite");
  }
  function play() {
    part.words.setAttribute("aria-live", "off");
    const number = next(1), count = number < NOW ? lineOf(number).textContent.split(/\s+/).length : 0;
    timer = number < NOW ? setTimeout(play, LEAST + WORD * Math.min(count, MOST_WORDS)) : 0;
    if (timer) show(number);
    else { rest(); tell(); }
  }

  const acts = {
    near: () => { show(NOW); showBox(near); },
    whole: () => zoom(whole(), WIDE / 2, HIGH / 2),
    more: () => by(1.35),
    less: () => by(1 / 1.35),
    back: () => go(-1),
    next: () => go(1),
    now: () => { rest(); show(NOW); showBox(near); },
    play() {
      if (timer) { rest(); tell(); } else play();
    },
    mine(button) {
      onlyMine = !onlyMine;
      button.setAttribute("aria-pressed", onlyMine);
      tell();
    },
  };
  if (!NOW) acts.near = () => showBox(near);
  const keys = { ArrowLeft: "back", ArrowRight: "next", Escape: "now" };
  sight.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-act]"), tick = target.closest("i"), mark = target.closest("[data-name]");
    if (button) acts[button.dataset.act](button);
    else if (tick) { rest(); show(Number(tick.dataset.number)); }
    else if (mark) about(mark.dataset.name, true);
    if (button && ["play", "back", "next"].includes(button.dataset.act) && innerWidth < 1000) sight.scrollIntoView({ block: "start" });
  });
  sight.addEventListener("keydown", (event) => {
    if (!NOW || !keys[event.key] || event.altKey || event.ctrlKey || event.metaKey || event.target === pane) return;
    event.preventDefault();
    acts[keys[event.key]]();
  });

  // -- story and map, lit together -------------------------------------------------------------------------------------
  function about(name, bring) {
    const found = steps.flatMap((step, number) => (step[3].includes(name) ? [lineOf(number)] : []));
    for (const line of document.querySelectorAll(".about")) line.classList.remove("about");
    for (const line of found) line.classList.add("about");
    if (bring && innerWidth >= 1000) found[0]?.scrollIntoView({ block: "nearest" });
  }
  chart.addEventListener("pointerover", ({ target, pointerType }) => pointerType === "mouse" && about(target.closest("[data-name]")?.dataset.name, false));
  for (const line of document.querySelectorAll("[data-step]")) {
    const number = Number(line.dataset.step);
    line.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && light(number));
    line.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && light(at));
    line.addEventListener("click", ({ target }) => {
      if (target.closest("a") || target.closest("[data-step]") !== line || String(getSelection())) return;
      rest();
      show(number);
      if (innerWidth < 1000) sight.scrollIntoView({ block: "start" });
    });
  }

  const begin = () => {
    near = ownWaters();
    part.ticks?.replaceChildren();
    if (at === NOW) showBox(near);
    if (at < NOW) show(at);
    else if (NOW) tell();
  };
  let width = innerWidth;
  addEventListener("resize", () => innerWidth !== width && ((width = innerWidth), begin()));
  begin();
})();
