"use strict";
// The form "continue from here": it sends the frame and seat that are shown, and whether hidden cards are redealt. The
// default is to redeal them from the perspective of a seat, and to keep them when the whole match is shown.

(() => {
  const { byId } = Dom;
  const form = byId("continue").elements;
  let chosen = false;
  form.unseen.onchange = () => { chosen = true; };
  addEventListener("frameshown", () => {
    if (!chosen) form.unseen.value = Address.parameters().has("seat") ? "anew" : "same";
  });
  byId("continue").onsubmit = () => {
    form.frame.value = Address.parameters().get("move") || "0";
    form.seat.value = Address.parameters().get("seat") || "";
  };
})();
