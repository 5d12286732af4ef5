// The page's own layer on the map: what glows, what is chosen, and the orders, dashed until they are sent.

const SVG = "http://www.w3.org/2000/svg";
const DASHED = "9 5.5";
// Where an order's number stands, from the middle of its thing's mark, in units of the map: across and down, beside
// a mark with a name or one alone. A name more than ASIDE to the left of the middle leaves the right free.
const BESIDE = [19, 17], ALONE = [23, 18], ASIDE = 15;

function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** What glows or is chosen lies below the map's own signs and names, which stay as they are; everything else lies on top. */
function drawOwn() {
  if (!chart) return;
  for (const layer of chart.querySelectorAll(":scope > .own")) layer.remove();
  const glowing = glows();
  chart.insertBefore(ownLayer([...glowing.map(glow), ...chosenMark()]), chart.querySelector(":scope > [data-name]"));
  chart.append(ownLayer([...glowing.flatMap(steps), ...drawnOrders()]));
  drawCursor();
}

const ownLayer = (parts, more = {}) => s("g", { class: "own", "aria-hidden": "true", ...more }, ...parts);

/** The mark of the keyboard on the map, on top of all. It comes and goes alone: each tap moves the focus to the map. */
function drawCursor() {
  chart.querySelector(":scope > [data-cursor]")?.remove();
  const point = pane.matches(":focus-visible") && cursor.name ? pointOf(cursor.name) : undefined;
  if (point) chart.append(ownLayer([s("circle", { class: "cursor", cx: point[0], cy: point[1], r: 28 })], { "data-cursor": "" }));
}

/** What can answer the open question, with the number of steps to it. If no order is unfinished, what one can begin with. */
function glows() {
  const targets = targetsNow(), asked = targets.size > 0, pointFor = asked && isWayAsked() ? wayPointOf : pointOf;
  const unfinished = now.making && now.making.index === undefined;
  const shown = asked || unfinished ? [...targets] : openSubjects(now.phase).map((name) => [name]);
  return shown.map(([name, count]) => ({ name, count, point: pointFor(name) })).filter(({ point }) => point);
}

const glow = ({ name, point: [x, y] }) => s("circle", { class: seen.perhaps.has(name) ? "glow perhaps" : "glow", cx: x, cy: y, r: 23 });

/** The number of steps to a place that glows, beside the place if a piece stands on it. */
function steps({ count, point: [x, y] }) {
  if (count === undefined) return [];
  const taken = [...spots.values()].some((spot) => spot.at && spot.at !== spot.name && spot.points.some(([px, py]) => Math.hypot(px - x, py - y) < 20));
  const by = taken || count > 9 ? 18 : 0;
  return [s("circle", { class: "reach", cx: x + by, cy: y + by, r: by ? 10.5 : 14.5 }), s("text", { class: "steps", x: x + by, y: y + by }, String(count))];
}

function* chosenMark() {
  const name = subjectOf(now.making), point = name === undefined ? undefined : pointOf(name);
  if (point) yield s("circle", { class: "chosen", cx: point[0], cy: point[1], r: 27 });
  const [x, y] = (learned && pointOf(learned.name)) ?? [];
  if (x !== undefined) yield s("circle", { class: "learned", cx: x, cy: y, r: 27 });
}

// -- orders --------------------------------------------------------------------------------------------------------------

/** The orders of all phases of the sheet, in the order of the list, each with its number. */
function numbered() {
  let number = 0;
  return phasesOfSheet().flatMap((phase) => ordersFor(phase).orders.map((order, index) => ({ phase, order, index, number: ++number })));
}

function* drawnOrders() {
  const gone = new Map();  // where the orders above have sent things
  numbersDrawn.length = 0;
  for (const { phase, order, index, number } of numbered()) {
    const verb = verbIn(order);
    if (!verb || !has(verbsOf(phase), verb)) continue;
    yield* drawnOrder(phase, verb, order, number, gone, lookedAt(phase, index)?.state !== REFUSED);
  }
  if (programIsHere()) yield* drawnMay(gone);
  yield* drawnGood(gone);
}

