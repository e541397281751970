"use strict";
// The live page of a league: each table shows its match move by move, and then goes on to the newest that has come.

(() => {
  const { byId } = Dom;
  const root = byId("watch");
  const skew = Number(root.dataset.now) - Date.now(); // between the clocks of server and browser, in milliseconds
  const RESULT = 4000; // milliseconds for which the result is shown, at least
  const [QUICKEST, SLOWEST] = [250, 1500]; // milliseconds from step to step in a match under way
  const NEWS = 4000; // after which more of it is expected
  const TELL = 5000; // between two looks at how long ago a match was played
  let speed = 1;
  let isPaused = false;

  /** Say how long ago something was, roughly. */
  function ago(ended) {
    const seconds = Math.max(0, Math.round((Date.now() + skew - ended) / 1000));
    if (seconds < 90) return t("played {0} s ago", seconds);
    return seconds < 5400 ? t("played {0} min ago", Math.round(seconds / 60)) : t("played {0} h ago", Math.round(seconds / 3600));
  }

  class Watched {
    constructor(section) {
      this.section = section;
      this.table = section.querySelector(".table");
      this.node = null; // what the server said last
      this.match = null; // what is shown
      this.next = null; // what came meanwhile
      this.shown = -1;
      this.steps = []; // of the match, what is still to be shown
      this.timer = 0;
    }

    /** Take what the server says that this table shows. */
    async take(node) {
      if (!node.dataset.key || node === this.node) return;
      this.node = node;
      const { key, batch, ended, match } = node.dataset;
      const data = await Source.held(node);
      if (node !== this.node) return; // a newer one came meanwhile
      const news = { ...data, key, batch, ended: Number(ended), id: match };
      if (this.match && this.match.key === key) this.extend(news);
      else this.next = news;
      if (this.next && (!this.match || this.isWaiting || (news.live && !this.match.live))) this.begin();
    }

    /** Whether all that is known of a match under way is shown. */
    get isWaiting() { return this.match !== null && this.match.live && !this.steps.length; }

    begin() {
      [this.match, this.next] = [this.next, null];
      this.shown = -1; // the last frame that stands in the steps
      this.steps = [];
      this.section.hidden = false;
      byId("nothing").hidden = true;
      const title = this.section.querySelector(".match");
      const { id, deal, rotation } = this.match;
      title.textContent = id ? t("match {0}", id) : t("deal {0}, rotation {1}", deal, rotation);
      if (id) title.href = `/matches/${id}`;
      else title.removeAttribute("href");
      this.section.querySelector(".result").textContent = "";
      this.extend(this.match);
    }

    /** Add the frames of a match that have not been shown; of one that is under way, only the newest at first. */
    extend(news) {
      const { tables, asked, live, result } = news;
      const isNew = this.shown < 0;
      const hasWaited = isNew || this.isWaiting;
      asked.forEach((seats, n) => {
        const number = tables.first + n;
        if (number <= this.shown) return;
        const steps = Source.steps(tables, number).map((step) => ({ ...step, asked: [] }));
        steps.at(-1).asked = seats;
        this.steps.push(...(Motion.isStill() ? steps.slice(-1) : steps));
        this.shown = number;
      });
      if (isNew && live && !result) this.steps = this.steps.slice(-1);
      Object.assign(this.match, { result, count: news.count });
      this.tell();
      if (hasWaited) this.advance();
    }

    tell() {
      if (!this.match) return;
      const { batch, ended, live, result, count } = this.match;
      const when = live ? [result ? t("over just now") : t("under way, move {0}", count - 1), t("not stored yet")] : [ago(ended)];
      this.section.querySelector(".when").textContent = [t("batch {0}", batch), ...when].join(" · ");
    }

    /** The time from one step to the next, in milliseconds: what comes from a match under way is shown until more comes. */
    pause() {
      const { live, rate } = this.match;
      return live ? Math.max(QUICKEST, Math.min(SLOWEST, NEWS / (this.steps.length + 1))) : 1000 / (rate * speed);
    }

    /** Show the next step, and so on to the end; then the result. */
    advance() {
      clearTimeout(this.timer);
      if (isPaused) return;
      const step = this.steps.shift();
      if (step) {
        const pause = this.pause();
        if (!document.hidden) this.draw(step, pause);
        const isEnd = !this.steps.length && this.match.result;
        if (isEnd) this.showResult();
        this.timer = setTimeout(() => this.advance(), isEnd ? RESULT : pause);
      } else if (this.next) this.begin();
      else if (this.match.result) this.match = null; // what comes next begins at once
    }

    draw({ scene, moved, asked }, pause) {
      Motion.finish(this.table);
      const moving = Motion.begin(this.table, moved);
      const name = this.section.getAttribute("aria-label");
      Table.show(this.table, { scene, players: this.match.players, asked, perspective: null, name });
      Motion.end(this.table, moving, pause);
    }

    showResult() {
      const { players, result } = this.match;
      const places = result.map(([rank, score], seat) => ({ rank, score, name: players[seat] })).sort((one, other) => one.rank - other.rank);
      this.section.querySelector(".result").textContent = places.map(({ rank, score, name }) => `${rank}. ${name}: ${score}`).join(" · ");
    }
  }

  function showError(error) {
    byId("trouble").textContent = error.message;
    byId("trouble").hidden = false;
  }

  const tables = [...root.querySelectorAll(".tables > section")].map((section) => new Watched(section));
  function take() {
    tables.forEach((table, n) => table.take(byId(`watch-${n}`)).catch(showError));
    const hidden = Number(byId("watch-hidden").dataset.count);
    byId("hidden").textContent = hidden ? t("Under way, and not shown yet, as their deals are played again: {0}", hidden) : "";
  }

  new MutationObserver((changes) => { // the elements that the server replaces
    if (changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.id && node.id.startsWith("watch-")))) take();
  }).observe(root, { childList: true, subtree: true });

  byId("pause").hidden = false;
  byId("pace").hidden = false;
  byId("pause").onclick = () => {
    isPaused = !isPaused;
    byId("pause").setAttribute("aria-pressed", String(isPaused));
    if (!isPaused) for (const table of tables) if (table.match) table.advance();
  };
  byId("speed").onchange = () => {
    speed = Number(byId("speed").value);
    for (const table of tables) if (table.match && table.steps.length) table.advance();
  };
  setInterval(() => tables.forEach((table) => table.tell()), TELL);
  take();
})();
