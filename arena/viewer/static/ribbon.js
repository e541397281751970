"use strict";
// The match as a whole, below the table: a line for the score of each seat, and marks of rounds, defeats, eliminations and
// faults. The slider on it is the cursor.

const Ribbon = (() => {
  const { byId, draw, make } = Dom;
  const MARKS = { round: [0, 100], loss: [88, 100], out: [70, 100], fault: [0, 30] }; // from, to: the top is 0, the bottom 100
  const NAMES = {
    round: (count) => (count === 1 ? t("1 round") : t("{0} rounds", count)),
    loss: (count) => (count === 1 ? t("1 defeat") : t("{0} defeats", count)),
    out: (count) => (count === 1 ? t("1 elimination") : t("{0} eliminations", count)),
    fault: (count) => (count === 1 ? t("1 fault") : t("{0} faults", count)),
  };
  const DASHES = [null, "7 3", "2 3", "9 3 2 3"]; // seats differ by more than colour
  const HIGH = 8; // the highest score; the lowest is as far from the bottom
  let largest = null; // the frame of the largest swing

  function clear() {
    for (const id of ["ribbon", "ends", "legend"]) byId(id).replaceChildren();
    largest = null;
  }

  const marked = (frames, kind) => frames.flatMap((frame, number) => ((frame.marks || []).includes(kind) ? [number] : []));

  /** Draw the line of a seat: it is level until its score changes. */
  function line(seat, scores, x, y, last) {
    let d = "";
    let before = null;
    for (const [number, all] of scores) {
      if (all[seat] !== before) d += before === null ? `M${x(number)} ${y(all[seat])}` : `H${x(number)}V${y(all[seat])}`;
      before = all[seat];
    }
    return Seats.tint(draw("path", { class: "score", d: `${d}H${x(last)}`, "stroke-dasharray": DASHES[seat % DASHES.length] }), seat);
  }

  /** Return the frame with the largest step of the score that changed most in one round; null if none changed. */
  function findSwing(frames, scores) {
    const starts = new Set(marked(frames, "round"));
    const seats = scores.length ? scores[0][1].map((_, seat) => seat) : [];
    let best = { sum: 0, frame: null };
    for (const seat of seats) {
      let sum = 0;
      let step = { size: 0, frame: null };
      for (let n = 1; n < scores.length; n += 1) {
        const [number, all] = scores[n];
        const size = all[seat] - scores[n - 1][1][seat];
        if (Math.abs(size) > step.size) step = { size: Math.abs(size), frame: number };
        sum += size;
        if (n + 1 < scores.length && !spans(starts, number, scores[n + 1][0])) continue;
        if (Math.abs(sum) > best.sum) best = { sum: Math.abs(sum), frame: step.frame };
        sum = 0;
        step = { size: 0, frame: null };
      }
    }
    return best.frame;
  }

  /** Whether a round begins in a frame or in one before the next change; what a round paid is seen as the next begins. */
  function spans(starts, from, to) {
    for (let number = from; number < to; number += 1) if (starts.has(number)) return true;
    return false;
  }

  /** Draw a match. scores: pairs of a frame and the scores by seat from there on. */
  function show(frames, scores) {
    const last = Math.max(1, frames.length - 1);
    const x = (number) => ((number / last) * 1000).toFixed(1);
    const values = scores.flatMap(([, all]) => all);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const y = (score) => (100 - HIGH - ((score - low) / (high - low || 1)) * (100 - 2 * HIGH)).toFixed(1);
    const marks = Object.keys(MARKS).map((kind) => [kind, marked(frames, kind)]).filter(([, numbers]) => numbers.length);
    const seats = scores.length ? scores[0][1].map((_, seat) => seat) : [];
    byId("ribbon").replaceChildren(
      ...marks.map(([kind, numbers]) => draw("path", { class: kind, d: numbers.map((number) => `M${x(number)} ${MARKS[kind][0]}V${MARKS[kind][1]}`).join("") })),
      ...seats.map((seat) => line(seat, scores, x, y, last)));
    const final = scores.length ? scores[scores.length - 1][1] : [];
    byId("ends").replaceChildren(...[...seats].sort((one, other) => final[other] - final[one]).map(Seats.label));
    byId("legend").replaceChildren(...marks.map(([kind, { length }]) =>
      make("span", { class: kind }, make("b", {}, NAMES[kind](length)))));
    largest = findSwing(frames, scores);
  }

  return { clear, show, swing: () => largest };
})();
