"use strict";
// A running tournament: its progress, its newest matches, and every few seconds all that is computed from them.

(() => {
  const { byId, make } = Dom;
  const live = byId("live");
  const at = `/tournaments/${live.dataset.tournament}`;
  const PAUSE = 5000; // milliseconds between two requests for what is computed
  const COMPUTED = ["summary", "ranking", "crosstable", "meetings"];
  let requested = 0;
  let waiting = 0; // the timer of the next such request

  const ORDINAL = new Intl.PluralRules("en", { type: "ordinal" });
  const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };
  const english = document.documentElement.lang === "en";
  const ordinal = (rank) => english ? `${rank}${ENDINGS[ORDINAL.select(rank)]}` : t("{0}th", rank); // as the server writes it

  const link = (name) => make("a", { href: `/bots/${name.split("/").map(encodeURIComponent).join("/")}` }, name);

  function row(match) {
    const players = match.players.map((name, seat) => make("li", { class: match.ranks[seat] === 1 ? "first" : null },
      link(name), make("span", { class: "soft" }, ` ${ordinal(match.ranks[seat])}, ${match.scores[seat]}`)));
    const faults = match.fault_count ? make("span", { "data-sort": match.fault_count }, match.faults) : "-";
    const cells = [make("a", { href: `/matches/${match.id}` }, String(match.id)), make("span", {}, make("a", { href: at }, t("tournament {0}", live.dataset.tournament)),
        match.stage ? make("span", { class: "soft" }, `, ${match.stage}`) : ""),
      live.dataset.game, String(match.deal), make("ol", { class: "players", start: 0 }, players), faults];
    const kinds = ["number", "spare", null, "number spare"]; // as the server sets them
    return make("tr", {}, cells.map((cell, n) => make("td", { class: kinds[n] }, cell)));
  }

  /** Say how many matches are stored, and whether more will come. */
  function tell(state) {
    const { value, max } = byId("progress");
    live.textContent = `${t("{0} of {1} matches", value.toLocaleString("en"), max.toLocaleString("en"))}, ${state}`;
  }

  async function update() {
    requested = Date.now();
    const answer = await fetch(`${at}/ranking`, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    // The server's own markup, in which all that bots wrote is text already.
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of COMPUTED) byId(id).replaceWith(document.adoptNode(page.getElementById(id)));
  }

  /** Update now or when the pause is over: what came last is never left out. */
  function updateSoon() {
    clearTimeout(waiting);
    waiting = setTimeout(() => update().catch(() => {}), Math.max(0, requested + PAUSE - Date.now()));
  }

  const source = new EventSource(`${at}/events`);
  source.addEventListener("progress", (event) => {
    const progress = JSON.parse(event.data);
    byId("progress").value = progress.stored;
    tell(t("live"));
    const body = byId("newest").querySelector("tbody");
    if (body) body.replaceChildren(...progress.newest.map(row));
    updateSoon();
  });
  source.onerror = () => { // the browser reconnects by itself and receives the current state
    tell(t("connection lost"));
  };
  source.addEventListener("over", () => {
    source.close();
    tell(t("finished"));
    update().catch(() => {});
  });
})();
