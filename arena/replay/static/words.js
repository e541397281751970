"use strict";
// The words that scripts show. A text is its English words, or an array of a message and its arguments: ["seat {0} keeps", 2].
// An argument is a number, a message, as an array, or a string that is the same in all languages. A script of another
// language loads its catalogue here.

const Words = (() => {
  const CONTEXT = "\u0004";
  let messages = Object.create(null);
  let game = "";

  const fill = (text, values) => text.replace(/\{(\d)\}/g, (_, n) => values[n]);

  /** Return a message of ours in the language of the page. values: for {0}, {1} ... */
  const t = (text, ...values) => fill(messages[text] || text, values);

  /** Take over a catalogue: translations by English text, with a context before it where there is one. */
  function load(catalogue) {
    messages = Object.assign(Object.create(null), catalogue);
    const page = document.querySelector("[data-game]");
    game = page ? page.dataset.game : "";
  }

  const own = (id) => messages[`${game}${CONTEXT}${id}`] || messages[id];

  const argument = (value) => (Array.isArray(value) ? (value.length === 1 && messages[`value${CONTEXT}${value[0]}`]) || of(value) : value);

  /** Return a text of the game, as a label, a move or a line of the log, in the language of the page. */
  function of(text) {
    if (!Array.isArray(text)) return own(text) || text;
    const [id, ...values] = text;
    return fill(own(id) || id, values.map(argument));
  }

  /** Return a text as it is in English: by it moves are named, and what lies on the table. */
  const english = (text) => (Array.isArray(text) ? fill(text[0], text.slice(1).map(english)) : text);

  /** Return what lines of the log say of a seat, without the seat, with which they begin. */
  function ofSeat([, ...lines]) {
    return lines.map(([id, ...values]) => {
      const [line, seat] = own(id) ? [own(id), own("seat {0}")] : [id, "seat {0}"];
      return fill(line.slice(seat.length).replace(/^[:：]?\s*/, ""), values.map(argument));
    }).join(" · ");
  }

  return { load, t, of, english, ofSeat };
})();

const { t } = Words;
