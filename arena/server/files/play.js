"use strict";
// Playing by hand: the table as one seat sees it, and the moves as buttons. Several people take turns: each reveals their
// cards when the others look away.

(() => {
  const { byId, make } = Dom;
  const root = byId("hosted-match");
  const base = root.dataset.base;
  const players = JSON.parse(root.dataset.players);
  const people = JSON.parse(root.dataset.people);
  const LAST = 900; // milliseconds for what moves on the table of a question

  Words.cast(players);
  const newMatch = root.dataset.again;
  let open = null; // the seat whose cards are shown
  let question = null; // the open question: seat, number, legal moves
  let sent = null; // the question whose answer is on its way, or was taken
  let shown = null; // the seat and number of the question whose events were shown last
  let requests = 0; // a late answer to an earlier one is dropped
  let shows = 0; // a later call ends the events of an earlier one
  let moved = null; // when the last move was made
  let before = null; // what happened before the shown question: its seat, and its answer of the server

  async function request(path, data) {
    const how = data === undefined ? {} : { method: "POST", body: JSON.stringify(data), headers: { "content-type": "application/json" } };
    const answer = await fetch(`${base}${path}`, how);
    const content = await answer.json();
    if (!answer.ok) throw new Error(content.error || answer.statusText);
    return content;
  }

  function showError(error) {
    byId("trouble").textContent = error ? error.message : "";
    byId("trouble").hidden = !error;
  }

  function prompt(words) {
    byId("prompt").textContent = words;
    byId("moves").replaceChildren();
    byId("why").textContent = "";
    Picker.forget();
    question = null;
  }

  function log(lines, newCount) {
    const list = byId("log");
    list.replaceChildren(...lines.map((line, n) => make("li", { class: n >= lines.length - newCount ? "new" : null }, Seats.told(line))));
    list.scrollTop = list.scrollHeight;
  }

  /** Hide everything of one seat before another person looks. */
  function close(words) {
    open = null;
    shows += 1;
    requests += 1;
    shown = before = moved = null;
    Playback.end();
    byId("again").hidden = true;
    byId("whose").textContent = "";
    byId("table").replaceChildren();
    byId("result").replaceChildren();
    if (byId("say")) byId("say").value = "";
    log([], 0);
    prompt(words);
  }

  function cover(seat) {
    close(t("Seat {0} to move", seat));
    const uncover = make("button", { class: "main", type: "button" }, t("I am seat {0}: show my cards", seat));
    uncover.onclick = () => { open = seat; moved = null; show(seat).catch(showError); };
    byId("table").replaceChildren(make("div", { class: "cover" }, make("h2", {}, t("Seat {0} to move", seat)),
      make("p", {}, t("Everybody else: look away.")), uncover));
    uncover.focus();
  }

  /** Show what has happened since the seat's last question, event by event, and then its question or the end. */
  async function show(seat) {
    const asked = ++requests;
    const state = await request(`/seats/${seat}`);
    if (asked !== requests) return;
    const isNew = `${seat} ${state.number}` !== shown;
    if (!isNew && (question || Playback.runs())) return; // it is shown, or will be
    const mine = ++shows;
    byId("whose").textContent = t("you are seat {0}", seat);
    if (!state.table) return logUntil(state, state.log.length);
    shown = `${seat} ${state.number}`;
    if (isNew) {
      byId("prompt").textContent = t("What the others did");
      await watch(seat, state, { since: moved, isEnd: !state.waits });
    }
    if (mine === shows) settle(seat, state);
  }

  /** Show the log up to a line, those since the last question as new. */
  const logUntil = (state, end) => log(state.log.slice(0, end), Math.max(0, end - state.log.length + (state.new_events || 0)));

  /** Show the tables of what happened before a question, each with the lines of the log until then. how: as `Playback.run` takes it. */
  function watch(seat, state, how) {
    const show = (table, pause) => {
      drawTable(seat, table, [], pause);
      logUntil(state, table.logged);
    };
    return Playback.run(state.between, show, how);
  }

  /** Show the table of a question, or of the end, and ask. */
  function settle(seat, state) {
    before = { seat, state };
    byId("again").hidden = !state.between.length;
    drawTable(seat, state.table, state.waits ? [seat] : []);
    logUntil(state, state.log.length);
    if (state.result) showResult(state, seat);
    if (state.waits) ask(seat, state);
  }

  /** Show once more what happened before the question that is open, or before the end, calmly. */
  async function showAgain() {
    if (!before || Playback.runs()) return;
    const mine = ++shows;
    const { seat, state } = before;
    if (state.waits) prompt(t("What the others did"));
    await watch(seat, state, { pace: byId("pace").value === "steps" ? "steps" : "calm" });
    if (mine === shows) settle(seat, state);
  }

  function drawTable(seat, { scene, moved: items }, asked, pause = LAST) {
    Motion.finish(byId("table"));
    const moving = Motion.begin(byId("table"), items);
    Table.show(byId("table"), { scene, players, asked, perspective: seat, isOwn: true });
    Motion.end(byId("table"), moving, Math.min(pause, LAST));
  }

  function ask(seat, state) {
    const takeFocus = Picker.holdsFocus();
    question = { seat, number: state.number };
    byId("prompt").textContent = people.length > 1 ? t("Your move, seat {0}", seat) : t("Your move");
    Picker.show(byId("moves"), { place: byId("table").querySelector(`[data-seat="${seat}"]`), legal: state.legal, cards: state.cards, refused: state.refused }, choose);
    Rules.mark(state.section);
    if (takeFocus) Picker.focusFirst(byId("moves"));
  }

  function showResult(state, seat) {
    const rows = state.result.map((row, place) => ({ ...row, place })).sort((one, other) => one.rank - other.rank);
    const mine = state.result[seat].rank;
    byId("prompt").textContent = mine === 1 ? t("You have won") : t("You are number {0} of {1}", mine, rows.length);
    const words = [t("rank"), t("player"), Words.of(state.unit)];
    byId("result").replaceChildren(make("table", { class: "result" },
      make("thead", {}, make("tr", {}, words.map((word) => make("th", { scope: "col" }, word)))),
      make("tbody", {}, rows.map((row) => make("tr", { class: row.place === seat ? "own" : null },
        make("td", {}, `${row.rank}`), make("td", {}, row.place === seat ? t("{0} (you)", row.player) : row.player, row.forfeit ? ` ${t("(forfeited)")}` : ""),
        make("td", {}, `${row.score}`))))));
  }

  function setDisabled(disabled) {
    for (const control of document.querySelectorAll("#moves button, #moves select")) control.disabled = disabled;
  }

  async function choose(move) {
    if (!question || sent === question) return;
    sent = question;
    const { seat, number } = question;
    const talk = byId("say") ? byId("say").value : "";
    setDisabled(true);
    moved = performance.now();
    try {
      await request(`/seats/${seat}`, { number, move: Words.english(move), say: talk });
      if (byId("say")) byId("say").value = "";
      if (question && question.number === number) prompt(t("Waiting for the other players …"));
      showError(null);
    } catch (error) {
      showError(new Error(t("{0}: your move was not taken; choose again", error.message)));
      setDisabled(false);
      sent = null;
    }
  }

  function over(state) {
    if (byId("leave")) byId("leave").hidden = true;
    if (state.match === null) {
      close(t("The match was not finished"));
    } else {
      prompt(t("The match is over"));
      byId("moves").replaceChildren(
        make("a", { href: `/matches/${state.match}` }, t("watch the replay")), newMatch ? make("a", { href: newMatch }, t("play again")) : "");
      if (people.length) show(people[0]).catch(showError);
    }
    if (state.trouble) showError(new Error(state.trouble));
  }

  function changed(state) {
    if (state.over) { source.close(); over(state); return; }
    const waiting = state.waiting.filter((seat) => people.includes(seat)); // friends play in browsers of their own
    if (open !== null && waiting.includes(open)) show(open).catch(showError);
    else if (waiting.length && people.length === 1) { [open] = people; show(open).catch(showError); }
    else if (waiting.length) cover(waiting[0]);
    else if (people.length > 1) close(t("Waiting for the others …"));
    else if (!people.length) byId("prompt").textContent = t("The match is played by your friends: send them their links");
  }

  /** Enter in the field is an answer where the game is played with words. */
  if (byId("say")?.dataset.move) {
    byId("say").onkeydown = (event) => {
      if (event.key === "Enter" && !event.isComposing && byId("say").value.trim()) choose(byId("say").dataset.move);
    };
  }

  addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    if (event.key === "h") return Rules.toggle();
    if (Playback.runs()) return goOn(event);
    if (event.key === "w") return showAgain();
    const move = Picker.moveOfKey(event.key);
    if (question && move !== undefined) choose(move);
  });

  /** The keys while the others' moves are shown; on a button, it is the button that Enter and the space bar press. */
  function goOn(event) {
    if (event.key === "Escape") return Playback.skip();
    if (![" ", "Enter"].includes(event.key) || event.target.closest("button, summary, a")) return;
    event.preventDefault();
    if (Playback.isStepping()) Playback.advance();
    else Playback.skip();
  }

  // A second click of a double click, or a key that is held, was meant for what stood there before.
  for (const kind of ["click", "keydown"]) {
    byId("hosted-match").addEventListener(kind, (event) => {
      const isEcho = kind === "click" ? event.detail > 1 : event.repeat && [" ", "Enter"].includes(event.key);
      if (!isEcho || Playback.runs() || !event.target.closest("#moves, #table")) return;
      event.preventDefault();
      event.stopPropagation();
    }, true);
  }

  byId("again").onclick = showAgain;

  const source = new EventSource(`${base}/events`);
  source.addEventListener("state", (event) => changed(JSON.parse(event.data)));
})();
