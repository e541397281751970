"use strict";
// The faces of items: cards, dice, chips, tokens and pieces. The drawings are in the sheets of the game (*.svg), which the page
// holds or loads once. The index of a card is text, so that it can be read without them.

const Faces = (() => {
  const { make, draw } = Dom;
  const SUITS = ["coins", "cups", "swords", "clubs"];

  /** Load the sheets that the page names but does not hold. */
  async function load() {
    const page = document.querySelector("[data-art]");
    if (!page) return;
    const answer = await fetch(page.dataset.art);
    const sheets = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.body.append(...sheets.querySelectorAll("svg"));
  }

  const use = (id, kind) => draw("use", { href: `#art-${id}`, class: kind });

  const picture = (width, height, ...parts) => draw("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...parts);

  /** Return an item that is one drawing in a square. */
  const piece = (kind, id, words) => make("span", { class: kind, role: "img", "aria-label": words, title: words }, picture(40, 40, use(id)));

  /** Return the drawings of a card: a figure, or pips and the sign that stands for them where the card is small. */
  function drawings(item) {
    if (SUITS.includes(item.tone)) return [use(item.face, "pips"), use(item.tone, "sign")];
    if (item.tone === "number") return [use(`number-${item.face}`, "pips"), use("egg", "sign")];
    return [use(item.name, "figure"), draw("text", { class: "name" }, Words.of(item.name))];
  }

  function card(item, words) {
    const suit = SUITS.includes(item.tone);
    const index = suit ? item.face.slice(1) : item.face;
    const corner = (attributes) => draw("g", attributes,
      draw("text", { class: "index" }, index.replace("-", "−")), suit ? use(item.tone, "suit") : null);
    const turned = suit && Number(index) > 7 ? null : corner({ class: "turned", transform: "rotate(180 50 70)" });
    return make("div", { class: "card", title: words, role: "img", "aria-label": words },
      picture(100, 140, ...drawings(item), corner({}), turned));
  }

  /** Return an element that shows one item. */
  function face(item) {
    const name = Words.of(item.name);
    const words = SUITS.includes(item.tone) ? name : [item.face, name].filter(Boolean).join(", "); // the face of these is a code: C7
    switch (item.kind) {
      case "card": return card(item, words);
      case "back": return make("div", { class: "back", role: "img", "aria-label": Words.of(item.name || "face down"), title: Words.of(item.name) }, picture(100, 140, use("back")));
      case "die": return piece("die", `die-${item.face}`, words);
      case "cup": return piece("die", "cup", words);
      case "chips": return make("span", { class: "item pair" }, make("span", { class: "chip" }, picture(40, 40, use("chip"))), make("b", { class: "number" }, item.face));
      case "piece": return make("span", { class: "held", role: "img", "aria-label": words, title: Words.of(item.name) }, Board.held(item.face, item.tone));
      case "token": return piece("token", "token", Words.of(item.name));
      default: return make("span", { class: "plain" }, Words.of(item.face));
    }
  }

  load().catch(() => {}); // without drawings the cards still have their index and name
  return { face };
})();
