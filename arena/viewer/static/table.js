"use strict";
// The table: places around the middle, and the items on it.

const Table = (() => {
  const { make } = Dom;
  const MANY = 6; // zones with more items draw smaller cards

  function face(item) {
    const words = [item.face, item.name].filter(Boolean).join(", ");
    switch (item.kind) {
      case "card": {
        const suit = Icons.picture(item.tone);
        const sign = suit || Icons.picture(item.name);
        const index = suit ? item.face.slice(1) : item.face;
        return make("div", { class: `card ${item.tone || ""}`, title: words, role: "img", "aria-label": words },
          make("span", { class: "index" }, index), sign || make("span", { class: "pip" }, index),
          make("span", { class: "name" }, suit ? item.tone : item.name || ""));
      }
      case "back": return make("div", { class: "back", role: "img", "aria-label": item.name || "face down", title: item.name });
      case "die": case "cup": {
        const die = Icons.die(item.kind === "die" ? item.face : "", item.tone === "skull");
        return make("span", { role: "img", "aria-label": words, title: words }, die);
      }
      case "chips": return make("span", { class: "item pair" }, Icons.chip(), make("b", { class: "number" }, item.face));
      case "token": return make("span", { role: "img", "aria-label": "token", title: item.name }, Icons.token());
      default: return make("span", { class: "plain" }, item.face);
    }
  }

  function itemElement(item) {
    if (!item.mark && !item.count) return face(item);
    const pile = item.kind === "back";
    return make("span", { class: item.count ? "item pair" : "item" },
      item.count && !pile ? make("span", { class: "times" }, `${item.count} ×`) : null,
      face(item),
      item.count && pile ? make("span", { class: "times" }, `${item.count}`) : null,
      item.mark ? make("span", { class: "mark" }, item.mark) : null);
  }

  function zoneElement(zone) {
    const items = zone.items || [];
    const sizes = (zone.small ? " small" : "") + (items.length > MANY ? " many" : "");
    return make("div", { class: `zone${sizes}` },
      make("div", { class: "label" }, zone.label), make("div", { class: "items" }, items.map(itemElement)));
  }

  const factList = (facts) => make("dl", { class: "facts" },
    facts.map((fact) => make("div", {}, make("dt", {}, fact.label), make("dd", {}, fact.value))));

  function placeElement(place, names, asked, perspective) {
    const seat = place.seat;
    const classes = ["place", asked.includes(seat) && "asked", place.out && "out"].filter(Boolean).join(" ");
    return make("section", { class: classes, "aria-label": `seat ${seat}, ${names[seat]}`, "data-seat": seat },
      make("div", { class: "who" }, make("b", { title: names[seat] }, names[seat]), make("span", { class: "seat" }, `seat ${seat}`),
        asked.includes(seat) ? make("span", { class: "seat-status" }, "to move") : perspective === seat ? make("span", { class: "seat-status" }, "seen by") : null,
        place.facts ? factList(place.facts) : null),
      make("div", { class: "zones" }, (place.zones || []).map(zoneElement)),
      place.badges ? make("ul", { class: "badges" }, place.badges.map((word) => make("li", {}, word))) : null,
      place.said ? make("p", { class: "talk" }, `“${place.said}”`) : null,
      place.recent ? make("p", { class: "recent" }, place.recent) : null);
  }

  /** Fill `root` with a table. view: scene, players, asked, perspective (a seat or null). */
  function show(root, view) {
    const { scene, players, asked, perspective } = view;
    const seats = scene.places.length;
    const top = Math.floor(seats / 2);
    const start = perspective === null ? 0 : (perspective - top - Math.floor((seats - top) / 2) + 2 * seats) % seats;
    const order = scene.places.map((_, step) => (start + step) % seats);
    const placeElements = (list) => list.map((seat) => placeElement({ seat, ...scene.places[seat] }, players, asked, perspective));
    root.replaceChildren(
      make("div", { class: "row" }, placeElements(order.slice(0, top))),
      make("div", { class: "middle" },
        make("div", { class: "where" }, scene.heading || "", scene.facts.map((fact) => make("span", {}, `${fact.label}: ${fact.value}`))),
        scene.middle.map(zoneElement)),
      make("div", { class: "row" }, placeElements(order.slice(top).reverse())));
  }

  return { show };
})();
