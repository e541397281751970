"use strict";
// The table: places around the middle, and the items on it.

const Table = (() => {
  const { make } = Dom;

  // The marks that name a seat, by their ids, and what is shown after its label. A star stands for the winner of a trick:
  // cards are too narrow for the word.
  const OF_SEATS = { "seat {0}": () => "", "seat {0} won": () => "★", "seat {0}, {1} again": (dice) => `, ${t("{0} again", dice)}` };

  /** Return an element of a zone: the face in a box that gives it its size, with its number and its mark. */
  function itemElement(item) {
    const [id, seat, ...rest] = Array.isArray(item.mark) ? item.mark : [];
    const after = OF_SEATS[id];
    return make("span", { class: item.count ? "item counted" : "item", "data-item": `${item.kind} ${Words.english(item.face || "")}` },
      Faces.face(item),
      item.count ? make("span", { class: "times" }, item.kind === "back" ? `${item.count}` : `${item.count}×`) : null,
      item.mark ? make("span", { class: "mark", title: Words.of(item.mark) },
        after ? [Seats.label(seat), after(...rest)] : Words.of(item.mark)) : null);
  }

  const KINDS = { card: "cards", back: "cards", die: "dice", cup: "dice", piece: "dice", chips: "sums", token: "tokens" };
  const LONGEST = { cards: 10, dice: 10, bids: 5, sums: 4, tokens: 12, texts: 1 }; // the items in a line of a zone
  const ASIDE = 6; // small cards that stand in one line

  /** Return in how many lines the items of a zone stand; cards that lie aside form a square. */
  function linesOf(count, kind, small) {
    const lines = small && kind === "cards" ? Math.sqrt(count / ASIDE) : count / LONGEST[kind];
    return Math.max(1, Math.ceil(lines));
  }

  const LONG_LABEL = 7; // letters beside which a small card is narrow: such a label has two lines

  const SMALL = 0.6; // the scale of cards that lie aside
  const NARROW = 0.6; // the width of a zone of tokens or chips, in cards

  /** Return what decides how much room a zone takes: the kind of its items, its lines and columns. */
  function shapeOf(zone) {
    const items = zone.items || [];
    const kind = items.length ? KINDS[items[0].kind] || "texts" : "cards";
    const isCounted = kind === "dice" && items.some((item) => item.count);
    const lines = linesOf(items.length, isCounted ? "bids" : kind, zone.small);
    const columns = Math.max(1, Math.ceil(items.length / lines));
    return { items, kind, isCounted, lines, columns, isMarked: items.some((item) => item.mark) };
  }

  const WIDE_LETTER = /[\u1100-\uffff]/gu; // of Korean, Japanese and Chinese: as wide as two others
  const lettersOf = (text) => text.length + (text.match(WIDE_LETTER) || []).length;

  function zoneElement(zone) {
    const { items, kind, isCounted, lines, columns, isMarked } = shapeOf(zone);
    const classes = ["zone", kind, zone.small && "small", lines > 1 && "lined", isMarked && "marked", isCounted && "counted", zone.small && columns < 3 && lettersOf(Words.of(zone.label)) > LONG_LABEL && "worded"];
    const element = make("div", { class: classes.filter(Boolean).join(" "), "data-zone": zone.label, title: Words.of(zone.label) },
      make("div", { class: "label" }, Words.of(zone.label)), make("div", { class: columns > 1 ? "items" : "items single" }, items.map(itemElement)));
    element.style.setProperty("--columns", columns);
    element.style.setProperty("--overlapping", columns - 1);
    element.style.setProperty("--lines", lines);
    element.style.setProperty("--letters", lettersOf(Words.of(zone.label)));
    return element;
  }

  /** Return how many items of a zone are wholly seen, and how many partly, below the next one; tokens and chips are narrow. */
  function widthOf(zone) {
    const { kind, columns, isMarked } = shapeOf(zone);
    if (kind === "tokens" || kind === "sums") return [NARROW, 0];
    if (kind === "dice" || isMarked) return [columns * (zone.small && kind !== "dice" ? SMALL : 1), 0];
    return [1, columns - 1].map((count) => count * (zone.small ? SMALL : 1));
  }

  /** Tell a list of zones what they hold in all, by which its style divides the width. name: of the list. */
  function measure(element, name, zones) {
    const [whole, partly] = zones.map(widthOf).reduce((sums, width) => sums.map((sum, n) => sum + width[n]), [0, 0]);
    element.style.setProperty(`--${name}-whole`, Math.max(1, whole));
    element.style.setProperty(`--${name}-partly`, partly);
    element.style.setProperty(`--${name}-zones`, zones.length);
  }

  /** Return the zones in two halves, which stand in two lines where the table is narrow. */
  function halves(zones) {
    const half = Math.ceil(zones.length / 2);
    return [zones.slice(0, half), zones.slice(half)].filter((line) => line.length);
  }

  /** Fill a list of zones. Where there were as many before, only those that differ are rebuilt. */
  function fillZones(list, zones, before) {
    if (before && before.length === zones.length) {
      const elements = list.querySelectorAll("[data-zone]");
      zones.forEach((zone, n) => { if (JSON.stringify(zone) !== JSON.stringify(before[n])) elements[n].replaceWith(zoneElement(zone)); });
    } else {
      list.replaceChildren(...halves(zones).map((line) => make("div", { class: "line" }, line.map(zoneElement))));
    }
    halves(zones).forEach((line, n) => measure(list.children[n], "line", line));
    measure(list, "all", zones);
  }

  /**
   * Return an element, and a function that fills it again only where its value has changed: new elements cost a browser
   * more than everything else between two frames. fill: called with the element, its value and the value before.
   */
  function part(element, fill) {
    let before;
    let key;
    const show = (value) => {
      const now = JSON.stringify(value);
      if (now === key) return;
      fill(element, value, before);
      [before, key] = [value, now];
    };
    return { element, show };
  }

  // A value of several lines is a diagram: a board in letters.
  const isDiagram = (fact) => Words.english(fact.value).includes("\n");
  const drawn = (fact) => (isDiagram(fact) ? { class: "diagram" } : {});
  const factElement = (fact) => make("div", { "data-fact": Words.english(fact.label), title: `${Words.of(fact.label)} ${Words.of(fact.value)}` },
    make("dt", {}, Words.of(fact.label)), make("dd", drawn(fact), isDiagram(fact) ? fact.value : Seats.marked(Words.pieces(fact.value))));

  function fillFacts(list, facts) {
    list.className = facts.length > 1 ? "facts several" : "facts";
    list.replaceChildren(...facts.map(factElement));
  }

  const fillWho = (seat) => (element, name) => element.replaceChildren(Seats.label(seat), make("b", { title: name }, name));

  const fillLines = (element, { status, marks, said, happened }) => {
    const recent = happened ? Words.ofSeat(happened) : [];
    const badges = [...(status ? [make("li", { class: "seat-status" }, status)] : []), ...marks.map((mark) => make("li", {}, Seats.marked(Words.pieces(mark))))];
    element.title = [...marks.map(Words.of), said ? `“${said}”` : "", recent.map((piece) => (typeof piece === "number" ? Words.name(piece) : piece)).join("")].filter(Boolean).join(" · ");
    element.replaceChildren(...[
      badges.length ? make("ul", { class: "badges" }, badges) : null,
      said ? make("span", { class: "talk" }, `“${said}”`) : null,
      recent.length ? make("span", { class: "recent" }, Seats.marked(recent)) : null,
    ].filter(Boolean));
  };

  /** Return the parts of the place of a seat: the same in every frame, so that nothing moves when their content changes. */
  function makePlace(seat) {
    const who = part(make("div", { class: "who" }), fillWho(seat));
    const facts = part(make("dl", { class: "facts" }), fillFacts);
    const zones = part(make("div", { class: "zones" }), fillZones);
    const lines = part(make("div", { class: "lines" }), fillLines);
    const inside = make("div", { class: "inside" }, [who, facts, zones, lines].map(({ element }) => element));
    return { element: make("section", { class: "place", "data-seat": seat }, inside), who, facts, zones, lines };
  }

  function showPlace({ element, who, facts, zones, lines }, place, seat, view) {
    const { players, asked, perspective, isOwn, name } = view;
    const isAsked = asked.includes(seat);
    const kinds = ["place", isAsked && "asked", place.out && "out", !(place.zones || []).length && "bare"];
    element.className = kinds.filter(Boolean).join(" ");
    element.setAttribute("aria-label", [t("seat {0}", seat), players[seat], name].filter(Boolean).join(", "));
    who.show(players[seat]);
    facts.show(place.facts || []);
    zones.show(place.zones || []);
    const status = isAsked ? t("to move") : perspective === seat && !isOwn ? t("seen by") : null;
    lines.show({ status, marks: place.badges || [], said: place.said, happened: place.recent });
  }

  function fillWhere(element, { heading, facts, banner }) {
    if (banner) {
      element.replaceChildren(make("p", { class: "banner" }, make("b", {}, Words.of(banner.title)),
        ...[banner.by, banner.since].filter(Boolean).map((words) => make("span", {}, Words.of(words)))));
      return;
    }
    element.replaceChildren(make("b", {}, Words.of(heading || "")),
      ...facts.map((fact) => make("span", drawn(fact), isDiagram(fact) ? fact.value : [...Seats.marked(Words.pieces(fact.label)), ": ", ...Seats.marked(Words.pieces(fact.value))])));
  }

  function makeMiddle() {
    const where = part(make("div", { class: "where" }), fillWhere);
    const zones = part(make("div", { class: "zones" }), fillZones);
    const board = part(make("div", { class: "ground" }), (element, shown) => element.replaceChildren(...(shown ? [Board.element(...shown)] : [])));
    return { element: make("div", { class: "middle" }, where.element, zones.element, board.element), where, zones, board };
  }

  const lengthOf = (text) => Words.english(text).length;

  function showMiddle({ element, where, zones, board }, { heading, facts, middle, board: shown }, banner, below) {
    const length = facts.reduce((sum, { label, value }) => sum + lengthOf(label) + lengthOf(value) + 4, lengthOf(heading || ""));
    const kinds = ["middle", (length > LONG_HEADING || banner) && "rich", facts.some(isDiagram) && "drawn", banner && "over", shown && "boarded"];
    element.className = kinds.filter(Boolean).join(" ");
    where.show({ heading, facts, banner: banner ? { title: banner.title, by: banner.by, since: banner.since } : null });
    zones.show(tricksOf(middle));
    board.show(shown ? [shown, below] : null);
  }

  /** Return the zones of the middle: while no trick is under way, the last one lies in its place. */
  function tricksOf(middle) {
    if (!middle.some(({ label }) => label === "last trick") || !middle.some(({ label, items }) => label === "trick" && !(items || []).length)) return middle;
    return middle.filter(({ label }) => label !== "trick").map((zone) => (zone.label === "last trick" ? { ...zone, small: false } : zone));
  }

  const LONG_HEADING = 60; // letters
  const FEW = 2; // cards and dice that may stand beside the words of a seat
  const cardsOf = (place) => (place.zones || []).flatMap((zone) => zone.items || []).filter((item) => !["chips", "token"].includes(item.kind)).length;

  /** Set up the elements of a table, each at its place. first: the seat at the bottom. */
  function lay(root, seats, first, hasBoard) {
    const places = Array.from({ length: seats }, (_, seat) => makePlace(seat));
    const middle = makeMiddle();
    const elements = places.map(({ element }) => element);
    Seats.place(elements, middle.element, first, hasBoard);
    root.replaceChildren(middle.element, ...elements);
    root.classList.add("few", "open"); // until a hand, or something in the middle, is seen, so that nothing changes its place while it is played
    return { first, places, middle, hasBoard };
  }

  const tables = new WeakMap(); // by root, what it holds

  /**
   * Fill `root` with a table; only what differs from the one before is rebuilt. view: scene, players, asked,
   * perspective (a seat or null), bottom (the seat at the bottom while the perspective is null; null or absent: seat 0),
   * banner (the story of the match at its end; null or absent: none), isOwn (whether whoever looks plays that seat), name (of the table where a page has several).
   */
  function show(root, view) {
    const { scene, perspective, bottom } = view;
    const seats = scene.places.length;
    Words.cast(view.players);
    const first = perspective !== null ? perspective : bottom || 0;
    const hasBoard = Boolean(scene.board) && seats === 2;
    let table = tables.get(root);
    if (!table || table.hasBoard !== hasBoard || table.middle.element.parentElement !== root || table.places.length !== seats || table.first !== first) {
      table = lay(root, seats, first, hasBoard);
      tables.set(root, table);
    }
    if (scene.board || scene.places.some((place) => cardsOf(place) > FEW)) root.classList.remove("few");
    if (scene.middle.length || scene.board) root.classList.remove("open");
    scene.places.forEach((place, seat) => showPlace(table.places[seat], place, seat, view));
    showMiddle(table.middle, scene, view.banner, first);
  }

  return { show };
})();
