"use strict";
// Marks above the scrub bar: rounds, defeats, eliminations and faults, with a legend that counts them.

const Marks = (() => {
  const { byId, draw, make } = Dom;
  const TALL = { round: 12, loss: 5, out: 9, fault: 12 };
  const NAMES = { round: "round", loss: "defeat", out: "elimination", fault: "fault" };

  function clear() {
    byId("marks").replaceChildren();
    byId("legend").replaceChildren();
  }

  function line(kind, x) {
    return draw("line", { class: kind, x1: x, x2: x, y1: 12 - TALL[kind], y2: 12,
      "stroke-width": 2, "vector-effect": "non-scaling-stroke" });
  }

  /** Draw the marks of all frames of a match. */
  function show(frames) {
    const length = Math.max(1, frames.length - 1);
    const marks = frames.flatMap((frame, number) => (frame.marks || []).map((kind) => [kind, (number / length) * 1000]));
    byId("marks").replaceChildren(...marks.map(([kind, x]) => line(kind, x)));
    const counts = Object.keys(NAMES).map((kind) => [kind, marks.filter(([other]) => other === kind).length]);
    byId("legend").replaceChildren(...counts.filter(([, count]) => count).map(([kind, count]) =>
      make("span", { class: kind }, make("b", {}, `${count} ${NAMES[kind]}${count === 1 ? "" : "s"}`))));
  }

  return { clear, show };
})();
