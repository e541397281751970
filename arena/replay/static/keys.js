"use strict";
// Keyboard shortcuts of the replay, except where the focused control uses the key itself.

const Keys = (() => {
  const { byId } = Dom;
  let pointerUsed = false; // the last input came from the mouse, not the keyboard

  function actionFor(event, keys, choose) {
    if (/^\d$/.test(event.key)) return () => choose(Number(event.key));
    const round = event.shiftKey && { ArrowRight: "r", ArrowLeft: "R" }[event.key];
    return keys[round || event.key];
  }

  function belongsToControl(event) {
    const field = event.target.closest("input, select, textarea");
    if (field && (field.type !== "range" || event.key === "Home" || event.key === "End")) return true;
    return event.key === " " && Boolean(event.target.closest("button, a, summary"));
  }

  /** After a choice by mouse, take the focus off the list, so that keys control the match again. */
  function blurAfterMouse(event) {
    if (pointerUsed) event.target.blur();
  }

  /** Handle keys. keys: actions by key name; choose: called with a digit; ready: whether a match is loaded. */
  function listen(root, keys, choose, ready) {
    addEventListener("pointerdown", () => { pointerUsed = true; }, true);
    addEventListener("keydown", () => { pointerUsed = false; }, true);
    for (const list of root.querySelectorAll("select")) list.addEventListener("change", blurAfterMouse);
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !ready() || byId("help").open || belongsToControl(event)) return;
      const action = actionFor(event, keys, choose);
      if (!action) return;
      event.preventDefault();
      action();
    });
  }

  return { listen };
})();
