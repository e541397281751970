"use strict";
// Playing by hand: the table as one seat sees it, and the moves as buttons. Several people take turns: each reveals their
// cards when the others look away.

(() => {
  const { byId, make } = Dom;
  const root = byId("hosted-match");
  const base = root.dataset.base;
  const players = JSON.parse(root.dataset.players);
  const people = JSON.parse(root.dataset.people);
  const FEW = 9; // at most so many moves have keys

  const newMatch = root.dataset.again;
  let open = null; // the seat whose cards are shown
  let question = null; // the open question: seat, number, legal moves

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
    question = null;
  }

  function log(lines, newCount) {
    const list = byId("log");
    list.replaceChildren(...lines.map((line, n) => make("li", { class: n >= lines.length - newCount ? "new" : null }, line)));
    list.scrollTop = list.scrollHeight;
  }

  /** Hide everything of one seat before another person looks. */
  function close(words) {
    open = null;
    byId("whose").textContent = "";
    byId("table").replaceChildren();
    log([], 0);
    prompt(words);
  }

  function cover(seat) {
    close(`Seat ${seat} to move`);
    const uncover = make("button", { class: "main", type: "button" }, `I am seat ${seat}: show my cards`);
    uncover.onclick = () => { open = seat; show(seat).catch(showError); };
    byId("table").replaceChildren(make("div", { class: "cover" }, make("h2", {}, `Seat ${seat} to move`),
      make("p", {}, "Everybody else: look away."), uncover));
    uncover.focus();
  }

  async function show(seat) {
    const state = await request(`/seats/${seat}`);
    byId("whose").textContent = `you are seat ${seat}`;
    log(state.log, state.new_events || 0);
    if (state.scene) Table.show(byId("table"), { scene: state.scene, players, asked: state.waits ? [seat] : [], perspective: seat });
    if (!state.waits) return;
    question = { seat, number: state.number, legal: state.legal };
    byId("prompt").textContent = people.length > 1 ? `Your move, seat ${seat}` : "Your move";
    byId("moves").replaceChildren(...state.legal.map((move, n) => {
      const button = make("button", { type: "button" }, state.legal.length <= FEW ? make("kbd", {}, `${n + 1}`) : null, move);
      button.onclick = () => choose(move);
      return button;
    }));
  }

  async function choose(move) {
    if (!question) return;
    const { seat, number } = question;
    const talk = byId("say") ? byId("say").value : "";
    for (const button of byId("moves").children) button.disabled = true;
    try {
      await request(`/seats/${seat}`, { number, move, say: talk });
      if (byId("say")) byId("say").value = "";
      if (question && question.number === number) prompt("Waiting for the other players …");
      showError(null);
    } catch (error) {
      showError(error);
    }
  }

  function over(state) {
    byId("leave").hidden = true;
    prompt(state.match === null ? "The match was not finished" : "The match is over");
    if (state.match !== null) byId("moves").replaceChildren(
      make("a", { href: `/matches/${state.match}` }, "watch the replay"), make("a", { href: newMatch }, "play again"));
    if (people.length === 1) show(people[0]).catch(showError);
    if (state.trouble) showError(new Error(state.trouble));
  }

  function changed(state) {
    if (state.over) { source.close(); over(state); return; }
    if (open !== null && state.waiting.includes(open)) show(open).catch(showError);
    else if (state.waiting.length && people.length === 1) { [open] = people; show(open).catch(showError); }
    else if (state.waiting.length) cover(state.waiting[0]);
    else if (people.length > 1) close("Waiting for the bots …");
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select") || !question) return;
    const move = question.legal.length <= FEW && /^[1-9]$/.test(event.key) ? question.legal[Number(event.key) - 1] : undefined;
    if (move !== undefined) choose(move);
  });

  const source = new EventSource(`${base}/events`);
  source.addEventListener("state", (event) => changed(JSON.parse(event.data)));
})();
