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
    const button = make("button", { type: "button" }, key, move);
    button.onclick = () => onChoose(move);
    return button;
  }

  /** Split a move that ends in a choice: words, a quantity where there is one, and the last choice: bid 4x5, bet 10. */
  function split(move) {
    const [, words, quantity, last] = /^(.*?)(?:(\d+)x)?(-?\d+|(?<=x)\w+)$/.exec(move) || [];
    return words === undefined ? { words: move } : { words, quantity, last };
  }

  const select = (label, values) => make("select", { "aria-label": label }, values.map((value) => make("option", { value }, value)));

  /** A button with lists for what follows its words. moves: those that begin with them, split. */
  function withLists(words, moves, onChoose) {
    const lasts = (quantity) => moves.filter((move) => move.quantity === quantity).map((move) => move.last);
    const quantities = [...new Set(moves.map((move) => move.quantity))].filter((quantity) => quantity !== undefined);
    const last = select(`${words.trim()}: of`, lasts(quantities[0]));
    const quantity = quantities.length ? select(`${words.trim()}: how many`, quantities) : null;
    if (quantity) quantity.onchange = () => {
      const { value: chosen } = last;
      const values = lasts(quantity.value);
      last.replaceChildren(...values.map((value) => make("option", { value }, value)));
      if (values.includes(chosen)) last.value = chosen;
    };
    const button = make("button", { type: "button" }, words.trim() || "choose");
    button.onclick = () => onChoose(`${words}${quantity ? `${quantity.value}x` : ""}${last.value}`);
    return make("span", { class: "numbered" }, button, quantity, quantity ? "×" : null, last);
  }

  /** A button for each beginning of many moves. */
  function inSteps(legal, onChoose) {
    const groups = new Map();
    for (const move of legal.map(split)) groups.set(move.words, [...(groups.get(move.words) || []), move]);
    return [...groups].flatMap(([words, moves]) => (moves.length < WORTH
      ? moves.map(({ quantity, last }) => moveButton(`${words}${quantity ? `${quantity}x` : ""}${last || ""}`, onChoose))
      : [withLists(words, moves, onChoose)]));
  }

  /** Let the cards of the hand that moves play be clicked: to play one, or to see only the moves with it. */
  function offerCards(root, place, legal, onChoose) {
    if (!place) return;
    const named = (face) => legal.filter((move) => /^(play|bid|discard) /.test(move) && move.split(/\s+/)[1] === face);
    for (const item of place.querySelectorAll('[data-zone="hand"] [data-item^="card "]')) {
      const face = item.dataset.item.slice("card ".length);
      const moves = named(face);
      if (!moves.length) continue;
      const words = moves.length === 1 ? moves[0] : `${moves.length} moves with ${face}`;
      const chosen = () => (moves.length === 1 ? onChoose(moves[0]) : narrow(root, place, legal, moves, onChoose));
      item.classList.add("card-move");
      item.setAttribute("role", "button");
      item.setAttribute("tabindex", "0");
      item.setAttribute("aria-label", words);
      item.title = words;
      item.onclick = chosen;
      item.onkeydown = (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        chosen();
      };
    }
  }

  /** Show only some of the legal moves, and a way back to all. */
  function narrow(root, place, legal, moves, onChoose) {
    show(root, null, moves, onChoose);
    const back = make("button", { type: "button", class: "back-to-all" }, "all moves");
    back.onclick = () => { show(root, place, legal, onChoose); focusFirst(root); };
    root.append(back);
    focusFirst(root);
  }

  function focusFirst(root) {
    const first = root.querySelector("button");
    if (first) first.focus();
  }

  /** Fill `root` with the legal moves, and make the cards of `place` that stand for one clickable. */
  function show(root, place, legal, onChoose) {
    keys = legal.length <= FEW ? legal : [];
    root.replaceChildren(...(legal.length > MANY
      ? inSteps(legal, onChoose)
      : legal.map((move, n) => moveButton(move, onChoose, n))));
    offerCards(root, place, legal, onChoose);
  }

  return { show, moveOfKey, focusFirst };
})();
