"use strict";
// Where a replay comes from: a server, asked only for the parts that are shown, or the page itself.

const Source = (() => {
  const scene = (part, [heading, facts, middle, places]) => ({
    heading, facts, middle: middle.map((n) => part.pieces[n]), places: places.map((n) => part.pieces[n]),
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

  /** A replay embedded in its page. */
  class Embedded {
    constructor(data) { this.data = data; }
    perspective(seat) { return this.data.perspectives[seat === null ? "all" : seat]; }
    async replay(seat) { return this.perspective(seat).replay; }
    opening(seat) { return this.replay(seat); }
    async tables(seat, first) { return this.perspective(seat).tables[Math.floor(first / this.perspective(seat).replay.part)]; }
    async output(seat) { return this.data.outputs[seat] || { text: "" }; }
    verdict() { return Promise.resolve(this.data.verdict); }
    async moment(frame, seat, other) {
      const position = this.perspective(seat).positions[frame];
      const otherPositions = this.perspective(other).positions;
      const index = otherPositions.findIndex((candidate) => candidate >= position);
      return index < 0 ? otherPositions.length - 1 : index;
    }

    async answer(frame, seat) {
      if (!this.data.perspectives.all) throw new Error("this page does not hold the numbers of answers");
      const number = seat === null ? frame : await this.moment(frame, seat, null);
      return plyOf(this.perspective(null).replay.frames[number], seat);
    }

    questionAddress() { return null; }
  }

  return { Remote, Embedded, steps };
})();
