// The map that plays. What it shows stands in #film: `lines` of SVG, and for each phase which of them lie under and
// over, and its story as HTML, escaped when it was written; `rules` are the words of the rules that stories name.
"use strict";
(() => {
  const film = JSON.parse(document.getElementById("film").textContent);
  const part = Object.fromEntries(
    ["player", "stage", "under", "over", "controls", "slider", "speed", "title", "story", "page", "keys"]
      .map((id) => [id, document.getElementById(id)]));
  const picture = part.stage.querySelector("svg");
  const last = film.moments.length - 1;
  const QUIET = 0.4; // of the time of a phase: nothing happened in it
  let now = last;
  let timer = 0;

  const drawn = (numbers) => numbers.map((number) => film.lines[number]).join("\n");

  function show(number) {
    const moment = film.moments[(now = Math.min(Math.max(number, 0), last))];
    part.under.innerHTML = drawn(moment.under);
    part.over.innerHTML = drawn(moment.over);
    picture.setAttribute("aria-label", moment.text);
    part.title.textContent = moment.title;
    part.story.innerHTML = moment.story || `<p class="quiet"></p>`;
    if (!moment.story && now < last) part.story.firstChild.textContent = part.story.dataset.quiet;
    for (const link of part.story.querySelectorAll("a.rule")) link.title = film.rules[link.textContent];
    part.page.href = moment.page;
    part.slider.value = now;
    part.slider.setAttribute("aria-valuetext", moment.title);
    for (const link of document.querySelectorAll("[data-phase]")) {
      if (Number(link.dataset.phase) === now) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
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
    const wait = part.speed.value * (film.moments[now].story ? 1 : QUIET);
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
  // A key is ours where nothing else on the page has a use for it.
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
  addressed();
})();
