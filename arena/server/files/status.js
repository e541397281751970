"use strict";
// The status page: what has changed is replaced, while somebody looks at it.

(() => {
  const PAUSE = 15_000; // milliseconds after an answer: a slow server is asked less often
  let timer = 0;

  /** Replace each part that has changed; what has the focus keeps it, and screen readers hear of changed parts alone. */
  function show(page) {
    for (const old of document.querySelectorAll("#content > [id]")) {
      const next = page.getElementById(old.id);
      if (next === null || old.isEqualNode(next)) continue;
      const active = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      if (old.getAttribute("role") === next.getAttribute("role") && old.tagName === next.tagName) old.replaceChildren(...next.childNodes);
      else old.replaceWith(document.adoptNode(next));
      if (active !== null) document.getElementById(old.id)?.querySelector(`a[href="${CSS.escape(active)}"]`)?.focus({ preventScroll: true });
    }
  }

  async function update() {
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      // The server's own markup, in which all that bots wrote is text already.
      if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
      else if (answer.status === 403) return; // signed out
    } catch {
      // the server is away: it is asked again
    }
    wait();
  }

  function wait() {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(update, PAUSE);
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (!document.hidden) update();
  });
  wait();
})();
