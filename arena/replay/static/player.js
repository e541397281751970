"use strict";
// The replay player: shows a frame from a perspective, and moves through the match.

(() => {
  const { byId } = Dom;
  const data = byId("replay-data");
  const root = byId("replay");
  const source = data ? new Source.Embedded(data) : new Source.Remote(root.dataset.base);
  const perspectives = data ? JSON.parse(root.dataset.perspectives) : null; // those that a page in a file holds

  let texts = null; // the text of each frame, for the search

  const valueOf = (seat) => (seat === null ? "all" : String(seat));

  function momentInAddress() {
    const parameters = Address.hash() ? Address.parameters() : new URLSearchParams(location.search); // as in links that are shared
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
    if (box.hidden !== !error) box.hidden = !error; // setting it again would cost styles at each frame
  }

  /** Show what is beside the table, and below it. */
  function shown(legal, lines, section) {
    const { replay, frame, frames, step, steps, last, perspective, isQuestion } = stage;
    const costly = ((stage.story && stage.story.costly) || []).filter(({ move }) => move === frame);
    if (isQuestion) Panel.show(byId("question"), replay, frames[frame], legal, costly);
    else Panel.showEvents(byId("question"), lines, frame, step + 1, steps.length - 1);
    Log.mark(byId("log"), frame, steps[step].end);
    Story.mark(frame, step, steps.length);
    byId("scrub").value = frame;
    tellPosition();
    byId("number").value = frame;
    byId("search-result").textContent = "";
    byId("asked").textContent = "";
    byId("verdict").textContent = "";
    byId("spoken").textContent = Pace.runs() ? "" : [isQuestion ? t("move {0}", frame) : t("Before move {0}", frame), ...lines.slice(-4).map(Words.of)].join(". ");
    const event = isQuestion ? "" : `&event=${step + 1}`;
    const hash = `#move=${frame}${event}${perspective === null ? "" : `&seat=${perspective}`}`;
    Address.show(hash);
    Rules.mark(isQuestion ? section : "");
    for (const other of root.querySelectorAll("[data-moment]")) other.hash = hash; // links that lead on from this moment
    dispatchEvent(new Event("frameshown"));
  }

  /** Tell where the slider stands, with the chances there if the ribbon shows them. */
  function tellPosition() {
    const place = [t("move {0} of {1}", stage.frame, stage.last), Words.of(stage.steps[stage.step].scene.heading), Ribbon.words(stage.frame)];
    byId("scrub").setAttribute("aria-valuetext", place.filter(Boolean).join(", "));
  }

  /** Name the chances below the pointer. */
  function describe(event) {
    const { left, width } = byId("scrub").getBoundingClientRect();
    const frame = Math.round(((event.clientX - left) / width) * stage.last);
    byId("scrub").title = stage.replay ? Ribbon.words(Math.max(0, Math.min(stage.last, frame))) : "";
  }

  function toggleLines() {
    Ribbon.toggle();
    if (stage.steps.length) tellPosition();
  }

  /** Fill the log with the frames that are loaded, and draw the marks once all are. isNew: whether the perspective is. */
  function opened(part, isNew) {
    const loaded = [byId("log"), stage.frames, part.first, part.first + part.frames.length];
    if (isNew) {
      resetControls();
      Log.fill(...loaded, (number) => stage.go(() => number));
    } else Log.extend(...loaded);
    if (part.frames.length < part.count) return;
    Ribbon.show(stage.frames, part.scores, part.chances && { ...part.chances, teams: part.teams }, part.story);
    Story.show(part.story, (number, event) => stage.go(() => number, event));
    stage.story = part.story;
    const isCostly = part.story.costly.some(({ move }) => move === stage.frame) && stage.isQuestion;
    if (stage.steps.length && (stage.isAtEnd || isCostly)) stage.show(stage.frame); // with the banner, or what the move cost
    else if (stage.steps.length) Story.mark(stage.frame, stage.step, stage.steps.length);
    if (stage.steps.length) tellPosition();
  }

  function failed(error) {
    byId("perspective").value = valueOf(stage.requested);
    showError(error);
  }

  function resetControls() {
    const { replay, last, perspective } = stage;
    texts = null;
    byId("perspective").value = valueOf(perspective);
    if (perspective !== null) byId("of").value = valueOf(perspective); // "next move of" follows the perspective, as in the terminal
    byId("scrub").max = last;
    byId("number").max = last;
    byId("last").textContent = last;
    byId("remark").textContent = root.dataset.remark || replay.remark || "";
    Ribbon.clear();
    Story.show(null);
    stage.story = null;
    showOutput();
  }

  const stage = new Stage(source, byId("table"), { opened, shown, failed });

  async function jump(step, matches) {
    Pace.stop();
    if (await stage.allReady()) jumpWithin(step, matches);
  }

  function jumpWithin(step, matches) {
    const { frames, frame, last } = stage;
    if (!frames.some(matches)) {
      byId("search-result").textContent = t("not found");
      return;
    }
    for (let number = frame + step; number >= 0 && number <= last; number += step) {
      if (matches(frames[number], number)) {
        stage.show(number);
        return;
      }
    }
    stage.show(step > 0 ? last : 0);
  }

  const marked = (...kinds) => (candidate) => (candidate.marks || []).some((kind) => kinds.includes(kind));
  const ofSeat = () => {
    const seat = Number(byId("of").value);
    return (candidate) => (candidate.asked || []).includes(seat);
  };

  /** Go to the largest swing of the lines in the ribbon. */
  async function swing() {
    Pace.stop();
    if (!await stage.allReady()) return;
    const number = Ribbon.swing();
    if (number === null) byId("search-result").textContent = t("not found");
    else stage.show(number);
  }

  /** Go to the next moment of the story (1), or the previous one (-1). */
  async function toMoment(direction) {
    Pace.stop();
    if (!await stage.allReady()) return;
    const found = Story.next(direction, stage.frame, stage.step, stage.steps.length);
    if (found) stage.show(...found);
    else byId("search-result").textContent = t("not found");
  }

  async function search(step) {
    const text = byId("search").value.trim().toLowerCase();
    if (!text) return;
    Pace.stop();
    if (!await stage.allReady()) return;
    texts = texts || stage.frames.map(Log.words);
    jumpWithin(step, (_, number) => texts[number].includes(text));
  }

  function play() {
    if (!stage.replay) return;
    if (stage.isAtEnd) stage.show(0);
    let busy = false;
    Pace.start(() => {
      if (busy) return true;
      if (stage.isAtEnd) return false;
      busy = true;
      stage.walk(1).then(() => { busy = false; });
      return true;
    });
  }

  const showOutput = () => Details.showOutput(source, stage.perspective);
  const verify = () => Details.verify(source);
  const again = () => (stage.replay && root.dataset.unstored === undefined ? Details.askAgain(source, stage.replay, stage.perspective, stage.frame) : undefined);

  async function link() {
    try {
      const hash = Address.hash(); // which no server gets: a link that is shared names the moment in its query, for the preview
      await navigator.clipboard.writeText(new URL(root.dataset.share ? `${root.dataset.share}?${hash.slice(1)}` : hash, location));
      byId("search-result").textContent = t("link copied");
    } catch {
      byId("search-result").textContent = t("copying failed: copy the link from the address bar");
    }
  }

  /** Save the position in the chosen form; the script for it is loaded only now. */
  async function save() {
    if (!stage.replay) return;
    Pace.stop();
    try {
      await (await import(byId("save").dataset.script)).save(byId("save-form").value, stage);
      byId("search-result").textContent = t("saved");
    } catch (error) {
      byId("search-result").textContent = error.message;
    }
  }

  function stopAndWalk(direction) {
    Pace.stop();
    stage.walk(direction);
  }

  const KEYS = {
    ArrowRight: () => stopAndWalk(1), ArrowLeft: () => stopAndWalk(-1),
    ".": () => stage.go(() => stage.frame + 1), ",": () => stage.go(() => stage.frame - 1),
    r: () => jump(1, marked("round")), R: () => jump(-1, marked("round")),
    Home: () => stage.go(() => 0), End: () => stage.go(() => stage.last),
    " ": () => (Pace.runs() ? Pace.stop() : play()), "+": () => Pace.change(1), "-": () => Pace.change(-1),
    e: () => jump(1, marked("out")), E: () => jump(-1, marked("out")),
    d: () => jump(1, marked("loss")), D: () => jump(-1, marked("loss")),
    f: () => jump(1, marked("fault")), F: () => jump(-1, marked("fault")),
    k: () => toMoment(1), K: () => toMoment(-1),
    m: () => jump(1, ofSeat()), M: () => jump(-1, ofSeat()),
    h: () => Rules.toggle(),
    n: () => search(1), N: () => search(-1), "/": () => byId("search").focus(),
    b: swing, c: toggleLines, o: () => choosePerspective(null), l: link, a: again, v: verify, "?": () => byId("help").showModal(),
  };

  /** Whether there is a perspective of a seat here; null is the whole match. */
  const isKnown = (seat) => (perspectives ? perspectives.includes(seat === null ? "all" : seat) : seat === null || !stage.replay || seat < stage.replay.players.length);

  function choosePerspective(seat) {
    if (isKnown(seat) && seat !== stage.requested) stage.setPerspective(seat);
  }

  function connect() {
    Keys.listen(root, KEYS, choosePerspective, () => stage.replay !== null);
    const clicks = {
      first: KEYS.Home, before: KEYS.R, back: KEYS.ArrowLeft, play: KEYS[" "], step: KEYS.ArrowRight,
      after: KEYS.r, end: KEYS.End, "next-out": KEYS.e, "next-fault": KEYS.f, "next-move": KEYS.m,
      swing, kind: toggleLines, lines: toggleLines, verify, link, again, keys: KEYS["?"],
    };
    for (const [id, action] of Object.entries(clicks)) byId(id).onclick = action;
    byId("scrub").oninput = (event) => stage.go(() => Number(event.target.value));
    byId("scrub").onpointermove = describe;
    byId("number").onchange = (event) => stage.go(() => Math.round(Number(event.target.value)));
    byId("speed").onchange = (event) => Pace.set(Number(event.target.value));
    byId("perspective").onchange = (event) => stage.setPerspective(event.target.value === "all" ? null : Number(event.target.value));
    byId("search").onkeydown = (event) => {
      if (event.key === "Enter") search(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") event.target.blur();
    };
    byId("output").ontoggle = () => {
      const now = stage.replay && stage.frames[stage.frame];
      const [asking] = (now && now.asked) || [];
      if (asking !== undefined) byId("whose").value = String(asking); // the output of the bot to move is the one of interest
      showOutput();
    };
    byId("whose").onchange = showOutput;
    if (byId("save")) byId("save").onclick = save;
    addEventListener("hashchange", () => {
      const { seat, move, event } = momentInAddress();
      if (!isKnown(seat) || !stage.replay) return;
      stage.jumps += 1;
      if (seat !== stage.requested) stage.setPerspective(seat, move, event);
      else stage.show(move, event);
    });
  }

  connect();
  const start = momentInAddress();
  const missing = perspectives && !perspectives.includes(start.seat === null ? "all" : start.seat);
  stage.setPerspective(missing ? (perspectives[0] === "all" ? null : perspectives[0]) : start.seat, start.move, start.event);
})();
