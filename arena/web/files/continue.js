"use strict";
// The button that goes on from the moment that is shown, by hand: its form says which moment that is, and what becomes of
// what the seat could not know. Who sees everything has nothing hidden, and goes on with it unless they choose otherwise.

(() => {
  const { byId } = Dom;
  const form = byId("continue").elements;
  const told = () => new URLSearchParams(location.hash.slice(1));
  let chosen = false;
  form.unseen.onchange = () => { chosen = true; };
  addEventListener("frameshown", () => {
    if (!chosen) form.unseen.value = told().has("seat") ? "anew" : "same";
  });
  byId("continue").onsubmit = () => {
    form.frame.value = told().get("move") || "0";
    form.seat.value = told().get("seat") || "";
  };
})();
