"use strict";
// Matches of one deal side by side: each on a stage of its own, moved by one transport, round by round.

(() => {
  const { byId, make } = Dom;
  const root = byId("compare");
  let seat = 0; // whose cards are compared
  let isOwn = false; // whether only what that seat knew is shown
  let sides = [];
  let keys = []; // the names of the rounds of all sides, in their order
  let queue = Promise.resolve(); // one step after another, each from what the one before has shown
  let waiting = 0; // how many are not done

  const WHOLE = { name: "match", frame: 0, gains: null }; // the only round of a match whose game has none

  /** The numbers in the name of a round: 2 and 3 of "set 2, round 3". */
  const numbersOf = (name) => (Array.isArray(name) ? name.slice(1) : []);

  /** Return a number by which rounds are in order: "set 2, round 3" after "set 1, round 9". */
  const order = (name) => numbersOf(name).reduce((sum, number) => sum * 10_000 + number, 0);

  class Side {
    constructor(element) {
      this.element = element;
      this.source = new Source.Remote(element.dataset.base);
      this.stage = new Stage(this.source, element.querySelector(".table"), {
        opened: () => this.name(), shown: () => this.tell(), failed: (error) => showError(error, this),
      });
      this.rounds = [];
    }

    async see(move) {
      const perspective = isOwn ? seat : null;
      this.stage.bottom = seat;
      const rounds = await this.source.once("rounds", { seat: perspective });
      await this.stage.setPerspective(perspective, move);
      await this.stage.allReady();
      this.rounds = rounds.length ? rounds : [WHOLE];
      this.name();
    }

    name() {
      const { players, result, unit } = this.stage.replay;
      this.element.querySelector(".holder").replaceChildren(Seats.label(seat), ` ${players[seat]}`);
      this.element.querySelector(".score").textContent = `${ordinal(result[seat].rank)}, ${result[seat].score} ${Words.of(unit)}`;
    }

    /** Show what happens at the shown frame, as in the log. */
    tell() {
      const { frame, frames } = this.stage;
      const list = this.element.querySelector(".entry");
      list.replaceChildren(Log.entry(frames[frame], frame));
      list.scrollTop = list.scrollHeight; // the answer is what follows from the rest
      const link = this.element.querySelector("h2 a");
      link.hash = `#move=${frame}${isOwn ? `&seat=${seat}` : ""}`;
    }

    /** The place of the round of the shown frame among the rounds of this side; -1 before the first. */
    get place() { return this.rounds.findLastIndex((round) => round.frame <= this.stage.frame); }
    get key() { return this.place < 0 ? -1 : order(this.rounds[this.place].name); }

    /** The round of the shown frame, and the move within it. */
    get moment() { return { key: this.key, offset: this.stage.frame - this.span(this.key).first }; }

    /** The frames of a round: the first, and how many there are. Where it was not played, the last one of those before. */
    span(key) {
      const place = this.rounds.findLastIndex((round) => order(round.name) <= key);
      if (place < 0) return { first: 0, count: 1 };
      const { frame, name } = this.rounds[place];
      const end = place + 1 < this.rounds.length ? Math.max(frame + 1, this.rounds[place + 1].frame) : this.stage.last + 1;
      return order(name) === key ? { first: frame, count: end - frame } : { first: end - 1, count: 1 };
    }
  }

  /** Return a rank as a word: 1st; in other languages as their message says. */
  function ordinal(number) {
    const english = (/1[123]$/.test(number) ? null : ["st", "nd", "rd"][(number % 10) - 1]) || "th";
    return document.documentElement.lang === "en" ? `${number}${english}` : t("{0}th", number);
  }

  function showError(error, side) {
    const box = byId("trouble");
    if (!error && box.dataset.of !== (side && side.element.dataset.name)) return;
    box.dataset.of = side ? side.element.dataset.name : "";
    box.textContent = error ? `${error.message}. ${t("Reload the page to try again.")}` : "";
    box.hidden = !error;
  }

  const isLoaded = () => sides.length > 0 && sides.every((side) => side.stage.replay && side.rounds.length);

  /** Where all sides are: the round of the one that is furthest, and the move within it. */
  function moment() {
    const key = Math.max(...sides.map((side) => side.key));
    const offset = Math.max(...sides.filter((side) => side.key === key).map((side) => side.moment.offset));
    return { key, offset };
  }

  const lengthOf = (key) => Math.max(...sides.map((side) => side.span(key).count));

  /** Show the same move of the same round on all sides; one that has fewer moves waits at its last one. */
  async function show({ key, offset }) {
    await Promise.all(sides.map((side) => {
      const { first, count } = side.span(key);
      return side.stage.show(first + Math.min(offset, count - 1));
    }));
    tell();
  }

  const namesOf = (key) => keys.find((name) => order(name) === key);
  const neighbour = (key, direction) => {
    const place = keys.findIndex((name) => order(name) === key) + direction;
    return place >= 0 && place < keys.length ? order(keys[place]) : null;
  };

  /** Return the moment after or before another one; null where there is none. */
  function next({ key, offset }, direction) {
    const to = offset + direction;
    if (to >= 0 && to < lengthOf(key)) return { key, offset: to };
    const other = neighbour(key, direction);
    return other === null ? null : { key: other, offset: direction > 0 ? 0 : lengthOf(other) - 1 };
  }

  function nextRound({ key, offset }, direction) {
    if (direction < 0 && offset > 0) return { key, offset: 0 };
    const other = neighbour(key, direction);
    if (other !== null) return { key: other, offset: 0 };
    return direction > 0 ? { key, offset: lengthOf(key) - 1 } : { key, offset: 0 };
  }

  /** Do something once all that was asked for before is done. */
  function after(act) {
    waiting += 1;
    queue = queue.then(act).catch((error) => showError(error)).finally(() => { waiting -= 1; });
    return queue;
  }

  /** Go to the moment that `target` returns for the present one; null stays. */
  const go = (target) => after(async () => {
    const there = isLoaded() ? target(moment()) : null;
    if (there !== null) await show(there);
  });

  /** Show where all sides are: in the table of rounds, in the controls, and in the address. */
  function tell() {
    const { key, offset } = moment();
    byId("round").textContent = `${Words.of(namesOf(key) || "")} · ${t("move {0} of {1}", offset + 1, lengthOf(key))}`;
    for (const cell of byId("gains").querySelectorAll("[aria-current]")) cell.removeAttribute("aria-current");
    const header = byId("gains").querySelector(`th[data-round="${key}"]`);
    if (header) {
      header.setAttribute("aria-current", "true");
      const box = byId("gains");
      box.scrollLeft = header.offsetLeft - box.clientWidth / 2;
    }
    byId("told").textContent = "";
    byId("spoken").textContent = Pace.runs() ? "" : `${byId("round").textContent}. ${sides.map((side) =>
      `${side.element.dataset.name}: ${side.element.querySelector(".entry").innerText.replaceAll("\n", ", ")}`).join(". ")}`;
    Address.show(`#moves=${sides.map((side) => side.stage.frame).join(",")}&seat=${seat}${isOwn ? "&view=own" : ""}`);
    dispatchEvent(new Event("frameshown"));
  }

  const signed = (number) => (number > 0 ? `+${number}` : `${number}`.replace("-", "−"));

  /** Draw what the seat won or lost in each round, a row for each side; rounds in which these differ are marked. */
  function drawGains() {
    const gainOf = (side, name) => {
      const round = side.rounds.find((one) => order(one.name) === order(name));
      return round === undefined ? undefined : round.gains && round.gains[seat];
    };
    const differs = (name) => new Set(sides.map((side) => gainOf(side, name)).filter((gain) => gain !== null && gain !== undefined)).size > 1;
    const different = keys.filter(differs);
    const word = (name) => numbersOf(name).join(".") || name;
    const cell = (gain) => (gain === undefined ? "" : gain === null ? "?" : signed(gain));
    const kind = (name, gain) => ["number", differs(name) && "differs", gain > 0 && "up", gain < 0 && "down"].filter(Boolean).join(" ");
    const header = (name) => make("th", { scope: "col", class: differs(name) ? "number differs" : "number", "data-round": order(name) },
      make("button", { type: "button", title: Words.of(name), "aria-label": Words.of(name) }, word(name)));
    const row = (side) => make("tr", {},
      make("th", { scope: "row" }, side.element.dataset.name, make("span", { class: "soft" }, ` ${side.stage.replay.players[seat]}`)),
      keys.map((name) => make("td", { class: kind(name, gainOf(side, name)) }, cell(gainOf(side, name)))));
    const unit = sides[0].stage.replay.unit;
    byId("gains").replaceChildren(make("table", {},
      make("caption", {}, t("{0} of seat {1} by round: {2} of {3} differ", Words.of(unit), seat, different.length, keys.length)),
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, t("match")), keys.map(header))),
      make("tbody", {}, sides.map(row))));
    for (const button of byId("gains").querySelectorAll("button")) {
      const key = Number(button.parentElement.dataset.round);
      button.onclick = () => { Pace.stop(); go(() => ({ key, offset: 0 })); };
    }
  }

  /** Show the sides from the chosen perspective. moves: a frame for each side; undefined: the same moment as now. */
  async function see(moves) {
    byId("seat").value = seat;
    byId("known").value = isOwn ? "own" : "all";
    await Promise.all(sides.map((side, n) => side.see(moves && moves[n])));
    const names = sides.flatMap((side) => side.rounds.map((round) => round.name));
    keys = [...new Map(names.map((name) => [order(name), name])).values()].sort((a, b) => order(a) - order(b));
    drawGains();
  }

  /** Read the address: `moves` has a frame for each side; `move`, from a replay, one for the first. */
  async function follow() {
    const parameters = Address.parameters();
    const number = (name) => (/^\d{1,9}$/.test(parameters.get(name)) ? Number(parameters.get(name)) : null);
    const moves = /^\d{1,9}(,\d{1,9})*$/.test(parameters.get("moves")) ? parameters.get("moves").split(",").map(Number) : [];
    seat = Math.min(number("seat") || 0, byId("seat").options.length - 1);
    isOwn = parameters.get("view") === "own" || (number("move") !== null && number("seat") !== null);
    await see(sides.map((_, n) => moves[n] || (n ? 0 : number("move") || 0)));
    if (moves.length === sides.length) tell();
    else await show(sides[0].moment); // the others follow the first
  }

  function choose(newSeat, own) {
    if (newSeat >= byId("seat").options.length) return;
    Pace.stop();
    after(async () => {
      [seat, isOwn] = [newSeat, own];
      await see();
      await show(moment());
    });
  }

  async function link() {
    const copied = await navigator.clipboard.writeText(new URL(Address.hash(), location)).then(() => true, () => false);
    byId("told").textContent = copied ? t("link copied") : t("copying failed: copy the link from the address bar");
  }

  const stopAndGo = (target) => { Pace.stop(); go(target); };
  const first = () => ({ key: order(keys[0]), offset: 0 });
  const last = () => { const key = order(keys[keys.length - 1]); return { key, offset: lengthOf(key) - 1 }; };

  function play() {
    if (!isLoaded()) return;
    if (next(moment(), 1) === null) go(first);
    Pace.start(() => {
      if (waiting) return true;
      if (next(moment(), 1) === null) return false;
      go((now) => next(now, 1));
      return true;
    });
  }

  const KEYS = {
    ArrowRight: () => stopAndGo((now) => next(now, 1)), ArrowLeft: () => stopAndGo((now) => next(now, -1)),
    r: () => stopAndGo((now) => nextRound(now, 1)), R: () => stopAndGo((now) => nextRound(now, -1)),
    Home: () => stopAndGo(first), End: () => stopAndGo(last),
    " ": () => (Pace.runs() ? Pace.stop() : play()), "+": () => Pace.change(1), "-": () => Pace.change(-1),
    o: () => choose(seat, !isOwn), l: link, "?": () => byId("help").showModal(),
  };

  sides = [...root.querySelectorAll("[data-base]")].map((element) => new Side(element));
  Keys.listen(root, KEYS, (digit) => choose(digit, isOwn), isLoaded);
  const clicks = {
    first: KEYS.Home, before: KEYS.R, back: KEYS.ArrowLeft, play: KEYS[" "], step: KEYS.ArrowRight, after: KEYS.r, end: KEYS.End,
    link, keys: KEYS["?"],
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).onclick = action;
  byId("speed").onchange = (event) => Pace.set(Number(event.target.value));
  byId("seat").onchange = (event) => choose(Number(event.target.value), isOwn);
  byId("known").onchange = (event) => choose(seat, event.target.value === "own");
  addEventListener("hashchange", () => after(follow));
  after(follow);
})();
