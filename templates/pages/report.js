// Rules named in a text: their words appear beside the number on hovering, focus or a tap. Without scripts the
// number is a link to the list of rules. And: a link past the top for the keyboard, which stops at boxes that scroll only
// where there is more to see.
(() => {
  const skip = document.createElement("a");
  skip.className = "skip";
  skip.href = "#report";
  skip.textContent = document.body.dataset.skip;
  document.body.prepend(skip);
  document.body.dataset.ready = "";

  const boxes = () => {
    for (const box of document.querySelectorAll(".scroll:not(.map)")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  addEventListener("resize", boxes);
  addEventListener("load", boxes);
  boxes();

  const slip = document.createElement("div");
  slip.className = "slip";
  slip.id = "slip";
  slip.setAttribute("role", "tooltip");
  slip.hidden = true;
  document.querySelector("main").append(slip);
  let of = null;
  let leaving = 0;

  const hide = () => {
    slip.hidden = true;
    of?.removeAttribute("aria-describedby");
    of = null;
  };
  const show = (link) => {
    clearTimeout(leaving);
    if (of === link) return;
    hide();
    const rule = document.getElementById(link.hash.slice(1));
    if (!rule) return;
    of = link;
    slip.replaceChildren(...rule.cloneNode(true).childNodes);
    slip.hidden = false;
    link.setAttribute("aria-describedby", "slip");
    const at = link.getBoundingClientRect();
    const wide = document.documentElement.clientWidth;
    slip.style.left = `${scrollX + Math.max(16, Math.min(at.left, wide - slip.offsetWidth - 16))}px`;
    const above = at.bottom + slip.offsetHeight + 8 > innerHeight && at.top > slip.offsetHeight + 8;
    slip.style.top = `${scrollY + (above ? at.top - slip.offsetHeight - 6 : at.bottom + 6)}px`;
  };

  for (const link of document.querySelectorAll("a.rule")) {
    link.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && show(link));
    link.addEventListener("pointerleave", () => (leaving = setTimeout(hide, 200)));
    link.addEventListener("focus", () => link.matches(":focus-visible") && show(link));
    link.addEventListener("blur", hide);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      show(link);
    });
  }
  slip.addEventListener("pointerenter", () => clearTimeout(leaving));
  slip.addEventListener("pointerleave", () => (leaving = setTimeout(hide, 200)));
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("pointerdown", (event) => !slip.contains(event.target) && !event.target.closest?.("a.rule") && hide());
})();
