"use strict";
// The dates of a league for the reader: each in the time zone of the browser, and how long it is until then.

(() => {
  const FORM = { dateStyle: "medium", timeStyle: "short" };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  /** How long a number of seconds is, in the same number of characters for hours, minutes and seconds. */
  function left(seconds) {
    const two = (number) => String(number).padStart(2, "0");
    const days = Math.floor(seconds / 86400);
    const clock = [3600, 60, 1].map((unit, n) => two(Math.floor(seconds / unit) % (n ? 60 : 24))).join(":");
    return `in ${days ? `${days} d ` : ""}${clock}`;
  }

  /** Write what is known of each date; a date that is over is past. */
  function write() {
    for (const place of document.querySelectorAll("[data-moment]")) {
      const moment = new Date(place.dataset.moment);
      const seconds = Math.ceil((moment - Date.now()) / 1000);
      const words = `${moment.toLocaleString("en-GB", FORM)} ${zone} · ${seconds > 0 ? left(seconds) : "past"}`;
      if (place.textContent !== words) place.textContent = words;
    }
  }

  write();
  setInterval(write, 1000);
})();
