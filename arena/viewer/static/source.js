"use strict";
// Where a replay comes from: a server, which is asked for no more than what is looked at, or the page itself.

const Source = (() => {
  /** Return the drawn scene of a frame from a part as it is told. */
  function scene(part, frame) {
    const [heading, facts, middle, places] = part.scenes[frame - part.first];
    return { heading, facts, middle: middle.map((n) => part.pieces[n]), places: places.map((n) => part.pieces[n]) };
  }

  /** A server's replay. seat is null for everything. */
  class Remote {
    constructor(base) {
      this.base = base;
      this.kept = new Map();
    }

    async get(path, values) {
      const asked = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
      const query = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
      const answer = await fetch(`${this.base}/${path}?${query}`);
      const told = await answer.json();
      if (!answer.ok) throw new Error(told.error || answer.statusText);
      return told;
    }

    key(path, values) { return path + JSON.stringify(values); }

    once(path, values) {
      const key = this.key(path, values);
      if (!this.kept.has(key)) {
        const asked = this.get(path, values);
        asked.catch(() => this.kept.delete(key));
        this.kept.set(key, asked);
      }
      return this.kept.get(key);
    }

    story(seat) { return this.once("story", { seat }); }

    /** The story around a moment, whose tables come with it; the whole of it is asked for later. */
    async opening(seat, move) {
      const told = await this.once("story", { seat, move });
      this.kept.set(this.key("tables", { seat, first: told.tables.first }), Promise.resolve(told.tables));
      return told;
    }

    tables(seat, first) { return this.once("tables", { seat, first }); }
    output(seat) { return this.once("output", { seat }); }
    verdict() { return this.get("verdict", {}); }
    async moment(frame, seat, other) { return (await this.get("moment", { frame, seat, other })).frame; }
  }

  /** A replay inside its page. */
  class Embedded {
    constructor(told) { this.told = told; }
    eye(seat) { return this.told.eyes[seat === null ? "all" : seat]; }
    async story(seat) { return this.eye(seat).story; }
    opening(seat) { return this.story(seat); }
    async tables(seat, first) { return this.eye(seat).tables[Math.floor(first / this.eye(seat).story.part)]; }
    async output(seat) { return this.told.outputs[seat] || { text: "" }; }
    verdict() { return Promise.resolve(this.told.verdict); }
    async moment(frame, seat, other) {
      const boundary = this.eye(seat).boundaries[frame];
      const theirs = this.eye(other).boundaries;
      const found = theirs.findIndex((each) => each >= boundary);
      return found < 0 ? theirs.length - 1 : found;
    }
  }

  return { Remote, Embedded, scene };
})();
