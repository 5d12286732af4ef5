// The film of the map. What it shows is in #film: `lines` of SVG, and for each phase which of them lie under and
// over, and its story as HTML, escaped when it was written; `rules` are the words of the rules that stories name.
"use strict";
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const part = Object.fromEntries(
    ["player", "stage", "under", "over", "controls", "slider", "speed", "title", "headline", "score", "lines", "story", "page", "keys"]
      .map((id) => [id, document.getElementById(id)]));
  const picture = part.stage.querySelector("svg");
  const last = film.moments.length - 1;
  // How long a phase is shown: long enough to see what moves and to read its words. Quiet phases are short.
  // On a phone the map is near, and goes from one event to the next, each shown for a while.
  const STOP = 1100, ROOM = 0.75; // milliseconds; the part of the window in which events are seen together
  const LEAST = 900, WORD = 210, MOST_WORDS = 55, QUIET = 450, MOVE = 700; // milliseconds; how many words add to the time
  // The picture of everybody's points, in units of its 360 x 112 (`viewBox`): its lines lie within these sides, and to the
  // right of them names, each so far from a line's end, so far below its height, and so far from the next.
  const LEFT = 8, RIGHT = 318, TOP = 12, FOOT = 106, ASIDE = 7, LOWER = 4, APART = 14;
  const over = document.body.dataset.over !== undefined;
  let now = over ? 0 : last;
  let timer = 0, stops = [], going = [];

  const drawn = (numbers) => numbers.map((number) => film.lines[number]).join("\n");

  function show(number) {
    const moment = film.moments[(now = Math.min(Math.max(number, 0), last))], before = places();
    part.under.innerHTML = drawn(moment.under);
    part.over.innerHTML = drawn(moment.over);
    stops = stopsOf(before);
    follow(STOP);
    if (timer) move(before);
    if (now === last) document.body.classList.add("ended");
    picture.setAttribute("aria-label", moment.text);
    part.title.textContent = moment.title;
    const quiet = !moment.story && now < last;
    part.headline.classList.toggle("quiet", quiet);
    part.headline.innerHTML = moment.headline;
    if (quiet) part.headline.textContent = part.story.dataset.quiet;
    part.score.replaceChildren(...moment.stands.map(stand));
    part.lines.replaceChildren(...lines(moment));
    part.story.innerHTML = moment.story || `<p class="quiet"></p>`;
    for (const link of part.story.querySelectorAll("a.rule")) link.title = film.rules[link.textContent];
    part.page.href = moment.page;
    part.slider.value = now;
    part.slider.setAttribute("aria-valuetext", moment.title);
    for (const link of document.querySelectorAll("[data-phase]")) {
      if (Number(link.dataset.phase) === now) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  /** A player's points so far, beside a bar as long as they are many. */
  function stand([mark, name, seat, points, share]) {
    const row = document.createElement("li"), bar = document.createElement("span");
    const tag = Object.assign(document.createElement("span"), { className: `tag s${seat}`, textContent: mark, ariaHidden: "true" });
    bar.className = `points s${seat}`;
    bar.style.setProperty("--share", `${share}%`);
    row.append(tag, name, bar, Object.assign(document.createElement("b"), { textContent: points }));
    return row;
  }

  function svg(name, values, text = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  }

  /** Everybody's points at the end of each turn and now, as lines; what the film has not told yet is left out. */
  function lines(moment) {
    const told = film.moments.slice(0, now + 1).filter(({ turn, stands }, at, all) => stands.length && all[at + 1]?.turn !== turn);
    if (told.length < 2) return [];
    const turns = new Set(film.moments.map(({ turn }) => turn)).size - 1;
    const points = told.map(({ stands }) => new Map(stands.map(([mark, , , count]) => [mark, parseInt(count, 10) || 0])));
    const all = points.flatMap((each) => [...each.values()]), least = Math.min(...all) - 1, most = Math.max(...all);
    const x = (at) => LEFT + at * (RIGHT - LEFT) / Math.max(turns, told.length - 1);
    const y = (count) => FOOT - ((count - least) * (FOOT - TOP)) / (most - least);
    const drawn = moment.stands.map(([mark, , seat]) => svg("polyline", {
      class: `l${seat}`,
      points: points.map((each, at) => `${x(at)},${y(each.get(mark) ?? 0)}`).join(" "),
    }));
    let above = -Infinity;
    const names = moment.stands.map(([mark, , , count]) => {
      above = Math.max(above + APART, y(parseInt(count, 10) || 0));
      return svg("text", { x: x(told.length - 1) + ASIDE, y: above + LOWER }, `${mark} ${count}`);
    });
    const across = [TOP, (TOP + FOOT) / 2, FOOT].map((height) => `M${LEFT} ${height}H${RIGHT}`).join("");
    return [svg("path", { d: across }), ...drawn, ...names];
  }

  /** Where each piece stands, in units of the map. */
  function places() {
    const pieces = part.over.querySelectorAll("[data-name][data-at]");
    return new Map([...pieces].map(({ dataset }) => [dataset.name, [Number(dataset.x), Number(dataset.y)]]));
  }

  const pieceMoved = (before, { dataset: { name, x, y } }) => before.has(name) && (before.get(name)[0] !== Number(x) || before.get(name)[1] !== Number(y));

  /** Where something happens, in units of the map: ends of ways gone, fights and pieces that moved; what can be seen together is one stop. */
  function stopsOf(before) {
    const { width, height } = picture.viewBox.baseVal, scale = picture.clientWidth / width;
    if (!part.stage.classList.contains("near") || !scale) return [];
    const pieces = [...part.over.querySelectorAll("[data-name][data-at]")].filter((piece) => pieceMoved(before, piece));
    const signs = [...part.under.querySelectorAll(".way .tip"), ...part.over.querySelectorAll(".fight"), ...pieces];
    const found = [];
    for (const sign of signs) {
      const box = sign.getBBox(), { e = 0, f = 0 } = sign.transform.baseVal.consolidate()?.matrix ?? {};
      const x = box.x + box.width / 2 + e, y = box.y + box.height / 2 + f;
      const near = found.find((stop) => Math.abs(stop.x - x) * scale < (part.stage.clientWidth * ROOM) / 2 && Math.abs(stop.y - y) * scale < (part.stage.clientHeight * ROOM) / 2);
      if (!near) found.push({ x, y });
    }
    return found.map(({ x, y }) => [(x / width) * picture.clientWidth, (y / height) * picture.clientHeight]);
  }

  /** Goes from stop to stop, each for some milliseconds. */
  function follow(each) {
    going.forEach(clearTimeout);
    going = stops.map(([x, y], at) => setTimeout(() => part.stage.scrollTo({
      left: x - part.stage.clientWidth / 2,
      top: y - part.stage.clientHeight / 2,
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth",
    }), at * each));
  }

  /** Turns whose numbers would lie on each other have none. */
  function spread() {
    let end = -Infinity;
    for (const turn of document.querySelectorAll(".ruler span")) {
      const { left, right } = turn.getBoundingClientRect();
      turn.style.visibility = left < end + 4 ? "hidden" : "";
      if (left >= end + 4) end = right;
    }
  }

  /** Pieces that stood elsewhere move to where they stand now. */
  function move(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const piece of part.over.querySelectorAll("[data-name][data-at]")) {
      if (!pieceMoved(before, piece)) continue;
      const from = before.get(piece.dataset.name), x = Number(piece.dataset.x), y = Number(piece.dataset.y);
      piece.animate([{ translate: `${from[0] - x}px ${from[1] - y}px` }, { translate: "0 0" }], { duration: MOVE * part.speed.value, easing: "ease-in-out" });
    }
  }

  // The address names the phase, so that a friend can be sent to it.
  const named = () => history.replaceState(null, "", `#${now}`);

  function go(number) {
    rest();
    show(number);
    named();
  }

  // What changes is read aloud, but not while it plays.
  function spoken(how) {
    part.title.setAttribute("aria-live", how);
    part.story.setAttribute("aria-live", how);
  }

  function play() {
    if (now === last) show(0);
    part.player.classList.add("playing");
    spoken("off");
    next();
  }

  function next() {
    const { story, headline } = film.moments[now];
    const words = `${headline} ${story}`.replace(/<[^>]*>/g, " ").split(/\s+/).length;
    const wait = part.speed.value * Math.max(story ? LEAST + WORD * Math.min(words, MOST_WORDS) : QUIET, STOP * stops.length);
    if (stops.length) follow(wait / stops.length);
    timer = setTimeout(() => {
      show(now + 1);
      if (now < last) next();
      else go(last);
    }, wait);
  }

  function rest() {
    clearTimeout(timer);
    timer = 0;
    part.player.classList.remove("playing");
    spoken("polite");
  }

  const acts = {
    play: () => (timer ? go(now) : play()),
    first: () => go(0),
    back: () => go(now - 1),
    forward: () => go(now + 1),
    last: () => go(last),
    near(button) {
      const near = part.stage.classList.toggle("near");
      button.setAttribute("aria-pressed", near);
      show(now);
      part.stage.tabIndex = near ? 0 : -1;
    },
  };
  const keys = { " ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

  part.controls.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button) acts[button.dataset.act](button);
  });
  part.slider.addEventListener("input", () => {
    rest();
    show(Number(part.slider.value));
  });
  part.slider.addEventListener("change", named);
  // A key works here only if nothing else on the page uses it.
  function taken(on, key) {
    if (on !== document.body && !part.player.contains(on)) return true;
    return on.closest(key === " " ? "a, select, button" : "select, input, [tabindex='0']") !== null;
  }
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || taken(event.target, event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    acts[act]();
  });
  const addressed = () => {
    if (/^#\d+$/.test(location.hash)) {
      rest();
      show(Number(location.hash.slice(1)));
    }
  };
  addEventListener("hashchange", addressed);
  part.controls.hidden = part.keys.hidden = false;
  document.body.classList.add("film");
  if (matchMedia("(max-width: 58rem)").matches) acts.near(part.controls.querySelector(".near"));
  addEventListener("resize", spread);
  spread();
  if (over) show(now);
  addressed();
})();
