"use strict";
// One replay on a page: which of its frames are loaded, which is shown and from which perspective, and the steps from there.

/**
 * source: where the replay comes from. table: the element that holds the table.
 * on: `opened(part, isNew)` is called when frames are loaded, of another perspective or all of them; `shown(legal, lines, section)`
 * after a frame or an event is shown, with the legal moves, the lines of the log that led to it and the section of the rules
 * that it is about; `failed(error)` with what went wrong, or null once all is well again.
 */
class Stage {
  constructor(source, table, on) {
    Object.assign(this, { source, table, on });
    this.replay = null; // the replay from the current perspective
    this.frame = 0;
    this.steps = []; // the tables of the events before the frame, and its own
    this.step = 0; // the one that is shown
    this.perspective = null; // a seat, or null for the whole match
    this.requested = null; // the perspective chosen last
    this.story = null; // of the match, once it is loaded: who won stands on the table at the end
    this.bottom = null; // the seat at the bottom of the table while the whole match is shown; null: seat 0
    this.allFrames = null; // a promise of all frames; until it resolves only those around a moment are loaded
    this.showing = Promise.resolve(); // resolves when the chosen frame is shown
    this.change = null; // a promise of the chosen perspective; other actions wait for it
    this.walks = Promise.resolve(); // steps are taken one after another, each from what the one before has shown
    this.frameRequests = 0; // requested frames so far: a late answer to an older request is dropped
    this.perspectiveRequests = 0; // the same for perspectives
    this.jumps = 0; // a jump drops the steps that wait
  }

  get frames() { return this.replay.frames; }
  get last() { return this.replay.count - 1; }
  get isQuestion() { return this.step === this.steps.length - 1; }
  get isAtEnd() { return this.frame >= this.last && this.isQuestion; }

  /** Show a frame, or an event before it. event: its place among the events; without it the frame itself. */
  show(number, event = Infinity) {
    this.showing = this.load(number, event);
    return this.showing;
  }

  async load(number, event) {
    const mine = ++this.frameRequests;
    const before = this.frame;
    this.frame = Math.max(0, Math.min(this.last, Number.isFinite(number) ? number : 0));
    const { frame, replay } = this;
    const first = frame - (frame % replay.part);
    try {
      if (!this.frames[frame]) await this.loadAllFrames();
      if (mine !== this.frameRequests) return;
      const part = await this.source.tables(this.perspective, first);
      if (mine !== this.frameRequests) return;
      const from = this.steps.length ? [before, this.step] : null;
      this.steps = Source.steps(part, frame);
      this.step = Math.max(0, Math.min(event, this.steps.length - 1));
      this.render(part.legal[frame - part.first], part.sections[frame - part.first], from && this.follows(from));
      this.on.failed(null);
    } catch (error) {
      if (mine !== this.frameRequests) return;
      Pace.stop();
      this.on.failed(error);
      return;
    }
    const next = first + replay.part;
    if (frame - first > replay.part / 2 && next <= this.last) this.source.tables(this.perspective, next).catch(() => {});
  }

  /** Whether the step that is shown now comes just after another one: what moved is then seen to move. */
  follows([number, place]) {
    return number === this.frame ? this.step === place + 1 : number === this.frame - 1 && this.step === 0;
  }

  render(legal, section, isNext) {
    const { table, perspective, step } = this;
    const now = this.frames[this.frame];
    const { scene, moved, end } = this.steps[step];
    Motion.finish(table);
    const moving = isNext ? Motion.begin(table, moved) : [];
    Table.show(table, { scene, players: this.replay.players, asked: (this.isQuestion && now.asked) || [], perspective, bottom: this.bottom, banner: this.isAtEnd ? this.story : null });
    Motion.end(table, moving, Pace.runs() ? Pace.pause() : Infinity);
    this.on.shown(legal, (now.events || []).slice(step ? this.steps[step - 1].end : 0, end), section);
  }

  /** Change the perspective. Actions before it is loaded wait for it. number: the frame; without it the same moment. */
  setPerspective(seat, number, event) {
    this.requested = seat;
    this.change = this.loadPerspective(seat, number, event);
    return this.change;
  }

  async loadPerspective(seat, number, event) {
    const mine = ++this.perspectiveRequests;
    try {
      const move = number !== undefined ? number : this.replay ? await this.source.moment(this.frame, this.perspective, seat) : 0;
      const part = await this.source.opening(seat, move);
      if (mine !== this.perspectiveRequests) return;
      [this.replay, this.perspective, this.allFrames, this.steps] = [{ ...part, frames: new Array(part.count) }, seat, null, []];
      part.frames.forEach((loaded, n) => { this.frames[part.first + n] = loaded; });
      if (part.frames.length === part.count) this.allFrames = Promise.resolve();
      Words.cast(part.players);
      this.on.opened(part, true);
      await this.show(move, event);
      this.loadAllFrames().catch(this.on.failed);
    } catch (error) {
      if (mine !== this.perspectiveRequests) return;
      this.requested = this.perspective;
      this.on.failed(error);
    }
  }

  /** Load all frames, not only those around the first moment. */
  loadAllFrames() {
    const mine = this.replay;
    this.allFrames = this.allFrames || this.source.replay(this.perspective).then((all) => {
      if (this.replay !== mine) return;
      this.replay.frames = all.frames;
      this.on.opened(all, false);
    }).catch((error) => {
      if (this.replay !== mine) return; // the perspective has changed since
      this.allFrames = null;
      throw error;
    });
    return this.allFrames;
  }

  /** Wait for the chosen perspective; return whether a replay is loaded. */
  async ready() {
    for (let before = null; before !== this.change;) {
      before = this.change;
      await before;
    }
    return this.replay !== null;
  }

  /** Wait for the chosen perspective and all its frames; return whether they are loaded. */
  async allReady() {
    try {
      for (let before = null; before !== this.change;) {
        before = this.change;
        if (!await this.ready()) return false;
        await this.loadAllFrames();
      }
      return true;
    } catch (error) {
      this.on.failed(error);
      return false;
    }
  }

  /** Show the frame whose number `target` returns, or an event before it, after a change of perspective under way. */
  async go(target, event) {
    Pace.stop();
    this.jumps += 1;
    if (await this.ready()) this.show(target(), event);
  }

  /** Show the next event (1) or the previous one (-1), once all steps before are shown. */
  walk(direction) {
    const mine = this.jumps;
    this.walks = this.walks.then(() => (mine === this.jumps ? this.stepFrom(direction) : undefined)).catch(this.on.failed);
    return this.walks;
  }

  async stepFrom(direction) {
    if (!await this.ready()) return;
    await this.showing;
    const { frame, step } = this;
    if (step + direction >= 0 && step + direction < this.steps.length) await this.show(frame, step + direction);
    else if (direction < 0 && frame > 0) await this.show(frame - 1);
    else if (direction > 0 && frame < this.last) await this.show(frame + 1, 0);
  }
}
