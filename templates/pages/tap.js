// The map and its prompt: what is shown after each change, and how it begins.

/** What the engine said last, with the `sheet` that it said it of. */
let looked = {};
let asking = 0, askedBefore = "", subjectBefore, room;
const DESK = "(min-width: 70rem)";
const CHOICES = 184;  // the height between what is asked and what sends, in pixels, before the map gets any
const GUIDE = 282;  // the same while the guide is open
const BELOW = 60;  // what the buttons for zooming cover at the foot of the map, in pixels
const SMALLEST = 0.8;  // the names on the map are 13 units high, and no smaller than 10 pixels

/** Shows everything as it is now; the element with the focus keeps it. What reads sizes comes before all that changes
 * them, so that a browser lays the page out once. */
function showAll() {
  const held = document.activeElement?.closest?.("[data-key]")?.dataset.key;
  seeAnew();
  showStage();
  const subject = subjectOf(now.making), asks = `${subject ?? ""} ${seen.asked?.name ?? ""}`;
  if (subject !== subjectBefore) requestAnimationFrame(() => { $("do").scrollTop = 0; });
  subjectBefore = subject;
  if (!$("stage").hidden && asks !== askedBefore) showTargets();
  askedBefore = asks;
  showBeyond();
  showSteps();
  showPrompt();
  showRows();
  showGuide();
  showCards();
  showTotals();
  drawOwn();
  showHistory();
  if (held && !document.activeElement?.closest?.("[data-key]")) {
    const again = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === held && !each.disabled);
    (again ?? $("prompt")).focus({ preventScroll: true });
  }
}

/** Gives the choices their room, and keeps what scrolls into view from being covered by what always stays in view. */
function leaveRoom() {
  const asked = $("asking").offsetHeight, sends = $("send").offsetHeight;
  const least = asked + ($("guide").hidden ? CHOICES : GUIDE) + sends;
  if (same(room, [asked, sends, least])) return;
  room = [asked, sends, least];
  document.body.style.setProperty("--least", `${least}px`);
  for (const { style } of [$("do"), document.documentElement]) [style.scrollPaddingTop, style.scrollPaddingBottom] = [`${asked + 8}px`, `${sends + 8}px`];
}

/** The sheet was changed: it is written and kept, the form follows, the engine is asked. */
function changedAll() {
  forget();
  formFollows();
  written();
  showAll();
  if (now.making || now.chosen) announce(`${$("ask").textContent} ${$("help").textContent}`);
  else announce($("ask").textContent);
  askEngine();
}

/** Asks the engine what the page doesn't know yet, and says so if the engine fails. */
async function askEngine() {
  const judge = window.adjudicator?.engine ?? (typeof engine === "undefined" ? undefined : engine);
  try {
    if (judge) await askNews(judge);
  } catch (error) {
    asking++;  // choices that come later would say that all is well
    looked = {};
    showAll();
    showState("state-program-wrong", { why: error.message });
    showHistory();
  }
}

/** Asks what the rules say of the sheet. An answer that comes after another change is thrown away. */
async function askNews(judge) {
  const turn = ++asking, about = copied(sheet), isNews = () => turn === asking;
  const choices = judge.choices && askChoices(judge, isNews);
  const answer = same(about, looked.sheet) ? undefined : await judge.look(sheet, sheetOf(sheet));
  if (!isNews()) return;
  if (answer) {
    looked = { left: [], ...answer, sheet: about };
    choicesChanged();
    if (judge.choices && isMoved()) return changedAll();
    showAnswer();
  }
  await choices;
  if (judge.choices) await askMore(judge, isNews);
}

function showAnswer() {
  tellState();
  for (const line of document.querySelectorAll("#form [data-path]")) line.tellDoubt();
  const asked = $("ask").textContent;
  showAll();
  if ($("ask").textContent !== asked) announce($("ask").textContent);
}

/** Shows the map if something can be tapped or is drawn on it, on a desktop in any phase of the sheet; else folds it away. */
function showStage() {
  const phases = matchMedia(DESK).matches ? phasesOfSheet() : [now.phase];
  const needed = phases.some((phase) => Object.keys(knownIn(phase).verbs).some((verb) => namedIn(phase, verb).length || wayFields(phase, verb).size)
    || ordersFor(phase).orders.some((order) => namesOnMap(order, new Set(), phase).length));
  const was = $("stage").hidden, folded = !needed && !$("stage").dataset.opened, strip = promptOf("folded", now.phase, now.phase);
  $("fold").hidden = !strip;
  $("fold").textContent = strip ?? "";
  document.body.classList.toggle("strip", Boolean(strip) && $("fold").ariaExpanded !== "true");
  document.body.classList.toggle("no-map", folded);
  $("show-map").hidden = needed || !folded;
  $("stage").hidden = folded;
  if (was && !folded) beginView();
}

function showHistory() {
  $("undo").disabled = !past.length;
  $("redo").disabled = !future.length;
  const count = ordersIn(sheet).length, orders = say("tap-orders", { count });
  $("mail-it").textContent = typeof window.adjudicator?.handIn === "function" ? window.adjudicator.handsIn ?? say("hand-in") : count ? say("tap-send", { orders }) : say("tap-send-mail");
  $("mail").classList.toggle("main", !isEmpty());
  const refused = refusedNow(), wrong = refused.length > 0 || $("state").className === "wrong";
  $("brief").textContent = [...briefly(refused), ...(wrong && !refused.length ? [$("state").textContent] : [])].join(" ");
  $("brief").classList.toggle("wrong", wrong);
}

