"use strict";
// The form "continue from here": it sends the frame and seat that are shown, and whether hidden cards are redealt. The
// default is to redeal them from the perspective of a seat, and to keep them when the whole match is shown.

(() => {
  const { byId } = Dom;
  const form = byId("continue").elements;
  const parameters = () => new URLSearchParams(location.hash.slice(1));
  let chosen = false;
  form.unseen.onchange = () => { chosen = true; };
  addEventListener("frameshown", () => {
    if (!chosen) form.unseen.value = parameters().has("seat") ? "anew" : "same";
  });
  byId("continue").onsubmit = () => {
    form.frame.value = parameters().get("move") || "0";
    form.seat.value = parameters().get("seat") || "";
  };
})();
