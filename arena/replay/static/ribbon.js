"use strict";
// The match as a whole, below the table: a line for each seat, of its score or, where it was estimated, of its chance to win;
// and marks of rounds, defeats, eliminations and faults. The slider on it is the cursor.

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
  let match = null; // its frames, scores and chances
  let kind = "chances"; // of the lines, where both are known

  function clear() {
    for (const id of ["ribbon", "ends", "legend", "measure"]) byId(id).replaceChildren();
    byId("kind").hidden = true;
    match = null;
  }

  const marked = (frames, kind) => frames.flatMap((frame, number) => ((frame.marks || []).includes(kind) ? [number] : []));

  /** Return the line of a seat. name: of its class. */
  const line = (name, seat, d) => Seats.tint(draw("path", { class: name, d, "stroke-dasharray": DASHES[seat % DASHES.length] }), seat);

  /** Draw the score of a seat: it is level until it changes. */
  function scoreLine(seat, scores, x, y, last) {
    let d = "";
    let before = null;
    for (const [number, all] of scores) {
      if (all[seat] !== before) d += before === null ? `M${x(number)} ${y(all[seat])}` : `H${x(number)}V${y(all[seat])}`;
      before = all[seat];
    }
    return line("score", seat, `${d}H${x(last)}`);
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

  const showsChances = () => Boolean(match && match.chances && (kind === "chances" || !match.scores.length));

  /** Return the mark of the largest swing of the scores; null if there is none. */
  function swingMark({ frames, scores }, x) {
    const number = findSwing(frames, scores);
    return number === null ? null : draw("path", { class: "swing", d: `M${x(number)} 0V100` });
  }

  /** Return the lines of all seats, and the marks of swings. x: of a frame. */
  function lines({ frames, scores, chances, line: own }, x, last) {
    const scale = (low, high) => (value) => (100 - HIGH - ((value - low) / (high - low || 1)) * (100 - 2 * HIGH)).toFixed(1);
    if (showsChances()) return Chances.shapes(chances, line, x, (share) => (100 - 100 * share).toFixed(1));
    const shown = own.length ? own : scores;
    const values = shown.flatMap(([, all]) => all);
    const y = scale(Math.min(...values), Math.max(...values));
    const mark = swingMark({ frames, scores }, x);
    return [...(mark ? [mark] : []), ...(shown.length ? shown[0][1] : []).map((_, seat) => scoreLine(seat, shown, x, y, last))];
  }

  /**
   * Draw a match. scores: pairs of a frame and the scores by seat from there on. chances: as estimated, or undefined.
   * story: its moments have marks, and its line is drawn instead of the scores if it has one.
   */
  function show(frames, scores, chances, story) {
    match = { frames, scores, chances, story, line: (story && story.line) || [] };
    const last = Math.max(1, frames.length - 1);
    const x = (number) => ((number / last) * 1000).toFixed(1);
    const marks = Object.keys(MARKS).map((name) => [name, marked(frames, name)]).filter(([, numbers]) => numbers.length);
    const markLines = marks.map(([name, numbers]) => draw("path", { class: name, d: numbers.map((number) => `M${x(number)} ${MARKS[name][0]}V${MARKS[name][1]}`).join("") }));
    const shapes = lines(match, x, last);
    byId("ribbon").replaceChildren(
      ...(showsChances() ? [...shapes, ...markLines] : [...markLines, ...shapes]), // bands would cover the marks
      ...((story && story.moments) || []).map(({ move, decisive }) => draw("path", { class: decisive ? "moment decisive" : "moment", d: `M${x(move)} 0V${decisive ? 100 : 14}` })),
      ...((story && story.costly) || []).flatMap(({ move }) => ["costly rim", "costly"].map((name) => draw("path", { class: name, d: `M${x(move)} 50h0` }))));
    byId("measure").textContent = showsChances() ? t("chance to win") : Words.of((story && story.label) || "");
    const final = scores.length ? scores[scores.length - 1][1] : chances ? chances.points[chances.points.length - 1][1] : [];
    byId("ends").replaceChildren(...final.map((_, seat) => seat).sort((one, other) => final[other] - final[one]).map(Seats.label));
    byId("legend").replaceChildren(...marks.map(([name, { length }]) =>
      make("span", { class: name }, make("b", {}, NAMES[name](length)))));
    byId("kind").hidden = !chances || !scores.length;
    byId("kind").setAttribute("aria-pressed", String(showsChances()));
  }

  /** Show the other kind of lines, if both are known. */
  function toggle() {
    if (!match || byId("kind").hidden) return;
    kind = kind === "chances" ? "scores" : "chances";
    show(match.frames, match.scores, match.chances, match.story);
  }

  /** Return the frame of the largest swing of the lines that are shown; null if there is none. */
  function swing() {
    if (!match) return null;
    if (!showsChances()) return findSwing(match.frames, match.scores);
    return match.chances.swings.length ? match.chances.swings[0].move : null;
  }

  /** Return the chances at a frame in words, if they are shown. */
  const words = (frame) => (showsChances() ? Chances.words(match.chances, frame) : "");

  return { clear, show, swing, toggle, words };
})();