/** What a sender should know of the sheet, in short sentences. */
function* briefly(refused) {
  const left = leftToDecide().length, open = openPhases(), some = ordersIn(sheet).length > 0;
  if (refused.length) yield say(refused.length === 1 ? "tap-problem" : "tap-problems", { numbers: listed(refused.map(String)) });
  if (now.making && now.making.index === undefined) yield say("tap-unfinished");
  if ($("form").open && document.querySelector("#form form[data-form]")) yield say("tap-not-added");
  if (left) yield say("tap-left", { count: left });
  if (some && open.length) yield say("tap-still-open", { phases: listed(open.map(titleOf)) });
  if (!some && !left && isEmpty()) yield say("tap-no-sheet");
  if (!some && phasesOfSheet().some((phase) => ordersFor(phase).pass)) yield say("tap-nothing-ordered");
}

/** Shows the reader's own pieces first. */
function beginView() {
  if (!spots.size) readSpots();
  const own = [...subjectsIn(now.phase).keys()], pieces = own.filter(isOwnPiece), names = pieces.length ? pieces : own.length ? own : [...spots.keys()].filter(isOwnPiece);
  const points = names.map(pointOf).filter(Boolean);
  if (!points.length) return showWhole();
  const part = partRound(points, 90);
  showPart(part);
  if (part.w * view.scale > pane.clientWidth || part.h * view.scale > pane.clientHeight) centre(...nearestTo(points, part));
}

/** Brings what can answer the open question into view: as much as fits in at a readable scale, what is near to its subject first. */
function showTargets() {
  const subject = subjectOf(now.making), own = subject === undefined ? undefined : pointOf(subject);
  const points = [own, ...[...seen.targets.keys()].map(isWayAsked() ? wayPointOf : pointOf)].filter(Boolean);
  const outside = points.some((point) => { const [x, y] = inPane(...point); return x < 16 || y < 16 || x > pane.clientWidth - 16 || y > pane.clientHeight - BELOW; });
  if (!outside || !seen.targets.size) return;
  const least = Math.max(SMALLEST, pane.clientHeight / HIGH_UNITS), far = ([x, y]) => (own ? Math.hypot(x - own[0], y - own[1]) : 0);
  const near = [...points].sort((one, other) => far(one) - far(other));
  const fits = ({ w, h }) => w * least <= pane.clientWidth && h * least <= pane.clientHeight;
  const partOf = (count) => { const part = partRound(near.slice(0, count), 30); return { ...part, h: part.h + BELOW / least }; };
  let count = points.length;
  while (count > 1 && !fits(partOf(count))) count -= 1;
  if (own || count === points.length) showPart(partOf(count), { least, most: Math.max(view.scale, least) });
}

/** The part of the map that has points in it, with room round them. */
function partRound(points, room) {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y), x = Math.min(...xs), y = Math.min(...ys);
  return { x: x - room, y: y - room, w: Math.max(...xs) - x + 2 * room, h: Math.max(...ys) - y + 2 * room };
}

/** The point round which most of the points fit into view, if they don't all fit. */
function nearestTo(points) {
  const near = ([x, y]) => points.filter(([px, py]) => Math.abs(px - x) * 2 * view.scale < pane.clientWidth && Math.abs(py - y) * 2 * view.scale < pane.clientHeight).length;
  return [...points].sort((one, other) => near(other) - near(one))[0];
}

/** The form has the same sheet: it is made when it is opened, and again when the sheet was changed here. */
function formFollows() {
  if ($("form").open) build();
}

function prepareTap() {
  $("asking").hidden = false;
  document.body.style.setProperty("--own", `var(--seat-${data.seat})`);
  now.phase = data.kind;
  readSpots();
  prepareZoom();
  prepareKeys();
  pane.addEventListener("click", (event) => {
    const names = $("form").open && document.querySelector("#form form[data-form]") ? picked(event) : [];
    if (names.length) pick(names);
    else tapped(event);
  });
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("show-map").addEventListener("click", () => { $("stage").dataset.opened = "yes"; showAll(); pane.focus(); });
  addEventListener("resize", told);
  const sizes = new ResizeObserver(leaveRoom);
  for (const id of ["stage", "asking", "send"]) sizes.observe($(id));
  $("form").addEventListener("toggle", leaveRoom);
  for (const event of ["click", "input"]) $("form").addEventListener(event, showHistory);
  $("paste-fold").addEventListener("toggle", () => $("load").scrollIntoView({ block: "nearest" }));
  $("fold").addEventListener("click", () => { $("fold").ariaExpanded = String($("fold").ariaExpanded !== "true"); showStage(); beginView(); });
  $("unfold").addEventListener("click", () => $("unfold").setAttribute("aria-expanded", String($("send").classList.toggle("open"))));
  showAll();
  leaveRoom();
  if (!$("stage").hidden) beginView();
  askEngine();
}
