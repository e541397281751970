"use strict";
// Where a replay comes from: a server, asked only for the parts that are shown, or the page itself.

const Source = (() => {
  const scene = (part, [heading, facts, middle, places, board]) => ({
    heading, facts, middle: middle.map((n) => part.pieces[n]), places: places.map((n) => part.pieces[n]),
    board: board === undefined ? null : part.pieces[board],
  });

  const movements = (part, list) => list.map(([item, fromSeat, fromLabel, toSeat, toLabel]) => (
    { item: part.pieces[item], from: [fromSeat, fromLabel], to: [toSeat, toLabel] }));

  /** The tables that lead to a frame, those of the events before it and its own, each with the items that moved. */
  function steps(part, frame) {
    const at = frame - part.first;
    const events = part.between[at].map(([end, table, moved]) => ({ end, scene: scene(part, table), moved: movements(part, moved) }));
    return [...events, { end: Infinity, scene: scene(part, part.scenes[at]), moved: movements(part, part.moved[at]) }];
  }

  /** The number of the answer in a frame of the whole match: that of a seat, or the first. */
  function plyOf(frame, seat) {
    const answers = ((frame && frame.answers) || []).filter((answer) => seat === null || answer.seat === seat);
    return answers.length ? answers[0].ply : undefined;
  }

  /** A replay on the server. seat: the perspective; null is the whole match. */
  class Remote {
    constructor(base) {
      this.base = base;
      this.cache = new Map();
    }

    async get(path, values) {
      const parameters = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
      const query = new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));
      const answer = await fetch(`${this.base}/${path}?${query}`);
      const data = await answer.json();
      if (!answer.ok) throw new Error(data.error || answer.statusText);
      return data;
    }

    key(path, values) { return path + JSON.stringify(values); }

    once(path, values) {
      const key = this.key(path, values);
      if (!this.cache.has(key)) {
        const request = this.get(path, values);
        request.catch(() => this.cache.delete(key));
        this.cache.set(key, request);
      }
      return this.cache.get(key);
    }

    replay(seat) { return this.once("story", { seat }); }

    /** The frames around a moment, with their tables; the rest is requested later. */
    async opening(seat, move) {
      const data = await this.once("story", { seat, move });
      this.cache.set(this.key("tables", { seat, first: data.tables.first }), Promise.resolve(data.tables));
      return data;
    }

    tables(seat, first) { return this.once("tables", { seat, first }); }
    output(seat) { return this.once("output", { seat }); }
    verdict() { return this.get("verdict", {}); }
    async moment(frame, seat, other) { return (await this.get("moment", { frame, seat, other })).frame; }

    /** The number of an answer to the question of a frame, of `seat` or else of `asked`; the frames of a seat do not hold it. */
    async answer(frame, seat, asked = seat) {
      const number = seat === null ? frame : await this.moment(frame, seat, null);
      const { first, frames } = await this.opening(null, number);
      return plyOf(frames[number - first], asked);
    }

    questionAddress(ply) { return `${this.base}/question?move=${ply}`; }
  }

  /** The data that a page holds, unpacked if they are packed. */
  async function held(node) {
    if (!node.dataset.packed) return JSON.parse(node.textContent);
    if (!("DecompressionStream" in window)) throw new Error(t("This browser cannot unpack the replay: use a newer one"));
    const bytes = Uint8Array.from(atob(node.textContent), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(node.dataset.packed));
    return new Response(unpacked).json();
  }

  /** A replay embedded in its page. node: the element that holds it. */
  class Embedded {
    constructor(node) {
      this.data = held(node);
      this.data.catch(() => {}); // whoever asks for them is told
    }

    async perspective(seat) { return (await this.data).perspectives[seat === null ? "all" : seat]; }
    async replay(seat) { return (await this.perspective(seat)).replay; }
    opening(seat) { return this.replay(seat); }

    async tables(seat, first) {
      const { tables, replay } = await this.perspective(seat);
      return tables[Math.floor(first / replay.part)];
    }

    async output(seat) { return (await this.data).outputs[seat] || { text: "" }; }
    async verdict() { return (await this.data).verdict; }

    async moment(frame, seat, other) {
      const position = (await this.perspective(seat)).positions[frame];
      const otherPositions = (await this.perspective(other)).positions;
      const index = otherPositions.findIndex((candidate) => candidate >= position);
      return index < 0 ? otherPositions.length - 1 : index;
    }

    async answer(frame, seat) {
      const all = await this.perspective(null);
      if (!all) throw new Error("this page does not hold the numbers of answers");
      const number = seat === null ? frame : await this.moment(frame, seat, null);
      return plyOf(all.replay.frames[number], seat);
    }

    questionAddress() { return null; }
  }

  return { Remote, Embedded, held, steps };
})();
