"use strict";
// A page of a league: its parts are replaced when they change.

(() => {
  const { byId } = Dom;
  const whole = byId("live-page");
  const { events, digest } = whole.dataset;

  function parsed(markup) {
    // The server's own markup, in which all that bots wrote is text already.
    const isRow = markup.startsWith("<tr");
    const text = isRow ? `<table><tbody>${markup}</tbody></table>` : markup;
    const page = new DOMParser().parseFromString(text, "text/html");
    return document.adoptNode(isRow ? page.querySelector("tr") : page.body.firstElementChild);
  }

  /** Mark a row of a board that is the visitor's own, as the page has marked them. */
  function mark(row) {
    const { owner } = byId("rows")?.dataset ?? {};
    if (owner && row.matches("tr") && row.querySelector("[data-author]")?.dataset.author === owner) row.classList.add("own");
  }

  function replace(old, next) {
    const active = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const opened = [...old.querySelectorAll("details")].map((details) => details.open);
    next.querySelectorAll("details").forEach((details, n) => { details.open = opened[n] || false; });
    mark(next);
    old.replaceWith(next);
    if (active !== null) next.querySelector(`a[href="${CSS.escape(active)}"]`)?.focus({ preventScroll: true });
  }

  function order(rows, parts) {
    const body = byId("rows");
    if (!body) return;
    const wanted = new Set(rows);
    for (const row of [...body.children]) {
      if (!wanted.has(row.id) && /\b(placing|standing)\b/.test(row.className)) row.remove();
    }
    const known = new Map([...body.children].map((row) => [row.id, row]));
    if ("whole" in body.dataset) {
      for (const id of rows) {
        if (known.has(id) || !parts[id]) continue;
        known.set(id, parsed(parts[id]));
        mark(known.get(id));
      }
    }
    rows.forEach((id, n) => { // places are not sent where nothing else of a row has changed
      const place = known.get(id)?.firstElementChild;
      if (place && place.textContent !== "-") place.textContent = place.textContent.replace(/\d+/, n + 1);
    });
    const ordered = rows.filter((id) => known.has(id)).map((id) => known.get(id));
    const rest = [...body.children].filter((row) => !wanted.has(row.id));
    // Only what is out of place is moved: a row that has the focus would lose it. A visitor's own order stays.
    const isSorted = "sorted" in body.closest("table").dataset;
    [...ordered, ...rest].forEach((row, n) => {
      if (isSorted && row.isConnected) return;
      if (body.children[n] !== row) body.insertBefore(row, body.children[n] || null);
    });
  }

  /** Take all parts from the page as it is now. */
  async function load() {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["rows", ...whole.dataset.parts.split(" ")]) {
      const [old, next] = [byId(id), page.getElementById(id)];
      if (old && next) replace(old, document.adoptNode(next));
    }
  }

  const source = new EventSource(`${events}${events.includes("?") ? "&" : "?"}has=${digest}`);
  source.addEventListener("parts", (event) => {
    const { parts, rows } = JSON.parse(event.data);
    for (const [id, markup] of Object.entries(parts)) {
      const old = byId(id);
      if (old) replace(old, parsed(markup));
    }
    if (rows) order(rows, parts);
  });
  source.addEventListener("stale", () => { // not all browsers at once
    setTimeout(() => load().catch(() => {}), 5000 * Math.random());
  });
})();
