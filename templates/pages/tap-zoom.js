// Zoom and pan: the map lies in a box that scrolls, and a transform scales it, so that its texts are laid out once. Two
// fingers on a touch screen; on a desk the wheel with Ctrl, and + - 0. One finger scrolls the page, so that a reader can
// always leave the map.

const LARGEST = 4;
const pane = $("map"), chart = pane?.querySelector("svg");
/** `aside` is the room to the left of a map that is narrower than its pane, in pixels. */
const view = { scale: 1, aside: 0, least: 0.2 };
const [, , WIDE_UNITS = 1, HIGH_UNITS = 1] = (chart?.getAttribute("viewBox") ?? "").split(/\s+/).map(Number);

/** Sets the scale; what is at (x, y) of the pane stays there. */
function zoomTo(scale, x = pane.clientWidth / 2, y = pane.clientHeight / 2) {
  putAt(scale, ...ofPane(x, y), x, y);
}

/** Sets the scale, and moves the map so that its own place comes to (x, y) of the pane. */
function putAt(scale, ownX, ownY, x, y) {
  setScale(Math.min(LARGEST, Math.max(view.least, scale)));
  pane.scrollTo(ownX * view.scale + view.aside - x, ownY * view.scale - y);
  told();
}

function setScale(scale) {
  view.scale = scale;
  view.aside = Math.max(0, (pane.clientWidth - WIDE_UNITS * scale) / 2);
  chart.style.transform = `translateX(${view.aside}px) scale(${scale})`;
}

/** Shows a part of the map, in its own units, at a scale at which its names can be read. */
function showPart({ x, y, w, h }, { least = 1, most = 1.5 } = {}) {
  view.least = Math.min(pane.clientWidth / WIDE_UNITS, pane.clientHeight / HIGH_UNITS);
  const fit = Math.min(pane.clientWidth / w, pane.clientHeight / h);
  setScale(Math.max(view.least, Math.min(most, Math.max(least, fit))));
  centre(x + w / 2, y + h / 2);
}

function centre(x, y) {
  pane.scrollTo(x * view.scale + view.aside - pane.clientWidth / 2, y * view.scale - pane.clientHeight / 2);
  told();
}

/** The whole map, as large as it goes into the pane. */
const showWhole = () => showPart({ x: 0, y: 0, w: WIDE_UNITS, h: HIGH_UNITS }, { least: 0 });

/** The point of the pane at which the map's own point (x, y) lies. */
const inPane = (x, y) => [x * view.scale + view.aside - pane.scrollLeft, y * view.scale - pane.scrollTop];

/** The point of the map, in its own units, that lies at (x, y) of the pane. */
const ofPane = (x, y) => [(pane.scrollLeft + x - view.aside) / view.scale, (pane.scrollTop + y) / view.scale];

/** The place on the map, in its own units, of a point of the window. */
function onMap(clientX, clientY) {
  const box = chart.getBoundingClientRect();
  return [(clientX - box.left) / view.scale, (clientY - box.top) / view.scale];
}

/** Brings a point of the map into view if it is out of it, or near the edge. */
function bringIn(x, y, edge = 40) {
  const [left, top] = inPane(x, y);
  if (left < edge || top < edge || left > pane.clientWidth - edge || top > pane.clientHeight - edge) centre(x, y);
}

let telling = 0;
/** The view has changed: what depends on it is drawn again, once a frame, when everything is laid out anyway. */
function told() {
  if (telling) return;
  telling = requestAnimationFrame(() => { telling = 0; showBeyond(); });
}

function prepareZoom() {
  if (chart) Object.assign(chart.style, { width: `${WIDE_UNITS}px`, height: `${HIGH_UNITS}px` });
  let fingers;
  const between = ([one, other]) => {
    const box = pane.getBoundingClientRect();
    return { x: (one.clientX + other.clientX) / 2 - box.left, y: (one.clientY + other.clientY) / 2 - box.top, far: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) };
  };
  pane.addEventListener("touchstart", (event) => {
    if (event.touches.length !== 2) return;
    const { x, y, far } = between(event.touches);
    const [ownX, ownY] = ofPane(x, y);
    fingers = { scale: view.scale / (far || 1), x: ownX, y: ownY };
    event.preventDefault();
  }, { passive: false });
  pane.addEventListener("touchmove", (event) => {
    if (!fingers || event.touches.length !== 2) return;
    event.preventDefault();
    const { x, y, far } = between(event.touches);
    putAt(fingers.scale * far, fingers.x, fingers.y, x, y);
  }, { passive: false });
  for (const end of ["touchend", "touchcancel"]) pane.addEventListener(end, (event) => { if (event.touches.length < 2) fingers = undefined; });
  pane.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = pane.getBoundingClientRect();
    zoomTo(view.scale * 1.0015 ** -event.deltaY, event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  pane.addEventListener("scroll", told, { passive: true });
  for (const each of document.querySelectorAll("[data-zoom]")) each.addEventListener("click", () => zoomBy(each.dataset.zoom));
}

function zoomBy(how) {
  if (how === "0") showWhole();
  else zoomTo(view.scale * (how === "+" ? 1.3 : 1 / 1.3));
}
