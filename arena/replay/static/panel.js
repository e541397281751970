"use strict";
// The panel beside the table: the question, the answers with their times and notes, faults, and the result.

const Panel = (() => {
  const { make } = Dom;

  /** Format a time in µs, in µs, ms or s. */
  function duration(micros) {
    if (micros < 1) return t("under 1 µs");
    for (const [unit, size] of [["s", 1e6], ["ms", 1e3]]) {
      if (micros >= size) return `${micros < 10 * size ? (micros / size).toFixed(1) : Math.round(micros / size)} ${unit}`;
    }
    return `${Math.round(micros)} µs`;
  }

  const seatName = (replay, seat) => `${t("seat {0}", seat)} · ${replay.players[seat]}`;

  const isSame = (move, other) => Words.english(move) === Words.english(other);

  function moves(answer, legal) {
    return make("ul", { class: "moves", "aria-label": t("legal moves") }, legal.map((move) =>
      make("li", { "aria-current": isSame(move, answer.move) ? "true" : null, "data-move": Words.english(move) }, Words.of(move))));
  }

  function clock(answer, replay) {
    if (answer.default) return make("div", { class: "clock warn" }, t("default move: no legal answer in time"));
    if (answer.micros === undefined) return null;
    const limits = replay.clocks[answer.seat];
    const bank = answer.bank === undefined || !limits.bank ? null : [
      make("meter", { min: 0, max: limits.bank, value: answer.bank, low: limits.bank / 4, "aria-label": t("time bank") }),
      make("span", {}, t("bank {0}", duration(answer.bank)))];
    return make("div", { class: "clock" }, make("span", {}, t("took {0}", duration(answer.micros))), bank);
  }

  /** Return what a better move would have changed. costly: the moves of this question that cost much. */
  const costElement = (costly, seat) => costly.filter((move) => move.seat === seat).map(({ text }) => make("p", { class: "cost" }, Words.of(text)));

  function answerElement(answer, legal, replay, costly) {
    return make("div", { class: "answer", "data-seat": answer.seat },
      make("h2", {}, seatName(replay, answer.seat), make("span", { class: "soft" }, t("{0} of {1}", legal.findIndex((move) => isSame(move, answer.move)) + 1, legal.length))),
      costElement(costly, answer.seat), moves(answer, legal), clock(answer, replay),
      answer.said ? make("p", { class: "note" }, make("small", {}, t("says")), answer.said) : null,
      noteBlocks(answer.notes).map(noteElement));
  }

  /** Return the notes of an answer: each remark by itself, and the lines that were printed together. Those come as messages. */
  function noteBlocks(notes) {
    const blocks = [];
    for (const note of notes || []) {
      const isOutput = Array.isArray(note);
      const line = isOutput ? note[1] : note;
      const last = blocks[blocks.length - 1];
      if (isOutput && last && last.isOutput) last.lines.push(line);
      else blocks.push({ isOutput, lines: [line] });
    }
    return blocks;
  }

  const noteElement = (block) => (block.isOutput
    ? make("div", { class: "note" }, make("small", {}, t("printed")), make("pre", { class: "printed", tabindex: 0, role: "group", "aria-label": t("printed by the bot") }, block.lines.join("\n")))
    : make("p", { class: "note" }, make("small", {}, t("note")), block.lines[0]));

  function faultElement(fault, replay) {
    const last = fault.forfeit ? ` ${t("(the last strike: ranked last)")}` : "";
    return make("p", { class: "fault", role: "alert" }, make("b", {}, `${fault.kind}${last}: `), `${seatName(replay, fault.seat)}: ${fault.sentence}`);
  }

  function result(replay) {
    const rows = replay.result.map((line, seat) => ({ ...line, seat })).sort((a, b) => a.rank - b.rank);
    return make("div", {}, make("h2", {}, t("The match is over")), make("table", { class: "result" },
      make("thead", {}, make("tr", {}, [t("rank"), t("bot"), t("seat"), Words.of(replay.unit)].map((word, n) => make("th", { scope: "col", class: n === 1 ? null : "number" }, word)))),
      make("tbody", {}, rows.map((row) => make("tr", {},
        make("td", { class: "number" }, `${row.rank}`), make("td", {}, replay.players[row.seat], row.forfeit ? ` ${t("(forfeited)")}` : ""),
        make("td", { class: "number" }, `${row.seat}`), make("td", { class: "number" }, `${row.score}`))))));
  }

  /** Fill `root` with the question and answers of a frame. legal: the legal moves of each answer. costly: the answers that cost much of a chance to win. */
  function show(root, replay, frame, legal, costly = []) {
    const answers = frame.answers || [];
    const asked = frame.asked || [];
    const others = asked.filter((seat) => !answers.some((answer) => answer.seat === seat));
    root.replaceChildren(...[
      ...(frame.faults || []).map((fault) => faultElement(fault, replay)),
      ...answers.map((answer, place) => answerElement(answer, legal[place] || [], replay, costly)),
      ...(replay.seat === null ? [] : others.map((seat) => make("p", { class: "soft" },
        t("The turn of {0}. Its legal moves and notes are hidden from seat {1}.", seatName(replay, seat), replay.seat)))),
      asked.length ? null : result(replay)].filter(Boolean));
    for (const chosen of root.querySelectorAll(".moves [aria-current]")) {
      const list = chosen.parentElement; // scroll the chosen move into view within its list
      list.scrollTop = chosen.offsetTop - list.offsetTop - (list.clientHeight - chosen.offsetHeight) / 2;
    }
  }

  /** Fill `root` with what has just happened before a move. place, count: of the event frame among those before it. */
  function showEvents(root, lines, number, place, count) {
    root.replaceChildren(
      make("h2", {}, t("Before move {0}", number), make("span", { class: "soft" }, t("event {0} of {1}", place, count))),
      ...lines.map((line) => make("p", { class: "event" }, Seats.told(line))));
  }

  return { show, showEvents, duration, noteBlocks };
})();
