"use strict";
// The words that scripts show. Texts are English; a script of another language loads its catalogue here. A text with values,
// as a line of the log, is translated by the message that it fits: "seat {0} keeps".

const Words = (() => {
  const CONTEXT = "\u0004";
  const FEWEST = 3; // letters by which a text can be known: "{0} of {1}" fits too much
  let messages = Object.create(null);
  let patterns = []; // of the messages with values; those with more letters come first: they say more
  let known = new Map();
  let game = "";

  const fill = (text, values) => text.replace(/\{(\d)\}/g, (_, n) => values[n]);

  /** Return a message of ours in the language of the page. values: for {0}, {1} ... */
  const t = (text, ...values) => fill(messages[text] || text, values);

  function pattern(message) {
    const parts = message.split(/\{\d\}/);
    const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const source = escaped.reduce((sum, part, n) => `${sum}${/(seats?|team) $/.test(parts[n - 1]) ? "(\\d+)" : "(.+?)"}${part}`);
    return { message, letters: parts.join("").length, regex: new RegExp(`^${source}$`, "s") };
  }

  /** Take over a catalogue: translations by English text, with a context before it where there is one. */
  function load(catalogue) {
    messages = Object.assign(Object.create(null), catalogue);
    known = new Map();
    patterns = Object.keys(catalogue).filter((message) => message.includes("{0}") && !message.includes(CONTEXT)).map(pattern)
      .filter(({ message }) => message.replace(/[^a-z]/gi, "").length >= FEWEST)
      .sort((one, other) => other.letters - one.letters);
    const page = document.querySelector("[data-game]");
    game = page ? page.dataset.game : "";
  }

  const own = (text) => messages[`${game}${CONTEXT}${text}`] || messages[text];

  /** Return a value inside a text; some are words themselves: number, 3xskull. */
  const value = (text) => messages[`value${CONTEXT}${text}`] || text.split(/(\s+|x)/).map((word) => messages[`value${CONTEXT}${word}`] || word).join("");

  function translated(text) {
    const found = own(text);
    if (found) return found;
    for (const { message, regex } of patterns) {
      const values = regex.exec(text);
      if (values) return fill(own(message), message.includes("says: {") ? values.slice(1) : values.slice(1).map(value));
    }
    return text;
  }

  /** Return a text of the game, as a label, a move or a line of the log, in the language of the page. */
  function of(text) {
    if (!patterns.length || !text) return text;
    if (!known.has(text)) known.set(text, translated(text));
    return known.get(text);
  }

  /** Return what the log says of a seat, without the seat. events: the ends of lines, joined by dots. */
  function ofSeat(seat, events) {
    const before = of(`seat ${seat}`);
    return events.split(" · ").map((event) => {
      const line = of(`seat ${seat} ${event}`);
      return line.startsWith(before) ? line.slice(before.length).replace(/^[:：]?\s*/, "") : line;
    }).join(" · ");
  }

  return { load, t, of, ofSeat };
})();

const { t } = Words;
