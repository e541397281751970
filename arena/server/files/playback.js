"use strict";
// What the others have done since one's last move, table by table: quickly, calmly, one at a time, or not at all.

const Playback = (() => {
  const { byId } = Dom;
  const BETWEEN = 2000; // milliseconds from a move to the next question, bots apart, unless somebody wants to watch
  const ENDING = 6000; // for what happens after the last move
  const LEAST = 600; // for what others did, however long they took
  const BRIEFEST = 300; // for which a table can be followed; where there is no time for all of them, some are left out
  const CALM = 1100; // a table
  const STILL = Infinity; // a table stands until it has been seen
  const KEPT = "arena-pace";
  let current = null; // what is being shown: `advance` to the next table, `end` at once

  function chosen() {
    const pace = byId("pace").value;
    return pace === "quick" && Motion.isStill() ? "none" : pace; // who wants no motion can still ask for every table
  }

  /** Return those of some tables for which there is time, the last one among them, and how long each is shown. */
  function plan(tables, pace, time) {
    if (pace === "calm") return [tables, CALM];
    if (pace === "steps") return [tables, STILL];
    const count = pace === "none" ? 0 : Math.min(tables.length, Math.floor(time / BRIEFEST));
    const some = Array.from({ length: count }, (_, n) => tables[Math.ceil(((n + 1) * tables.length) / count) - 1]);
    return [some, count ? Math.min(900, time / count) : 0];
  }

  function wait(pause) {
    return new Promise((resolve) => {
      const timer = pause === STILL ? null : setTimeout(resolve, pause);
      current.advance = () => { clearTimeout(timer); resolve(); };
    });
  }

  function showControls(steps) {
    byId("watching").hidden = !current;
    byId("seen").hidden = !steps;
    byId("again").disabled = Boolean(current);
  }

  /**
   * Show tables one after another; resolves to false if that was ended by another call. draw: called with each table and
   * how long it is shown. since: when the move before was made; null where there was none. isEnd: whether no move follows.
   * pace: another one than is chosen.
   */
  async function run(tables, draw, { since = null, isEnd = false, pace = chosen() } = {}) {
    end();
    const spent = since === null ? 0 : performance.now() - since;
    const [some, pause] = plan(tables, pace, isEnd ? ENDING : Math.max(LEAST, BETWEEN - spent));
    if (!some.length) return true;
    const focus = Picker.holdsFocus();
    const mine = current = { isSkipped: false };
    showControls(pause === STILL);
    if (focus) byId(pause === STILL ? "seen" : "skip").focus();
    for (const table of some) {
      draw(table, pause);
      await wait(pause);
      if (current !== mine) return false;
      if (mine.isSkipped) break;
    }
    current = null;
    if (byId("watching").contains(document.activeElement)) document.activeElement.blur();
    showControls(false);
    return true;
  }

  /** Go to the next table. */
  function advance() { if (current) current.advance(); }

  /** Go to the question, or the end of the match. */
  function skip() {
    if (!current) return;
    current.isSkipped = true;
    current.advance();
  }

  /** Show nothing more. */
  function end() {
    if (!current) return;
    const { advance: leave } = current;
    current = null;
    leave();
    showControls(false);
  }

  const runs = () => current !== null;
  const isStepping = () => runs() && !byId("seen").hidden;

  function connect() {
    try { byId("pace").value = localStorage.getItem(KEPT) || "quick"; } catch { /* the page may not store anything */ }
    if (!byId("pace").value) byId("pace").value = "quick";
    byId("pace").onchange = () => {
      try { localStorage.setItem(KEPT, byId("pace").value); } catch { /* it holds for this page */ }
      skip();
    };
    byId("skip").onclick = skip;
    byId("seen").onclick = advance;
    byId("table").addEventListener("click", () => (isStepping() ? advance() : skip()));
  }

  connect();
  return { run, runs, advance, skip, end, isStepping };
})();
