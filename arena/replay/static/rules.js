"use strict";
// The drawer with the rules: it opens beside the table, and marks the section that the current question is about.

const Rules = (() => {
  const { byId } = Dom;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const drawer = byId("rules");
  const button = byId("show-rules");
  let current = ""; // the id of the section that the question is about

  function scrollToSection() {
    const section = current && byId(current);
    if (!section || drawer.hidden) return;
    const text = byId("rules-text");
    const top = section.getBoundingClientRect().top - text.getBoundingClientRect().top + text.scrollTop;
    text.scrollTo({ top: Math.max(0, top - 8), behavior: still.matches ? "auto" : "smooth" });
  }

  /** Mark the section of the current question. id: of the section; "" for none. */
  function mark(id) {
    if (!drawer || id === current) return;
    for (const before of drawer.querySelectorAll("[aria-current]")) before.removeAttribute("aria-current");
    current = id;
    const section = id && byId(id);
    if (section) section.setAttribute("aria-current", "true");
    scrollToSection();
  }

  /** Open or close the drawer; the focus goes into it, and back to the button. */
  function toggle(open = drawer.hidden) {
    drawer.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    document.body.classList.toggle("with-rules", open);
    (open ? byId("rules-text") : button).focus({ preventScroll: true });
    scrollToSection();
    const moves = byId("moves");
    if (open && moves) moves.scrollIntoView({ block: "nearest" });
  }

  if (drawer) {
    button.onclick = () => toggle();
    byId("hide-rules").onclick = () => toggle(false);
    drawer.addEventListener("keydown", (event) => { if (event.key === "Escape") toggle(false); });
  }

  return { mark, toggle };
})();