/** The good order of the guide, dotted, while the guide shows it. */
function* drawnGood(gone) {
  const order = goodOrderNow();
  if (order) yield s("g", { class: "advised" }, ...drawnOrder(now.phase, verbIn(order), order, "?", gone, true));
}

/** The last thing on the map that an order names. */
const endsAt = (phase, order) => namesOnMap(order, wayFields(phase, verbIn(order)), phase).at(-1);

/** An order on the map: its way; else a line from its subject to the other place it names; else a mark at the only place. */
function* drawnOrder(phase, verb, order, number, gone, goes) {
  const ways = wayFields(phase, verb), way = [...ways].map((name) => order[name]).find((value) => isList(value) && value.length && value.every((each) => typeof each === "string" && spots.has(each)));
  const names = namesOnMap(order, ways, phase), subject = names[0];
  const went = gone.get(subject), start = went ?? spots.get(subject)?.at ?? order.from ?? subject;
  const from = () => (went === undefined ? pointOf(subject) : wayPointOf(went));
  if (way) gone.set(subject, way.at(-1));
  const current = now.making?.phase === phase && now.making.index !== undefined && ordersFor(phase).orders[now.making.index] === order;
  const side = phase === data.kind ? "disc" : "square";
  const fought = promptOf("marks", phase, verb) === "fight" ? pointOf(names.at(-1)) : undefined;
  if (fought) {
    yield s("circle", { class: "fought", cx: fought[0], cy: fought[1], r: 24 });
    yield* numberOnMap(fought[0] + 22, fought[1] - 18, number, side);
  } else if (way) {
    const points = [wayPointOf(start), ...way.map(wayPointOf)].filter(Boolean);
    if (goes) yield* ghost(subject, points);
    yield* wayOnMap(points, number, side, current);
  } else if (names.length > 1 && names[1] !== went && !same(from(), pointOf(names[1]))) {
    yield* wayOnMap([from(), pointOf(names[1])].filter(Boolean), number, side, current);
  } else if (subject !== undefined && pointOf(went ?? subject)) {
    yield* numberOnMap(...besideMark(went ?? subject), number, side);
  }
}

/** A piece as it will lie at the end of its way: its own sign, pale. */
function* ghost(name, points) {
  const piece = chart.querySelector(`[data-at][data-name="${CSS.escape(name)}"]`), [toX, toY] = points.at(-1);
  if (!piece || spots.get(name).at === name) return;
  const made = piece.cloneNode(true), begin = wayPointOf(spots.get(name).at) ?? points[0], [x, y] = pointOf(name);
  const over = [toX - begin[0], toY - begin[1]], isTaken = [...spots.values()].some(({ points: all }) => all.some(([px, py]) => Math.hypot(px - x - over[0], py - y - over[1]) < 20));
  for (const key of Object.keys(made.dataset)) delete made.dataset[key];
  made.querySelector("title")?.remove();
  made.setAttribute("class", "ghost");
  made.setAttribute("transform", `translate(${over[0]} ${over[1] + (isTaken ? 32 : 0)}) ${piece.getAttribute("transform") ?? ""}`);
  yield made;
}

/** The things on the map that an order names. Its subject comes first: what the rulebook declares, else a piece. */
function namesOnMap(order, ways, phase = now.phase) {
  const verb = verbIn(order), declared = aboutOf(phase, verb).subject ?? [];
  const isPiece = (value) => { const { at, name } = spots.get(String(value)); return Boolean(at && at !== name); };
  const rank = ([field, value]) => (declared.includes(field) ? declared.indexOf(field) : isPiece(value) ? declared.length : declared.length + 1);
  return Object.entries(order)
    .filter(([field, value]) => !["if", "else"].includes(field) && !ways.has(field) && ["string", "number"].includes(typeof value) && spots.has(String(value)))
    .filter(([field, value]) => typeof value === "string" || declared.includes(field) || isPiece(value))
    .sort((one, other) => rank(one) - rank(other))
    .map(([, value]) => String(value));
}

