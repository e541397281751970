"use strict";
// Beside the table: the question, what was answered and thought, how long it took, what went wrong; the result.

const Panel = (() => {
  const { make } = Dom;

  /** Return a time in µs in the unit that suits it. */
  function duration(micros) {
    if (micros < 1) return "under 1 µs";
    for (const [unit, size] of [["s", 1e6], ["ms", 1e3]]) {
      if (micros >= size) return `${micros < 10 * size ? (micros / size).toFixed(1) : Math.round(micros / size)} ${unit}`;
    }
    return `${Math.round(micros)} µs`;
  }

  const named = (story, seat) => `seat ${seat} · ${story.players[seat]}`;

  function moves(answer, legal) {
    return make("ul", { class: "moves", "aria-label": "legal moves" }, legal.map((move) =>
      make("li", { "aria-current": move === answer.move ? "true" : null }, move)));
  }

  function clock(answer, story) {
    if (answer.default) return make("div", { class: "clock warn" }, "played by default: no good answer came");
    if (answer.micros === undefined) return null;
    const limits = story.clock;
    const bank = answer.bank === undefined || !limits || !limits.bank ? null : [
      make("meter", { min: 0, max: limits.bank, value: answer.bank, low: limits.bank / 4, "aria-label": "time bank" }),
      make("span", {}, `bank ${duration(answer.bank)}`)];
    return make("div", { class: "clock" }, make("span", {}, `took ${duration(answer.micros)}`), bank);
  }

  function answered(answer, legal, story) {
    return make("div", { class: "answer" },
      make("h2", {}, named(story, answer.seat), make("span", { class: "soft" }, `${legal.indexOf(answer.move) + 1} of ${legal.length}`)),
      moves(answer, legal), clock(answer, story),
      answer.said ? make("p", { class: "note" }, make("small", {}, "says"), answer.said) : null,
      (answer.notes || []).map(thought));
  }

  /** Return a note; what the bot printed over this question is kept as one that says so itself. */
  function thought(note) {
    const [, printed, words] = note.match(/^(printed): (.*)$/s) || [null, "note", note];
    return make("p", { class: "note" }, make("small", {}, printed), words);
  }

  function fault(told, story) {
    const last = told.forfeit ? " (the last strike: ranked last)" : "";
    return make("p", { class: "fault", role: "alert" }, make("b", {}, `${told.kind}${last}: `), `${named(story, told.seat)}: ${told.sentence}`);
  }

  function result(story) {
    const rows = story.result.map((each, seat) => ({ ...each, seat })).sort((a, b) => a.rank - b.rank);
    return make("div", {}, make("h2", {}, "The match is over"), make("table", { class: "result" },
      make("thead", {}, make("tr", {}, ["rank", "bot", "seat", story.unit].map((word) => make("th", { scope: "col", class: word === "bot" ? null : "number" }, word)))),
      make("tbody", {}, rows.map((row) => make("tr", {},
        make("td", { class: "number" }, `${row.rank}`), make("td", {}, story.players[row.seat], row.forfeit ? " (forfeited)" : ""),
        make("td", { class: "number" }, `${row.seat}`), make("td", { class: "number" }, `${row.score}`))))));
  }

  /** Fill `root` with what belongs to a frame. legal: the moves of each of its answers. */
  function show(root, story, frame, legal) {
    const answers = frame.answers || [];
    const asked = frame.asked || [];
    const others = asked.filter((seat) => !answers.some((answer) => answer.seat === seat));
    root.replaceChildren(...[
      ...(frame.faults || []).map((each) => fault(each, story)),
      ...answers.map((answer, place) => answered(answer, legal[place] || [], story)),
      ...(story.seat === null ? [] : others.map((seat) => make("p", { class: "soft" },
        `The turn of ${named(story, seat)}. What it is offered and thinks, seat ${story.seat} is not told.`))),
      asked.length ? null : result(story)].filter(Boolean));
    for (const chosen of root.querySelectorAll(".moves [aria-current]")) {
      const list = chosen.parentElement; // a long list scrolls by itself
      list.scrollTop = chosen.offsetTop - list.offsetTop - (list.clientHeight - chosen.offsetHeight) / 2;
    }
  }

  return { show, duration };
})();
