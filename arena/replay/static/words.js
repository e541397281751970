"use strict";
// The words that scripts show. A text is its English words, or an array of a message and its arguments: ["seat {0} keeps", 2].
// An argument is a number, a message, as an array, or a string that is the same in all languages. A script of another
// language loads its catalogue here. What a game calls by codes, as C7, 4x5 and seat 2, is read by its tables (data-codes).

const Words = (() => {
  const CONTEXT = "\u0004";
  const BID = "{0}x{1}";
  const [SEATS, SEAT, TEAM] = ["seats {0} and {1}", "seat {0}", "team {0}"];
  const page = document.querySelector("[data-codes]");
  const codes = page ? JSON.parse(page.dataset.codes) : { cards: {}, names: {}, words: {}, dice: {}, teams: [] };
  let messages = Object.create(null);
  let game = "";
  let seats = null; // the pattern of seats in the texts of the language
  let players = []; // by seat

  const fill = (text, values) => text.replace(/\{(\d)\}/g, (_, n) => values[n]);

  /** Return a message of ours in the language of the page. values: for {0}, {1} ... */
  const t = (text, ...values) => fill(messages[text] || text, values);

  /** Take over a catalogue: translations by English text, with a context before it where there is one. */
  function load(catalogue) {
    messages = Object.assign(Object.create(null), catalogue);
    const named = document.querySelector("[data-game]");
    game = named ? named.dataset.game : "";
    seats = null;
  }

  /** Set who plays: the names of the bots by seat, with the number of the seat where a bot holds several. */
  function cast(names) {
    players = names.map((name, seat) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${t(SEAT, seat)})`));
  }

  const known = (id) => messages[`${game}${CONTEXT}${id}`] || messages[id];
  const own = (id) => known(id) || codes.words[id] || id;

  function seatsPattern() {
    const pattern = (id) => own(id).split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(\\{\\d\\}|\\d+)");
    seats = seats || new RegExp([SEATS, SEAT, TEAM].map(pattern).join("|"), "g");
    return seats;
  }

  const argument = (value) => (Array.isArray(value) ? (value.length === 1 && messages[`value${CONTEXT}${value[0]}`]) || of(value) : value);
  const listed = (words) => words.reduce((before, word) => t("{0}, {1}", before, word));
  /** Return the name of a card, or those of several, by their codes. */
  const cards = (value) => listed(`${value}`.split(" ").map((code) => (codes.names[code] ? of(codes.names[code]) : code)));
  function bid(number, face) {
    const words = codes.dice[`${number}x${face}`] || codes.dice[`x${face}`] || BID;
    return t(words, number, face);
  }

  /** Return seats with words between: two of them, one, or those of a team. */
  function joined(team, numbers) {
    const all = team ? codes.teams.flatMap((each, seat) => (each === numbers[0] ? [seat] : [])) : numbers;
    const [, between] = t("{0} and {1}", "\u0000", "\u0000").split("\u0000");
    return all.flatMap((seat, n) => (n ? [between, seat] : [seat]));
  }

  /** Return a text with values as its words and the seats of which it speaks, as numbers, in order. */
  function filled(template, id, values) {
    const places = codes.cards[id] || [];
    const shown = values.map((value, n) => (places.includes(n) ? cards(value) : argument(value)));
    const text = template.replace(BID, () => bid(values[0], english(values[1])));
    const number = (place) => (place[0] === "{" ? values[place[1]] : Number(place));
    const found = [];
    let end = 0;
    for (const match of text.matchAll(seatsPattern())) {
      const numbers = match.slice(1).filter(Boolean).map(number);
      if (!numbers.every(Number.isInteger)) continue;
      found.push(fill(text.slice(end, match.index), shown), ...joined(match[4], numbers));
      end = match.index + match[0].length;
    }
    return [...found, fill(text.slice(end), shown)].filter((piece) => piece !== "");
  }

  /** Return a text of the game as its words and the seats of which it speaks, as numbers, in order. */
  function pieces(text) {
    if (!Array.isArray(text)) return [own(text)];
    const [id, ...values] = text;
    if (!values.length) return [own(id)];
    if (/^\{0\}( \{\d\})+$/.test(id)) return [listed(values.map(argument))];
    if (id === BID) return [bid(values[0], english(values[1]))];
    return filled(own(id), id, values);
  }

  const name = (seat) => players[seat] || fill(own(SEAT), [seat]);

  /** Return a text of the game, as a label, a move or a line of the log, in the language of the page. */
  const of = (text) => pieces(text).map((piece) => (typeof piece === "number" ? name(piece) : piece)).join("");

  /** Return a text as it is in English: by it moves are named, and what lies on the table. */
  const english = (text) => (Array.isArray(text) ? fill(text[0], text.slice(1).map(english)) : text);

  /** Return what lines of the log say of a seat, without the seat, with which they begin, as `pieces`. */
  function ofSeat([, ...lines]) {
    return lines.flatMap(([id, ...values], n) => {
      const [line, seat] = own(id).startsWith(own(SEAT)) ? [own(id), own(SEAT)] : [id, SEAT];
      return [...(n ? [" · "] : []), ...filled(line.slice(seat.length).replace(/^[:：]?\s*/, ""), id, values)];
    });
  }

  return { load, cast, t, of, pieces, cards, name, english, ofSeat };
})();

const { t } = Words;