/** Beside the mark of a thing, at the corner that is away from its name. */
function besideMark(name) {
  const [x, y] = pointOf(name), { label } = spots.get(name);
  if (!label) return [x - ALONE[0], y - ALONE[1]];
  return [label[0] < x - ASIDE ? x + BESIDE[0] : x - BESIDE[0], label[1] < y ? y + BESIDE[1] : y - BESIDE[1]];
}

function* wayOnMap(points, number, side, current) {
  if (points.length < 2) return;
  const line = curved(points), [x, y] = points.at(-1), [bx, by] = points.at(-2), long = Math.hypot(x - bx, y - by) || 1;
  const dx = (x - bx) / long, dy = (y - by) / long;
  yield s("path", { class: "edge-of-way", d: line });
  yield s("path", { class: `way-ordered${current ? " current" : ""}`, d: line, "stroke-dasharray": DASHED });
  yield s("path", { class: "head-of-way", d: `M${x} ${y}L${x - 13 * dx - 6 * dy} ${y - 13 * dy + 6 * dx}L${x - 13 * dx + 6 * dy} ${y - 13 * dy - 6 * dx}z` });
  yield* numberOnMap(x + 17 * dx - 6 * dy, y + 17 * dy + 6 * dx, number, side);
}

const numbersDrawn = [];

/** An order's number, moved aside from those that are drawn already. */
function* numberOnMap(x, y, number, side) {
  while (numbersDrawn.some(([px, py]) => Math.hypot(px - x, py - y) < 20)) x += 21;
  numbersDrawn.push([x, y]);
  yield side === "disc" ? s("circle", { class: "number", cx: x, cy: y, r: 10.5 }) : s("rect", { class: "number", x: x - 10, y: y - 10, width: 20, height: 20, rx: 5 });
  yield s("text", { class: "of-number", x, y }, String(number));
}

/** A line through points, rounded where it bends. */
function curved(points) {
  let line = `M${points[0].join(" ")}`;
  for (let index = 1; index < points.length - 1; index += 1) {
    const [px, py] = points[index - 1], [x, y] = points[index], [nx, ny] = points[index + 1];
    const cut = (ax, ay) => { const long = Math.hypot(ax - x, ay - y) || 1, by = Math.min(22, long / 2) / long; return [x + (ax - x) * by, y + (ay - y) * by]; };
    line += `L${cut(px, py).join(" ")}Q${x} ${y} ${cut(nx, ny).join(" ")}`;
  }
  return `${line}L${points.at(-1).join(" ")}`;
}

// -- what is out of sight --------------------------------------------------------------------------------------------

let beyond = "";
/** Says on each side how many of the things that glow lie beyond it. */
function showBeyond() {
  const place = $("beyond");
  if (!place || !chart || $("stage").hidden) return;
  const sides = { left: [], right: [], up: [], down: [] };
  for (const { point } of glows()) {
    const [x, y] = inPane(...point);
    if (x < 0) sides.left.push(point);
    else if (x > pane.clientWidth) sides.right.push(point);
    else if (y < 0) sides.up.push(point);
    else if (y > pane.clientHeight) sides.down.push(point);
  }
  const found = Object.entries(sides).filter(([, points]) => points.length), text = JSON.stringify(found);
  if (text === beyond) return;
  beyond = text;
  place.replaceChildren(...found.map(([side, points]) => {
    const each = chip(say(`tap-more-${side}`, { count: points.length }), `more-${side}`, () => centre(...points[0]), { label: say("tap-more-glow", { count: points.length }) });
    each.className = `more ${side}`;
    return each;
  }));
}
