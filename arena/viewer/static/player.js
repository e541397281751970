"use strict";
// The replay player: which frame is shown, seen by whom, and how one moves through the match.

(() => {
  const { byId } = Dom;
  const data = byId("replay-data");
  const root = byId("replay");
  const source = data ? new Source.Embedded(JSON.parse(data.textContent)) : new Source.Remote(root.dataset.base);
  const eyes = data ? JSON.parse(root.dataset.eyes) : null; // whose views a page from a file holds

  let story = null; // of the audience whose eyes we see with
  let whole = null; // a promise of all its frames; until then only those around a moment are there
  let frame = 0;
  let eye = null; // a seat, or null for everything
  let texts = null; // of the frames, to search in
  let asked = 0; // counts the moments that were wished for, so that a late answer of the server is not shown
  let looked = 0; // the same for the eyes
  let chosen = null; // the eyes that were wished for last: a seat, or null for everything
  let seeing = null; // a promise of the eyes that were wished for; what is wished for meanwhile waits for them

  const valueOf = (seat) => (seat === null ? "all" : String(seat));
  const frames = () => story.frames;
  const last = () => story.count - 1;
  const clamp = (number) => Math.max(0, Math.min(last(), Number.isFinite(number) ? number : 0));

  function where() {
    const told = new URLSearchParams(location.hash.slice(1));
    const seat = told.get("seat");
    const move = told.get("move");
    return { move: /^\d{1,9}$/.test(move) ? Number(move) : 0, seat: seat === null || !/^\d+$/.test(seat) ? null : Number(seat) };
  }

  function complain(error) {
    const box = byId("trouble");
    box.textContent = error ? `${error.message}. Reload the page to try again.` : "";
    box.hidden = !error;
  }

  async function show(number) {
    const mine = ++asked;
    frame = clamp(number);
    const first = frame - (frame % story.part);
    try {
      if (!frames()[frame]) await all();
      if (mine !== asked) return;
      const part = await source.tables(eye, first);
      if (mine !== asked) return;
      paint(Source.scene(part, frame), part.legal[frame - part.first]);
      complain(null);
    } catch (error) {
      if (mine !== asked) return;
      Pace.stop();
      complain(error);
      return;
    }
    const next = first + story.part;
    if (frame - first > story.part / 2 && next <= last()) source.tables(eye, next).catch(() => {});
  }

  function paint(scene, legal) {
    const now = frames()[frame];
    Table.show(byId("table"), { scene, players: story.players, asked: now.asked || [], eye });
    Panel.show(byId("question"), story, now, legal);
    Log.mark(byId("log"), frame);
    byId("scrub").value = frame;
    byId("scrub").setAttribute("aria-valuetext", `move ${frame} of ${last()}, ${scene.heading}`);
    byId("number").value = frame;
    byId("found").textContent = "";
    byId("spoken").textContent = Pace.runs() ? "" : [`move ${frame}`, ...(now.events || []).slice(-4)].join(". ");
    const hash = `#move=${frame}${eye === null ? "" : `&seat=${eye}`}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
    dispatchEvent(new Event("painted"));
  }

  /** See with other eyes. What is wished for before they are there is done by them. */
  function see(seat, number) {
    chosen = seat;
    seeing = change(seat, number);
  }

  async function change(seat, number) {
    const mine = ++looked;
    try {
      const there = number !== undefined ? number : story ? await source.moment(frame, eye, seat) : 0;
      const told = await source.opening(seat, there);
      if (mine !== looked) return;
      [story, eye, texts, whole] = [{ ...told, frames: new Array(told.count) }, seat, null, null];
      told.frames.forEach((each, n) => { frames()[told.first + n] = each; });
      prepare();
      know(told);
      await show(there);
      all().catch(complain);
    } catch (error) {
      if (mine !== looked) return;
      chosen = eye;
      byId("eye").value = valueOf(eye);
      complain(error);
    }
  }

  /** Wait until all frames are there, not only those around the moment that was asked for first. */
  function all() {
    const mine = story;
    whole = whole || source.story(eye).then((told) => {
      if (story !== mine) return;
      story.frames = told.frames;
      know(told);
      Log.mark(byId("log"), frame);
    }).catch((error) => {
      if (story !== mine) return; // nobody sees with these eyes any more
      whole = null;
      throw error;
    });
    return whole;
  }

  /** Wait until we see with the eyes that were wished for; tell whether there is anything to be seen. */
  async function turned() {
    for (let before = null; before !== seeing;) {
      before = seeing;
      await before;
    }
    return story !== null;
  }

  /** Wait until all frames are there of whose eyes we see with by then; tell whether they are. */
  async function settled() {
    try {
      for (let before = null; before !== seeing;) {
        before = seeing;
        if (!await turned()) return false;
        await all();
      }
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  }

  /** Take note of the frames that are there: for the log, and once there are all of them for the marks. */
  function know(told) {
    Log.fill(byId("log"), frames(), told.first, told.first + told.frames.length, (number) => go(() => number));
    if (told.frames.length < told.count) return;
    whole = whole || Promise.resolve();
    Marks.show(frames());
  }

  function prepare() {
    byId("eye").value = valueOf(eye);
    if (eye !== null) byId("of").value = valueOf(eye); // whose moves are looked for, as in the terminal
    byId("scrub").max = last();
    byId("number").max = last();
    byId("last").textContent = last();
    byId("remark").textContent = story.remark || "";
    Marks.clear();
    printed();
  }

  /** Go to the moment that `wished` names once we see with the eyes that were wished for. */
  async function go(wished) {
    Pace.stop();
    if (await turned()) show(wished());
  }

  async function jump(step, fits) {
    Pace.stop();
    if (await settled()) leap(step, fits);
  }

  function leap(step, fits) {
    if (!frames().some(fits)) {
      byId("found").textContent = "there is none";
      return;
    }
    for (let number = frame + step; number >= 0 && number <= last(); number += step) {
      if (fits(frames()[number], number)) {
        show(number);
        return;
      }
    }
    show(step > 0 ? last() : 0);
  }

  const marked = (...kinds) => (each) => (each.marks || []).some((kind) => kinds.includes(kind));
  const ofSeat = () => {
    const seat = Number(byId("of").value);
    return (each) => (each.asked || []).includes(seat);
  };

  async function search(step) {
    const wanted = byId("search").value.trim().toLowerCase();
    if (!wanted) return;
    Pace.stop();
    if (!await settled()) return;
    texts = texts || frames().map(Log.words);
    leap(step, (_, number) => texts[number].includes(wanted));
  }

  function play() {
    if (!story) return;
    if (frame >= last()) frame = -1;
    Pace.start(() => {
      if (frame >= last()) return false;
      show(frame + 1);
      return true;
    });
  }

  const printed = () => Told.output(source, eye);
  const verify = () => Told.verdict(source);

  async function link() {
    try {
      await navigator.clipboard.writeText(location.href);
      byId("found").textContent = "link copied";
    } catch {
      byId("found").textContent = "copy it from the address bar";
    }
  }

  const KEYS = {
    ArrowRight: () => go(() => frame + 1), ArrowLeft: () => go(() => frame - 1),
    r: () => jump(1, marked("round")), R: () => jump(-1, marked("round")),
    Home: () => go(() => 0), End: () => go(last),
    " ": () => (Pace.runs() ? Pace.stop() : play()), "+": () => Pace.change(1), "-": () => Pace.change(-1),
    e: () => jump(1, marked("out")), E: () => jump(-1, marked("out")),
    d: () => jump(1, marked("loss")), D: () => jump(-1, marked("loss")),
    f: () => jump(1, marked("fault")), F: () => jump(-1, marked("fault")),
    m: () => jump(1, ofSeat()), M: () => jump(-1, ofSeat()),
    n: () => search(1), N: () => search(-1), "/": () => byId("search").focus(),
    o: () => choose(null), l: link, v: verify, "?": () => byId("help").showModal(),
  };

  function choose(seat) {
    const known = eyes ? eyes.includes(seat === null ? "all" : seat) : seat === null || seat < story.players.length;
    if (known && seat !== chosen) see(seat);
  }

  function connect() {
    Keys.listen(root, KEYS, choose, () => story !== null);
    const clicks = {
      first: KEYS.Home, before: KEYS.R, back: KEYS.ArrowLeft, play: KEYS[" "], step: KEYS.ArrowRight,
      after: KEYS.r, end: KEYS.End, "next-out": KEYS.e, "next-fault": KEYS.f, "next-move": KEYS.m,
      verify, link, keys: KEYS["?"],
    };
    for (const [id, wished] of Object.entries(clicks)) byId(id).onclick = wished;
    byId("scrub").oninput = (event) => go(() => Number(event.target.value));
    byId("number").onchange = (event) => go(() => Math.round(Number(event.target.value)));
    byId("speed").onchange = (event) => Pace.set(Number(event.target.value));
    byId("eye").onchange = (event) => see(event.target.value === "all" ? null : Number(event.target.value));
    byId("search").onkeydown = (event) => {
      if (event.key === "Enter") search(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") event.target.blur();
    };
    byId("output").ontoggle = () => {
      const [asking] = (story && frames()[frame] && frames()[frame].asked) || [];
      if (asking !== undefined) byId("whose").value = String(asking); // what it printed is what one wants to read
      printed();
    };
    byId("whose").onchange = printed;
    addEventListener("hashchange", () => {
      const wished = where();
      if (wished.seat !== chosen) see(wished.seat, wished.move);
      else show(wished.move);
    });
  }

  connect();
  const wished = where();
  const only = eyes && !eyes.includes(wished.seat === null ? "all" : wished.seat);
  see(only ? (eyes[0] === "all" ? null : eyes[0]) : wished.seat, wished.move);
})();
