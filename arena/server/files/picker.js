"use strict";
// Choosing a move: by the cards that it names, by a number, or from a list.

const Picker = (() => {
  const { make } = Dom;
  const FEW = 9; // at most so many moves have keys
  const MANY = 14; // more moves than this are chosen by lists of what they end in
  const WORTH = 4; // so many moves with the same beginning make a list
  let keys = []; // the moves of the keys 1 to 9

  const moveOfKey = (key) => (/^[1-9]$/.test(key) ? keys[Number(key) - 1] : undefined);

  function moveButton(move, onChoose, place) {
    const key = place !== undefined && keys.length ? make("kbd", {}, `${place + 1}`) : null;
    const button = make("button", { type: "button", "data-move": Words.english(move) }, key, Words.of(move));
    button.onclick = () => onChoose(move);
    return button;
  }

  /**
   * Split a move that ends in a choice: its words, the last choice, and the quantity before it where there is one. Of a
   * move that is no message, as in a game from another package, the last choice is the number that it ends in.
   */
  function split(move) {
    if (!Array.isArray(move)) {
      const [, words, last] = /^(.*?)(-?\d+)$/.exec(move) || [undefined, move];
      return { move, words, last };
    }
    const [id, ...choices] = move;
    const last = choices.pop();
    const isChoice = typeof last === "number" || (Array.isArray(last) && last.length === 1);
    return isChoice ? { move, words: id.slice(0, id.indexOf("{")), quantity: choices.pop(), last } : { move, words: Words.english(move) };
  }

  const select = (label, values) => make("select", { "aria-label": label }, values.map(option));
  const option = (value) => make("option", { value: Words.english(value) }, Words.of(value));

  /** A button with lists for what follows its words. moves: those that begin with them, split. */
  function withLists(words, moves, onChoose) {
    const lasts = (quantity) => moves.filter((move) => `${move.quantity}` === `${quantity}`).map((move) => move.last);
    const quantities = [...new Set(moves.map((move) => move.quantity))].filter((quantity) => quantity !== undefined);
    const last = select(`${Words.of(words.trim())}: ${t("of which")}`, lasts(quantities[0]));
    const quantity = quantities.length ? select(`${Words.of(words.trim())}: ${t("how many")}`, quantities) : null;
    if (quantity) quantity.onchange = () => {
      const { value: chosen } = last;
      const values = lasts(quantity.value);
      last.replaceChildren(...values.map(option));
      if (values.some((value) => `${Words.english(value)}` === chosen)) last.value = chosen;
    };
    const isChosen = (move) => (!quantity || `${move.quantity}` === quantity.value) && `${Words.english(move.last)}` === last.value;
    const button = make("button", { type: "button" }, Words.of(words.trim()) || t("choose"));
    button.onclick = () => onChoose(moves.find(isChosen).move);
    return make("span", { class: "numbered" }, button, quantity, quantity ? "×" : null, last);
  }

  /** A button for each beginning of many moves. */
  function inSteps(legal, onChoose) {
    const groups = new Map();
    for (const move of legal.map(split)) groups.set(move.words, [...(groups.get(move.words) || []), move]);
    return [...groups].flatMap(([words, moves]) => (moves.length < WORTH
      ? moves.map(({ move }) => moveButton(move, onChoose))
      : [withLists(words, moves, onChoose)]));
  }

  const OWN = ["hand", "card"]; // the zones of one's own cards
  const cardsOf = (place) => (place ? [...place.querySelectorAll(OWN.map((zone) => `[data-zone="${zone}"] [data-item^="card "]`).join(", "))] : []);
  const faceOf = (item) => item.dataset.item.slice("card ".length);
  let offered = []; // the cards that can be clicked: to play one, or to read why it cannot be played

  /** Make a card clickable. words: its name; act: what a click, a tap, Enter and the space bar do. */
  function makeButton(item, kind, words, act) {
    item.classList.add(kind);
    item.setAttribute("role", "button");
    item.setAttribute("tabindex", "0");
    item.setAttribute("aria-label", words);
    item.title = words;
    item.onclick = act;
    item.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    };
    offered.push(item);
  }

  /** Take from all cards what made them clickable. */
  function forget() {
    for (const item of offered) {
      item.classList.remove("card-move", "card-refused", "card-held");
      for (const name of ["role", "tabindex", "aria-label", "aria-disabled", "title"]) item.removeAttribute(name);
      item.onclick = item.onkeydown = item.onfocus = item.onpointerenter = null;
    }
    offered = [];
  }

  function tell(why) {
    document.getElementById("why").textContent = why;
  }

  /** Let a reason be read: at the pointer, with the focus, by a click or tap. */
  function explain(element, why) {
    element.setAttribute("aria-disabled", "true");
    element.onfocus = element.onpointerenter = () => tell(why);
  }

  /** Let the cards of the hand that moves play be clicked: to play one, or to see only the moves with it. */
  function offerCards(root, question, onChoose) {
    const { place, legal, cards, refused } = question;
    if (!place) return;
    const reasons = new Map(refused.filter(([kind]) => kind === "card").map(([, face, why]) => [face, why]));
    const named = (face) => legal.filter((_, n) => cards[n] === face);
    const isPlayed = cards.some((card) => card !== null); // otherwise no card is better than another
    for (const item of cardsOf(place)) {
      const face = faceOf(item);
      const moves = named(face);
      const why = reasons.get(face);
      if (moves.length) {
        const words = moves.length === 1 ? Words.of(moves[0]) : t("{0} moves with {1}", moves.length, Words.cards(face));
        makeButton(item, "card-move", words, () => (moves.length === 1 ? onChoose(moves[0]) : narrow(root, question, moves, onChoose)));
        item.onfocus = item.onpointerenter = () => tell("");
      } else if (why) {
        makeButton(item, isPlayed ? "card-refused" : "card-held", `${Words.cards(face)}: ${Words.of(why)}`, () => tell(Words.of(why)));
        explain(item, Words.of(why));
      }
    }
  }

  /** A button that says why a move is not offered now. */
  function refusedButton([, words, why]) {
    const button = make("button", { type: "button", class: "refused-move", title: Words.of(why) }, Words.of(words));
    button.onclick = () => tell(Words.of(why));
    explain(button, Words.of(why));
    return button;
  }

  /** Show only some of the legal moves, and a way back to all. */
  function narrow(root, question, moves, onChoose) {
    show(root, { place: null, legal: moves, cards: [], refused: [] }, onChoose);
    const back = make("button", { type: "button", class: "back-to-all" }, t("all moves"));
    back.onclick = () => { show(root, question, onChoose); focusFirst(root); };
    root.append(back);
    focusFirst(root);
  }

  /** Whether the focus is where moves are chosen, or nowhere, so that it may go to the next ones. */
  const holdsFocus = () => document.activeElement === document.body || document.activeElement.closest("#moves, #watching, .card-move") !== null;

  function focusFirst(root) {
    const first = root.querySelector("button");
    if (first) first.focus();
  }

  /**
   * Fill `root` with the legal moves, and make the cards of one's place clickable. question: place, its element; legal;
   * cards: for each legal move the card of the hand that it names, or null;
   * refused: what cannot be chosen, each as a kind (card or move), the face or words, and the reason.
   */
  function show(root, question, onChoose) {
    const { legal, refused } = question;
    keys = legal.length <= FEW ? legal : [];
    forget();
    tell("");
    root.replaceChildren(...(legal.length > MANY
      ? inSteps(legal, onChoose)
      : legal.map((move, n) => moveButton(move, onChoose, n))),
    ...refused.filter(([kind]) => kind === "move").map(refusedButton));
    offerCards(root, question, onChoose);
  }

  return { show, forget, moveOfKey, focusFirst, holdsFocus };
})();
