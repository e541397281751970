"use strict";
// The table: places around the middle, and the items on it.

const Table = (() => {
  const { make } = Dom;

  const SEAT = /^seat (\d+)/;

  const markAfter = (rest) => (rest ? `${/^, /.test(rest) ? ", " : " "}${Words.of(rest.replace(/^[, ]+/, ""))}` : "");

  /** Return an element of a zone: the face in a box that gives it its size, with its number and its mark. */
  function itemElement(item) {
    const owner = SEAT.exec(item.mark || "");
    return make("span", { class: item.count ? "item counted" : "item", "data-item": `${item.kind} ${item.face || ""}` },
      Faces.face(item),
      item.count ? make("span", { class: "times" }, item.kind === "back" ? `${item.count}` : `${item.count}×`) : null,
      item.mark ? make("span", { class: "mark", title: Words.of(item.mark) },
        owner ? [Seats.label(Number(owner[1])), markAfter(item.mark.slice(owner[0].length))] : Words.of(item.mark)) : null);
  }

  const KINDS = { card: "cards", back: "cards", die: "dice", cup: "dice", chips: "sums", token: "tokens" };
  const LONGEST = { cards: 10, dice: 10, bids: 5, sums: 4, tokens: 12, texts: 1 }; // the items in a line of a zone
  const ASIDE = 6; // small cards that stand in one line

  /** Return in how many lines the items of a zone stand; cards that lie aside form a square. */
  function linesOf(count, kind, small) {
    const lines = small && kind === "cards" ? Math.sqrt(count / ASIDE) : count / LONGEST[kind];
    return Math.max(1, Math.ceil(lines));
  }

  function zoneElement(zone) {
    const items = zone.items || [];
    const kind = items.length ? KINDS[items[0].kind] || "texts" : "cards";
    const counted = kind === "dice" && items.some((item) => item.count);
    const lines = linesOf(items.length, counted ? "bids" : kind, zone.small);
    const classes = ["zone", kind, zone.small && "small", lines > 1 && "lined", items.some((item) => item.mark) && "marked",
      counted && "counted"];
    const columns = Math.max(1, Math.ceil(items.length / lines));
    const element = make("div", { class: classes.filter(Boolean).join(" "), "data-zone": zone.label, title: Words.of(zone.label) },
      make("div", { class: "label" }, Words.of(zone.label)), make("div", { class: columns > 1 ? "items" : "items single" }, items.map(itemElement)));
    element.style.setProperty("--columns", columns);
    element.style.setProperty("--overlapping", columns - 1);
    element.style.setProperty("--lines", lines);
    return element;
  }

  /** Return how many zones share a width; tokens and chips need half as much. */
  const share = (zones) => Math.max(1, zones.reduce((sum, zone) => sum + (["token", "chips"].includes((zone.items || [{}])[0].kind) ? 0.5 : 1), 0));

  /** Return the zones in two halves, which stand in two lines where the table is narrow. */
  function zoneList(zones) {
    const half = Math.ceil(zones.length / 2);
    const lines = [zones.slice(0, half), zones.slice(half)].filter((line) => line.length).map((line) => {
      const element = make("div", { class: "line" }, line.map(zoneElement));
      element.style.setProperty("--line-zones", share(line));
      return element;
    });
    const list = make("div", { class: "zones" }, lines);
    list.style.setProperty("--all-zones", share(zones));
    return list;
  }

  const factList = (facts) => make("dl", { class: "facts" },
    facts.map((fact) => make("div", { "data-fact": fact.label, title: `${Words.of(fact.label)} ${Words.of(fact.value)}` }, make("dt", {}, Words.of(fact.label)), make("dd", {}, Words.of(fact.value)))));

  /** Fill the place of a seat. It has the same lines in every frame, so that nothing moves when their content changes. */
  function fillPlace(element, place, seat, view) {
    const { players, asked, perspective } = view;
    const status = asked.includes(seat) ? t("to move") : perspective === seat ? t("seen by") : null;
    const recent = place.recent ? Words.ofSeat(seat, place.recent) : "";
    const badges = [...(status ? [make("li", { class: "seat-status" }, status)] : []), ...(place.badges || []).map((word) => make("li", {}, Words.of(word)))];
    const words = [...(place.badges || []).map(Words.of), place.said ? `“${place.said}”` : "", recent].filter(Boolean).join(" · ");
    element.className = ["place", asked.includes(seat) && "asked", place.out && "out"].filter(Boolean).join(" ");
    element.replaceChildren(make("div", { class: "inside" },
      make("div", { class: "who" }, Seats.label(seat), make("b", { title: players[seat] }, players[seat])),
      factList(place.facts || []),
      zoneList(place.zones || []),
      make("div", { class: "lines", title: words || null },
        badges.length ? make("ul", { class: "badges" }, badges) : null,
        place.said ? make("span", { class: "talk" }, `“${place.said}”`) : null,
        recent ? make("span", { class: "recent" }, recent) : null)));
  }

  function fillMiddle(element, scene) {
    const length = scene.facts.reduce((sum, fact) => sum + fact.label.length + fact.value.length + 4, (scene.heading || "").length);
    element.className = length > LONG_HEADING ? "middle rich" : "middle";
    element.replaceChildren(
      make("div", { class: "where" }, make("b", {}, Words.of(scene.heading || "")), scene.facts.map((fact) => make("span", {}, `${Words.of(fact.label)}: ${Words.of(fact.value)}`))),
      zoneList(scene.middle));
  }

  const LONG_HEADING = 60; // letters
  const FEW = 2; // cards and dice that may stand beside the words of a seat
  const cardsOf = (place) => (place.zones || []).flatMap((zone) => zone.items || []).filter((item) => !["chips", "token"].includes(item.kind)).length;

  /** Set up the elements of a table, each at its place. first: the seat at the bottom. */
  function lay(root, seats, first) {
    const places = Array.from({ length: seats }, (_, seat) => make("section", { class: "place", "data-seat": seat }));
    const middle = make("div", { class: "middle" });
    Seats.place(places, middle, first);
    root.replaceChildren(middle, ...places);
    root.classList.add("few"); // until a hand is seen, so that the places do not change while it is played
    return { first, places, middle, shown: places.map(() => ({})), shownMiddle: null };
  }

  const tables = new WeakMap(); // by root, what it holds

  /**
   * Fill `root` with a table; only what differs from the one before is made anew. view: scene, players, asked,
   * perspective (a seat or null), bottom (the seat at the bottom while the perspective is null; null or absent: seat 0).
   */
  function show(root, view) {
    const { scene, players, asked, perspective, bottom } = view;
    const seats = scene.places.length;
    const first = perspective !== null ? perspective : bottom || 0;
    let table = tables.get(root);
    if (!table || table.middle.parentElement !== root || table.places.length !== seats || table.first !== first) {
      table = lay(root, seats, first);
      tables.set(root, table);
    }
    if (scene.places.some((place) => cardsOf(place) > FEW)) root.classList.remove("few");
    scene.places.forEach((place, seat) => {
      const state = `${asked.includes(seat)} ${perspective === seat} ${players[seat]}`;
      const before = table.shown[seat];
      if (before.place === place && before.state === state) return;
      table.shown[seat] = { place, state };
      table.places[seat].setAttribute("aria-label", `${t("seat {0}", seat)}, ${players[seat]}`);
      fillPlace(table.places[seat], place, seat, view);
    });
    const words = [scene.heading, ...scene.facts.flatMap((fact) => [fact.label, fact.value])].join("\n");
    const before = table.shownMiddle;
    if (before && before.words === words && before.zones.length === scene.middle.length && before.zones.every((zone, n) => zone === scene.middle[n])) return;
    table.shownMiddle = { words, zones: scene.middle };
    fillMiddle(table.middle, scene);
  }

  return { show };
})();
