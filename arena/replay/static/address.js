"use strict";
// The moment that is shown, in the address. Browsers allow only so many changes (Safari 100 in 30 s, Chromium 200 in
// 10 s), and somebody who drags the slider makes more: the last one counts.

const Address = (() => {
  const APART = 400; // milliseconds
  let next = null; // the hash that is not yet in the address
  let seen = ""; // the one that it is to replace: a link may have been followed meanwhile
  let timer = 0;

  function write() {
    timer = 0;
    if (next === null) return;
    if (location.hash === seen && next !== seen) history.replaceState(null, "", next);
    next = null;
    timer = setTimeout(write, APART);
  }

  /** Put the hash of what is shown into the address, soon. */
  function show(hash) {
    [next, seen] = [hash, location.hash];
    if (!timer) write();
  }

  /** Return the hash of what is shown. */
  const hash = () => (next !== null && location.hash === seen ? next : location.hash);

  for (const link of document.querySelectorAll(".languages a")) {
    link.addEventListener("click", () => { link.hash = hash(); }); // the same moment in another language
  }

  return { show, hash, parameters: () => new URLSearchParams(hash().slice(1)) };
})();
