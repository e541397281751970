"use strict";
// Playing by hand: the table as one's seat sees it, the moves as buttons. Several people take turns: each uncovers the
// cards when the others look away.

(() => {
  const { byId, make } = Dom;
  const root = byId("hosted-match");
  const base = root.dataset.base;
  const players = JSON.parse(root.dataset.players);
  const people = JSON.parse(root.dataset.people);
  const FEW = 9; // moves that have a key of their own

  const again = byId("hosted-match").dataset.again;
  let open = null; // whose cards lie open
  let question = null; // what is asked: seat, number, legal

  async function ask(path, told) {
    const how = told === undefined ? {} : { method: "POST", body: JSON.stringify(told), headers: { "content-type": "application/json" } };
    const answer = await fetch(`${base}${path}`, how);
    const found = await answer.json();
    if (!answer.ok) throw new Error(found.error || answer.statusText);
    return found;
  }

  function complain(error) {
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

  /** Put away all that one seat was told, before another one looks. */
  function close(words) {
    open = null;
    byId("whose").textContent = "";
    byId("table").replaceChildren();
    log([], 0);
    prompt(words);
  }

  function cover(seat) {
    close(`Seat ${seat} is asked`);
    const uncover = make("button", { class: "main", type: "button" }, `I am seat ${seat}: show my cards`);
    uncover.onclick = () => { open = seat; show(seat).catch(complain); };
    byId("table").replaceChildren(make("div", { class: "cover" }, make("h2", {}, `Seat ${seat} is asked`),
      make("p", {}, "The others look away."), uncover));
    uncover.focus();
  }

  async function show(seat) {
    const told = await ask(`/seats/${seat}`);
    byId("whose").textContent = `you are seat ${seat}`;
    log(told.log, told.new_events || 0);
    if (told.scene) Table.show(byId("table"), { scene: told.scene, players, asked: told.waits ? [seat] : [], eye: seat });
    if (!told.waits) return;
    question = { seat, number: told.number, legal: told.legal };
    byId("prompt").textContent = people.length > 1 ? `Your move, seat ${seat}` : "Your move";
    byId("moves").replaceChildren(...told.legal.map((move, n) => {
      const button = make("button", { type: "button" }, told.legal.length <= FEW ? make("kbd", {}, `${n + 1}`) : null, move);
      button.onclick = () => choose(move);
      return button;
    }));
  }

  async function choose(move) {
    if (!question) return;
    const { seat, number } = question;
    const say = byId("say") ? byId("say").value : "";
    for (const button of byId("moves").children) button.disabled = true;
    try {
      await ask(`/seats/${seat}`, { number, move, say });
      if (byId("say")) byId("say").value = "";
      if (question && question.number === number) prompt("The others think …");
      complain(null);
    } catch (error) {
      complain(error);
    }
  }

  function over(told) {
    byId("leave").hidden = true;
    prompt(told.match === null ? "The match came to no end" : "The match is over");
    if (told.match !== null) byId("moves").replaceChildren(
      make("a", { href: `/matches/${told.match}` }, "see the whole match"), make("a", { href: again }, "play again"));
    if (people.length === 1) show(people[0]).catch(complain);
    if (told.trouble) complain(new Error(told.trouble));
  }

  function changed(told) {
    if (told.over) { source.close(); over(told); return; }
    if (open !== null && told.waiting.includes(open)) show(open).catch(complain);
    else if (told.waiting.length && people.length === 1) { [open] = people; show(open).catch(complain); }
    else if (told.waiting.length) cover(told.waiting[0]);
    else if (people.length > 1) close("The bots think …");
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select") || !question) return;
    const move = question.legal.length <= FEW && /^[1-9]$/.test(event.key) ? question.legal[Number(event.key) - 1] : undefined;
    if (move !== undefined) choose(move);
  });

  const source = new EventSource(`${base}/events`);
  source.addEventListener("state", (event) => changed(JSON.parse(event.data)));
})();
