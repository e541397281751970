"use strict";
// The drawn table: places around the middle, and what lies there.

const Table = (() => {
  const { make } = Dom;
  const MANY = 6; // things in a zone from which on cards are drawn smaller

  function face(thing) {
    const words = [thing.face, thing.name].filter(Boolean).join(", ");
    switch (thing.kind) {
      case "card": {
        const suit = Icons.picture(thing.tone);
        const sign = suit || Icons.picture(thing.name);
        const index = suit ? thing.face.slice(1) : thing.face;
        return make("div", { class: `card ${thing.tone || ""}`, title: words, role: "img", "aria-label": words },
          make("span", { class: "index" }, index), sign || make("span", { class: "pip" }, index),
          make("span", { class: "name" }, suit ? thing.tone : thing.name || ""));
      }
      case "back": return make("div", { class: "back", role: "img", "aria-label": thing.name || "face down", title: thing.name });
      case "die": case "cup": {
        const die = Icons.die(thing.kind === "die" ? thing.face : "", thing.tone === "skull");
        return make("span", { role: "img", "aria-label": words, title: words }, die);
      }
      case "chips": return make("span", { class: "thing pair" }, Icons.chip(), make("b", { class: "number" }, thing.face));
      case "token": return make("span", { role: "img", "aria-label": "token", title: thing.name }, Icons.token());
      default: return make("span", { class: "plain" }, thing.face);
    }
  }

  function drawn(thing) {
    if (!thing.mark && !thing.count) return face(thing);
    const pile = thing.kind === "back";
    return make("span", { class: thing.count ? "thing pair" : "thing" },
      thing.count && !pile ? make("span", { class: "times" }, `${thing.count} ×`) : null,
      face(thing),
      thing.count && pile ? make("span", { class: "times" }, `${thing.count}`) : null,
      thing.mark ? make("span", { class: "mark" }, thing.mark) : null);
  }

  function zone(told) {
    const things = told.things || [];
    const sizes = (told.small ? " small" : "") + (things.length > MANY ? " many" : "");
    return make("div", { class: `zone${sizes}` },
      make("div", { class: "label" }, told.label), make("div", { class: "things" }, things.map(drawn)));
  }

  const facts = (told) => make("dl", { class: "facts" },
    (told || []).map((fact) => make("div", {}, make("dt", {}, fact.label), make("dd", {}, fact.value))));

  function place(told, names, asked, eye) {
    const seat = told.seat;
    const classes = ["place", asked.includes(seat) && "asked", told.out && "out"].filter(Boolean).join(" ");
    return make("section", { class: classes, "aria-label": `seat ${seat}, ${names[seat]}`, "data-seat": seat },
      make("div", { class: "who" }, make("b", { title: names[seat] }, names[seat]), make("span", { class: "seat" }, `seat ${seat}`),
        asked.includes(seat) ? make("span", { class: "eye" }, "to move") : eye === seat ? make("span", { class: "eye" }, "seen by") : null,
        told.facts ? facts(told.facts) : null),
      make("div", { class: "zones" }, (told.zones || []).map(zone)),
      told.badges ? make("ul", { class: "badges" }, told.badges.map((word) => make("li", {}, word))) : null,
      told.said ? make("p", { class: "saying" }, `“${told.said}”`) : null,
      told.news ? make("p", { class: "happened" }, told.news) : null);
  }

  /** Fill `root` with a table. view: scene, players, asked, eye (a seat or null). */
  function show(root, view) {
    const { scene, players, asked, eye } = view;
    const seats = scene.places.length;
    const top = Math.floor(seats / 2);
    const start = eye === null ? 0 : (eye - top - Math.floor((seats - top) / 2) + 2 * seats) % seats;
    const order = scene.places.map((_, step) => (start + step) % seats);
    const drawnPlaces = (list) => list.map((seat) => place({ seat, ...scene.places[seat] }, players, asked, eye));
    root.replaceChildren(
      make("div", { class: "row" }, drawnPlaces(order.slice(0, top))),
      make("div", { class: "middle" },
        make("div", { class: "where" }, scene.heading || "", scene.facts.map((fact) => make("span", {}, `${fact.label}: ${fact.value}`))),
        scene.middle.map(zone)),
      make("div", { class: "row" }, drawnPlaces(order.slice(top).reverse())));
  }

  return { show };
})();
