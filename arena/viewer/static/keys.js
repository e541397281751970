"use strict";
// Which keys belong to the match, and which to the control that has the focus.

const Keys = (() => {
  const { byId } = Dom;
  let pointed = false; // the mouse was used last, not the keyboard

  function wish(event, keys, choose) {
    if (/^\d$/.test(event.key)) return () => choose(Number(event.key));
    const round = event.shiftKey && { ArrowRight: "r", ArrowLeft: "R" }[event.key];
    return keys[round || event.key];
  }

  function taken(event) {
    const field = event.target.closest("input, select, textarea");
    if (field && (field.type !== "range" || event.key === "Home" || event.key === "End")) return true;
    return event.key === " " && Boolean(event.target.closest("button, a, summary"));
  }

  /** After a choice by mouse the keys belong to the match again; who came here by keyboard goes on choosing. */
  function release(event) {
    if (pointed) event.target.blur();
  }

  /** Do what keys wish for. keys: by their names; choose: is told a digit; ready: whether there is a match to be seen. */
  function listen(root, keys, choose, ready) {
    addEventListener("pointerdown", () => { pointed = true; }, true);
    addEventListener("keydown", () => { pointed = false; }, true);
    for (const list of root.querySelectorAll("select")) list.addEventListener("change", release);
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !ready() || byId("help").open || taken(event)) return;
      const wished = wish(event, keys, choose);
      if (!wished) return;
      event.preventDefault();
      wished();
    });
  }

  return { listen };
})();
