"use strict";
// The replay player: shows a frame from a perspective, and moves through the match.

(() => {
  const { byId } = Dom;
  const data = byId("replay-data");
  const root = byId("replay");
  const source = data ? new Source.Embedded(JSON.parse(data.textContent)) : new Source.Remote(root.dataset.base);
  const perspectives = data ? JSON.parse(root.dataset.perspectives) : null; // those that a page in a file holds

  let replay = null; // the replay from the current perspective
  let allFrames = null; // a promise of all its frames; until it resolves only those around a moment are loaded
  let frame = 0;
  let steps = []; // the tables of the events before the frame, and its own
  let step = 0; // the one that is shown
  let showing = Promise.resolve(); // resolves when the chosen frame is shown
  let perspective = null; // a seat, or null for the whole match
  let texts = null; // the text of each frame, for the search
  let frameRequests = 0; // requested frames so far: a late answer to an older request is dropped
  let perspectiveRequests = 0; // the same for perspectives
  let requestedPerspective = null; // the perspective chosen last: a seat, or null for the whole match
  let perspectiveChange = null; // a promise of the chosen perspective; other actions wait for it

  const valueOf = (seat) => (seat === null ? "all" : String(seat));
  const frames = () => replay.frames;
  const last = () => replay.count - 1;
  const clamp = (number) => Math.max(0, Math.min(last(), Number.isFinite(number) ? number : 0));

  function momentInAddress() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    const seat = parameters.get("seat");
    const move = parameters.get("move");
    const event = parameters.get("event");
    return {
      move: /^\d{1,9}$/.test(move) ? Number(move) : 0,
      event: /^\d{1,9}$/.test(event) ? Number(event) - 1 : undefined,
      seat: seat === null || !/^\d+$/.test(seat) ? null : Number(seat),
    };
  }

  function showError(error) {
    const box = byId("trouble");
    box.textContent = error ? `${error.message}. ${t("Reload the page to try again.")}` : "";
    box.hidden = !error;
  }

  /** Show a frame, or an event before it. event: its place among the events; without it the frame itself. */
  function show(number, event = Infinity) {
    showing = load(number, event);
    return showing;
  }

  async function load(number, event) {
    const mine = ++frameRequests;
    const before = frame;
    frame = clamp(number);
    const first = frame - (frame % replay.part);
    try {
      if (!frames()[frame]) await loadAllFrames();
      if (mine !== frameRequests) return;
      const part = await source.tables(perspective, first);
      if (mine !== frameRequests) return;
      const from = steps.length ? [before, step] : null;
      steps = Source.steps(part, frame);
      step = Math.max(0, Math.min(event, steps.length - 1));
      render(part.legal[frame - part.first], part.sections[frame - part.first], from && follows(from));
      showError(null);
    } catch (error) {
      if (mine !== frameRequests) return;
      Pace.stop();
      showError(error);
      return;
    }
    const next = first + replay.part;
    if (frame - first > replay.part / 2 && next <= last()) source.tables(perspective, next).catch(() => {});
  }

  /** Whether the step that is shown now comes just after another one: what moved is then seen to move. */
  function follows([number, place]) {
    return number === frame ? step === place + 1 : number === frame - 1 && step === 0;
  }

  function render(legal, section, isNext) {
    const now = frames()[frame];
    const { scene, moved, end } = steps[step];
    const isQuestion = step === steps.length - 1;
    const lines = (now.events || []).slice(step ? steps[step - 1].end : 0, end);
    const table = byId("table");
    Motion.finish();
    const moving = isNext ? Motion.begin(table, moved) : [];
    Table.show(table, { scene, players: replay.players, asked: (isQuestion && now.asked) || [], perspective });
    Motion.end(table, moving, Pace.runs() ? Pace.pause() : Infinity);
    if (isQuestion) Panel.show(byId("question"), replay, now, legal);
    else Panel.showEvents(byId("question"), lines, frame, step + 1, steps.length - 1);
    Log.mark(byId("log"), frame, end);
    byId("scrub").value = frame;
    byId("scrub").setAttribute("aria-valuetext", `${t("move {0} of {1}", frame, last())}, ${Words.of(scene.heading)}`);
    byId("number").value = frame;
    byId("search-result").textContent = "";
    byId("asked").textContent = "";
    byId("verdict").textContent = "";
    byId("spoken").textContent = Pace.runs() ? "" : [isQuestion ? t("move {0}", frame) : t("Before move {0}", frame), ...lines.slice(-4).map(Words.of)].join(". ");
    const event = isQuestion ? "" : `&event=${step + 1}`;
    const hash = `#move=${frame}${event}${perspective === null ? "" : `&seat=${perspective}`}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    Rules.mark(isQuestion ? section : "");
    dispatchEvent(new Event("frameshown"));
  }

  /** Change the perspective. Actions before it is loaded wait for it. number: the frame; without it the same moment. */
  function setPerspective(seat, number, event) {
    requestedPerspective = seat;
    perspectiveChange = loadPerspective(seat, number, event);
  }

  async function loadPerspective(seat, number, event) {
    const mine = ++perspectiveRequests;
    try {
      const move = number !== undefined ? number : replay ? await source.moment(frame, perspective, seat) : 0;
      const part = await source.opening(seat, move);
      if (mine !== perspectiveRequests) return;
      [replay, perspective, texts, allFrames, steps] = [{ ...part, frames: new Array(part.count) }, seat, null, null, []];
      part.frames.forEach((loaded, n) => { frames()[part.first + n] = loaded; });
      resetControls();
      showFrames(part);
      await show(move, event);
      loadAllFrames().catch(showError);
    } catch (error) {
      if (mine !== perspectiveRequests) return;
      requestedPerspective = perspective;
      byId("perspective").value = valueOf(perspective);
      showError(error);
    }
  }

  /** Load all frames, not only those around the first moment. */
  function loadAllFrames() {
    const mine = replay;
    allFrames = allFrames || source.replay(perspective).then((all) => {
      if (replay !== mine) return;
      replay.frames = all.frames;
      showFrames(all);
      Log.mark(byId("log"), frame, steps.length ? steps[step].end : undefined);
    }).catch((error) => {
      if (replay !== mine) return; // the perspective has changed since
      allFrames = null;
      throw error;
    });
    return allFrames;
  }

  /** Wait for the chosen perspective; return whether a replay is loaded. */
  async function perspectiveReady() {
    for (let before = null; before !== perspectiveChange;) {
      before = perspectiveChange;
      await before;
    }
    return replay !== null;
  }

  /** Wait for the chosen perspective and all its frames; return whether they are loaded. */
  async function framesReady() {
    try {
      for (let before = null; before !== perspectiveChange;) {
        before = perspectiveChange;
        if (!await perspectiveReady()) return false;
        await loadAllFrames();
      }
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  /** Fill the log with the frames that are loaded, and draw the marks once all are. */
  function showFrames(part) {
    Log.fill(byId("log"), frames(), part.first, part.first + part.frames.length, (number) => go(() => number));
    if (part.frames.length < part.count) return;
    allFrames = allFrames || Promise.resolve();
    Ribbon.show(frames(), part.scores);
  }

  function resetControls() {
    byId("perspective").value = valueOf(perspective);
    if (perspective !== null) byId("of").value = valueOf(perspective); // "next move of" follows the perspective, as in the terminal
    byId("scrub").max = last();
    byId("number").max = last();
    byId("last").textContent = last();
    byId("remark").textContent = replay.remark || "";
    Ribbon.clear();
    showOutput();
  }

  /** Show the frame whose number `target` returns, after a change of perspective under way. */
  async function go(target) {
    Pace.stop();
    jumps += 1;
    if (await perspectiveReady()) show(target());
  }

  let walks = Promise.resolve(); // steps are taken one after another, each from what the one before has shown
  let jumps = 0; // so far: one drops the steps that wait

  /** Show the next event (1) or the previous one (-1), once all steps before are shown. */
  function walk(direction) {
    const mine = jumps;
    walks = walks.then(() => (mine === jumps ? stepFrom(direction) : undefined)).catch(showError);
    return walks;
  }

  async function stepFrom(direction) {
    if (!await perspectiveReady()) return;
    await showing;
    if (step + direction >= 0 && step + direction < steps.length) await show(frame, step + direction);
    else if (direction < 0 && frame > 0) await show(frame - 1);
    else if (direction > 0 && frame < last()) await show(frame + 1, 0);
  }

  const isAtEnd = () => frame >= last() && step >= steps.length - 1;

  async function jump(step, matches) {
    Pace.stop();
    if (await framesReady()) jumpWithin(step, matches);
  }

  function jumpWithin(step, matches) {
    if (!frames().some(matches)) {
      byId("search-result").textContent = t("not found");
      return;
    }
    for (let number = frame + step; number >= 0 && number <= last(); number += step) {
      if (matches(frames()[number], number)) {
        show(number);
        return;
      }
    }
    show(step > 0 ? last() : 0);
  }

  const marked = (...kinds) => (candidate) => (candidate.marks || []).some((kind) => kinds.includes(kind));
  const ofSeat = () => {
    const seat = Number(byId("of").value);
    return (candidate) => (candidate.asked || []).includes(seat);
  };

  /** Go to the largest change of a score in a round. */
  async function swing() {
    Pace.stop();
    if (!await framesReady()) return;
    const number = Ribbon.swing();
    if (number === null) byId("search-result").textContent = t("not found");
    else show(number);
  }

  async function search(step) {
    const text = byId("search").value.trim().toLowerCase();
    if (!text) return;
    Pace.stop();
    if (!await framesReady()) return;
    texts = texts || frames().map(Log.words);
    jumpWithin(step, (_, number) => texts[number].includes(text));
  }

  function play() {
    if (!replay) return;
    if (isAtEnd()) show(0);
    let busy = false;
    Pace.start(() => {
      if (busy) return true;
      if (isAtEnd()) return false;
      busy = true;
      walk(1).then(() => { busy = false; });
      return true;
    });
  }

  const showOutput = () => Details.showOutput(source, perspective);
  const verify = () => Details.verify(source);
  const again = () => (replay ? Details.askAgain(source, replay, perspective, frame) : undefined);

  async function link() {
    try {
      await navigator.clipboard.writeText(location.href);
      byId("search-result").textContent = t("link copied");
    } catch {
      byId("search-result").textContent = t("copying failed: copy the link from the address bar");
    }
  }

  function stopAndWalk(direction) {
    Pace.stop();
    walk(direction);
  }

  const KEYS = {
    ArrowRight: () => stopAndWalk(1), ArrowLeft: () => stopAndWalk(-1),
    ".": () => go(() => frame + 1), ",": () => go(() => frame - 1),
    r: () => jump(1, marked("round")), R: () => jump(-1, marked("round")),
    Home: () => go(() => 0), End: () => go(last),
    " ": () => (Pace.runs() ? Pace.stop() : play()), "+": () => Pace.change(1), "-": () => Pace.change(-1),
    e: () => jump(1, marked("out")), E: () => jump(-1, marked("out")),
    d: () => jump(1, marked("loss")), D: () => jump(-1, marked("loss")),
    f: () => jump(1, marked("fault")), F: () => jump(-1, marked("fault")),
    m: () => jump(1, ofSeat()), M: () => jump(-1, ofSeat()),
    h: () => Rules.toggle(),
    n: () => search(1), N: () => search(-1), "/": () => byId("search").focus(),
    b: swing, o: () => choosePerspective(null), l: link, a: again, v: verify, "?": () => byId("help").showModal(),
  };

  /** Whether there is a perspective of a seat here; null is the whole match. */
  const isKnown = (seat) => (perspectives ? perspectives.includes(seat === null ? "all" : seat) : seat === null || !replay || seat < replay.players.length);

  function choosePerspective(seat) {
    if (isKnown(seat) && seat !== requestedPerspective) setPerspective(seat);
  }

  function connect() {
    Keys.listen(root, KEYS, choosePerspective, () => replay !== null);
    const clicks = {
      first: KEYS.Home, before: KEYS.R, back: KEYS.ArrowLeft, play: KEYS[" "], step: KEYS.ArrowRight,
      after: KEYS.r, end: KEYS.End, "next-out": KEYS.e, "next-fault": KEYS.f, "next-move": KEYS.m,
      swing, verify, link, again, keys: KEYS["?"],
    };
    for (const [id, action] of Object.entries(clicks)) byId(id).onclick = action;
    byId("scrub").oninput = (event) => go(() => Number(event.target.value));
    byId("number").onchange = (event) => go(() => Math.round(Number(event.target.value)));
    byId("speed").onchange = (event) => Pace.set(Number(event.target.value));
    byId("perspective").onchange = (event) => setPerspective(event.target.value === "all" ? null : Number(event.target.value));
    byId("search").onkeydown = (event) => {
      if (event.key === "Enter") search(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") event.target.blur();
    };
    byId("output").ontoggle = () => {
      const [asking] = (replay && frames()[frame] && frames()[frame].asked) || [];
      if (asking !== undefined) byId("whose").value = String(asking); // the output of the bot to move is the one of interest
      showOutput();
    };
    byId("whose").onchange = showOutput;
    addEventListener("hashchange", () => {
      const { seat, move, event } = momentInAddress();
      if (!isKnown(seat) || !replay) return;
      jumps += 1;
      if (seat !== requestedPerspective) setPerspective(seat, move, event);
      else show(move, event);
    });
  }

  connect();
  const start = momentInAddress();
  const missing = perspectives && !perspectives.includes(start.seat === null ? "all" : start.seat);
  setPerspective(missing ? (perspectives[0] === "all" ? null : perspectives[0]) : start.seat, start.move, start.event);
})();
