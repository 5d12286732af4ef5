// The map by keyboard: one stop of the tab key; arrows go to the neighbour, with Shift to any thing, Enter is a tap, + - 0 zoom. Screen readers are told what is there.

const cursor = { name: "" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The names that arrows go through: those that can be chosen now, else all. */
function reachable(all = false) {
  const active = activeNow();
  return active.length && !all ? active : [...spots.keys()];
}

/** The next name in a direction: of the neighbours on the board where they are known, else the nearest. */
function nextName([dx, dy], all) {
  const here = pointOf(cursor.name), names = reachable(all);
  if (!here || !names.includes(cursor.name)) return names[0];
  const beside = new Set(data.borders.flatMap((borders) => borders[cursor.name] ?? []));
  let best;
  for (const name of names) {
    const point = pointOf(name);
    if (name === cursor.name || !point) continue;
    const [x, y] = [point[0] - here[0], point[1] - here[1]], along = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (along <= 0 || aside > along * 2) continue;
    const cost = (along + aside * 1.5) * (beside.has(name) ? 0.4 : 1);
    if (!best || cost < best.cost) best = { name, cost };
  }
  return best?.name;
}

function moveCursor(name) {
  if (!name) return;
  cursor.name = name;
  const point = pointOf(name), targets = targetsNow();
  if (point) bringIn(...point);
  drawCursor();
  const steps = targets.get(name);
  const here = spots.get(name)?.titles[0] ?? titleOfSpot(name);
  announce(targets.has(name) ? say(steps === undefined ? "tap-can" : "tap-can-steps", { here, steps }) : here);
}

function prepareKeys() {
  pane.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    if (ARROWS[event.key]) moveCursor(nextName(ARROWS[event.key], event.shiftKey));
    else if (event.key === "Enter" || event.key === " ") { if (spots.has(cursor.name)) pickOnMap(cursor.name); }
    else if (["+", "-", "0"].includes(event.key)) zoomBy(event.key);
    else return;
    event.preventDefault();
  });
  pane.addEventListener("focus", () => { if (pane.matches(":focus-visible") && !reachable().includes(cursor.name)) moveCursor(reachable()[0]); else drawCursor(); });
  pane.addEventListener("blur", drawCursor);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (!$("chooser").hidden) { closeChooser(); pane.focus(); } else if (learned) forget();
      else if (now.making) act(done);
    }
    const typing = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
    if (typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" && event.key.toLowerCase() !== "y") return;
    event.preventDefault();
    if (event.key.toLowerCase() === "y" || event.shiftKey) redo();
    else undo();
  });
}
