"use strict";
// Cards and chips that move from where they were to where they are. Nothing moves for readers who prefer that.

const Motion = (() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const LONGEST = 320; // milliseconds of one movement
  const STAGGER = 45; // between the items of one event
  let running = []; // what moves: its table, and a function that ends the movement at once

  function spot(root, [seat, label]) {
    const around = seat < 0 ? root.querySelector(".middle") : root.querySelector(`[data-seat="${seat}"]`);
    const name = Words.english(label);
    const named = around ? [...around.querySelectorAll("[data-zone], [data-fact]")] : [];
    return named.find((part) => part.dataset.zone === name || part.dataset.fact === name) || around;
  }

  const itemsAt = (part) => (part && part.dataset.zone !== undefined ? [...part.querySelector(".items").children] : []);

  /** The box of an item in its zone: the one that looks like it, or else one face down, or the zone itself. */
  function boxBefore(root, movement) {
    const part = spot(root, movement.from);
    const items = itemsAt(part);
    const { kind, face } = movement.item;
    const item = items.find((one) => one.dataset.item === `${kind} ${Words.english(face || "")}`) || items.find((one) => one.dataset.item === "back ") || items[items.length - 1];
    const shown = item || part;
    return shown ? shown.getBoundingClientRect() : null;
  }

  /** Remember where items lie that are about to move; call before the table changes. */
  const begin = (root, moved) => (still.matches ? [] : moved.map((movement) => ({ ...movement, box: boxBefore(root, movement) })));

  /** Move a copy of an item above the table, as zones clip what they hold; the item itself is not seen meanwhile. */
  function fly(root, element, from, seat, delay, duration) {
    const [to, table] = [element.getBoundingClientRect(), root.getBoundingClientRect()];
    if (!to.width || !from.width) return;
    const copy = element.cloneNode(true);
    copy.classList.add("flying");
    copy.setAttribute("aria-hidden", "true");
    copy.dataset.to = seat;
    copy.style.setProperty("--item", `${to.width}px`);
    Object.assign(copy.style, { left: `${to.left - table.left - root.clientLeft}px`, top: `${to.top - table.top - root.clientTop}px`, width: `${to.width}px` });
    root.append(copy);
    element.style.visibility = "hidden";
    const scale = Math.max(0.2, Math.min(5, from.width / to.width));
    const [dx, dy] = [from.left + from.width / 2 - to.left - to.width / 2, from.top + from.height / 2 - to.top - to.height / 2];
    const animation = copy.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: "none" }],
      { duration, delay, easing: "cubic-bezier(.3, .1, .2, 1)", fill: "backwards" });
    const arrive = () => {
      copy.remove();
      element.style.visibility = "";
    };
    animation.onfinish = arrive;
    running.push({ root, cancel: () => { animation.cancel(); arrive(); } });
  }

  /** Move the items from where they were; call after the table has changed. time: until the next change, in ms. */
  function end(root, moved, time) {
    const arrived = new Map(); // by zone, how many of its last items have arrived and are still to be moved
    for (const { to } of moved) arrived.set(String(to), (arrived.get(String(to)) || 0) + 1);
    const duration = Math.min(LONGEST, time * 0.6);
    moved.forEach(({ to, box }, place) => {
      const part = spot(root, to);
      const items = itemsAt(part);
      const left = arrived.get(String(to));
      arrived.set(String(to), left - 1);
      const element = items[Math.max(0, items.length - left)] || part;
      if (element && box) fly(root, element, box, to[0], Math.min(place * STAGGER, time * 0.3), duration);
    });
  }

  /** End all movements on a table at once. */
  function finish(root) {
    for (const movement of running) if (movement.root === root) movement.cancel();
    running = running.filter((movement) => movement.root !== root);
  }

  const isStill = () => still.matches;

  return { begin, end, finish, isStill };
})();
