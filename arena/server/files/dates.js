"use strict";
// The dates of a league for the reader: each in the time zone of the browser, and how long it is until then.

(() => {
  const FORM = { dateStyle: "medium", timeStyle: "short" };
  const LANGUAGE = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  /** How long a number of seconds is, in the same number of characters for hours, minutes and seconds. */
  function left(seconds) {
    const two = (number) => String(number).padStart(2, "0");
    const days = Math.floor(seconds / 86400);
    const clock = [3600, 60, 1].map((unit, n) => two(Math.floor(seconds / unit) % (n ? 60 : 24))).join(":");
    return `${days ? `${days} d ` : ""}${clock}`;
  }

  /** Write what is known of each date. A text that stays as it is, is left alone. */
  function write() {
    const say = (place, words) => { if (place.textContent !== words) place.textContent = words; };
    for (const place of document.querySelectorAll("[data-moment]")) {
      say(place, `${new Date(place.dataset.moment).toLocaleString(LANGUAGE, FORM)} ${zone}`);
    }
    for (const place of document.querySelectorAll("[data-left]")) {
      const seconds = Math.ceil((new Date(place.dataset.left) - Date.now()) / 1000);
      say(place, seconds > 0 ? place.dataset.later.replace("{0}", left(seconds)) : place.dataset.past);
    }
  }

  write();
  setInterval(write, 1000);
})();
