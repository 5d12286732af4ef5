// Where things are on the map, and which of them a tap means: the nearest centre. If two are near, a chooser asks.

const REACH = 22;  // how far from a centre, in pixels, a tap still means it: 44 across
const NEAR = 8;    // two centres whose distances from the tap differ by less are both meant
/** By name: the points where a thing can be tapped, its last mark and its label, what the map says of it, its place, and whether it has the reader's colour. */
const spots = new Map();

/** Reads the map's targets. */
function readSpots() {
  if (!chart) return;
  for (const element of chart.querySelectorAll("[data-name]")) {
    const { name, at } = element.dataset;
    const spot = spots.get(name) ?? { name, at, points: [], titles: [], own: false };
    const point = centreOf(element);
    spot.points.push(point);
    spot[element.matches("text") ? "label" : "mark"] = point;
    if ("way" in element.dataset || !spot.way) spot.way = point;
    spot.at ??= at;
    const title = element.querySelector("title")?.textContent;
    if (title && !spot.titles.includes(title)) spot.titles.push(title);
    spot.own ||= element.querySelector(`.s${data.seat}`) !== null;
    spots.set(name, spot);
  }
}

/** An element's centre on the map: `data-x` and `data-y`; else what it is drawn round, so that nothing need be laid out; else the middle of its box. */
function centreOf(element) {
  const { x, y } = element.dataset;
  if (x !== undefined) return [Number(x), Number(y)];
  const isRound = element.matches("circle, use, text.mid, .sign"), box = isRound ? undefined : element.getBBox();
  const given = (name) => Number(element.getAttribute(`c${name}`) ?? element.getAttribute(name) ?? 0);
  let point = isRound ? new DOMPoint(given("x"), given("y")) : new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
  for (let each = element; each !== chart; each = each.parentNode) {
    for (const { matrix } of [...each.transform.baseVal].reverse()) point = point.matrixTransform(matrix);
  }
  return [point.x, point.y];
}

/** Where a piece or a place shows: a piece at itself, a place at its last mark (its town rather than its water), not at its name. */
const pointOf = (name) => { const { mark, points } = spots.get(String(name)) ?? {}; return mark ?? points?.at(-1); };
const wayPointOf = (name) => spots.get(String(name))?.way;

/** Is it a piece of the reader's? */
const isOwnPiece = (name) => { const spot = spots.get(name); return Boolean(spot?.own && spot.at && spot.at !== name); };

/** The names of `active` that a tap means, nearest first: one, or those that are equally near. */
function meant([x, y], active) {
  const found = [];
  for (const name of active) {
    const far = Math.min(...(spots.get(name)?.points ?? []).map(([px, py]) => Math.hypot(px - x, py - y) * view.scale));
    if (far <= REACH) found.push({ name, far });
  }
  found.sort((one, other) => one.far - other.far);
  return found.filter(({ far }) => far - found[0].far < NEAR).map(({ name }) => name);
}

/** What can be tapped now: what can answer the open question, and everything that can be the subject of an order. */
function activeNow() {
  const targets = [...targetsNow().keys()].map(String);
  return [...new Set([...targets, ...subjectsIn(now.phase).keys()])];
}

/** What can be tapped now, if a tap means it; else whatever is nearest. */
function meantOrNear(at) {
  const names = meant(at, spots.keys()), active = new Set(activeNow()), now = names.filter((name) => active.has(name));
  return now.length ? now : names.length ? names : meant(at, active);
}

function tapped({ clientX, clientY }) {
  closeChooser();
  forget();
  const at = onMap(clientX, clientY), targets = new Set([...targetsNow().keys()].map(String));
  const first = meant(at, targets), names = first.length ? first : meantOrNear(at);
  if (!names.length) return learnNothing();
  if (names.length === 1) pickOnMap(names[0]);
  else openChooser(names, clientX, clientY);
}

/** A name on the map was picked: it answers the open question, or an order about it begins. */
function pickOnMap(name) {
  cursor.name = name;
  const targets = targetsNow();
  if ([...targets.keys()].map(String).includes(name)) return act(() => answer(name));
  if (activeNow().includes(name) || verbsAbout(name).length) return choose(name);
  learn(name);
}

// -- the chooser -------------------------------------------------------------------------------------------------------

function openChooser(names, clientX, clientY) {
  const box = $("stage").getBoundingClientRect(), place = $("chooser");
  place.replaceChildren(...names.map((name) => chip(titleOfSpot(name), "choose", () => { closeChooser(); pickOnMap(name); })));
  place.hidden = false;
  place.style.left = `${Math.max(8, Math.min(clientX - box.left, box.width - place.offsetWidth - 8))}px`;
  place.style.top = `${Math.max(8, Math.min(clientY - box.top, box.height - place.offsetHeight - 8))}px`;
  place.querySelector("button").focus();
  announce(say("tap-which", { names: listed(names.map(nameOf)) }));
}

function closeChooser() {
  if ($("chooser")) $("chooser").hidden = true;
}

/** The name of a thing on the map, and where it is. */
function titleOfSpot(name) {
  const { at } = spots.get(name) ?? {};
  return at && at !== name ? say("tap-at", { name: capital(nameOf(name)), place: nameOf(at) }) : capital(nameOf(name));
}

/** What the map says of a thing, beside its name; empty if nothing. */
const factsOf = (name) => (spots.get(name)?.titles ?? []).map((title) => title.split(": ").slice(1).join(": ")).filter(Boolean).join("; ");
