"use strict";
// The button that goes on from the moment that is shown, by hand: its form says which moment that is.

(() => {
  const { byId } = Dom;
  byId("continue").onsubmit = () => {
    const told = new URLSearchParams(location.hash.slice(1));
    byId("continue").elements.frame.value = told.get("move") || "0";
    byId("continue").elements.seat.value = told.get("seat") || "";
  };
})();
