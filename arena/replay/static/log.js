"use strict";
// The log of the match: an entry for each frame, with its events and answers. Of thousands of entries only those around
// the current one are in the page.

const Log = (() => {
  const { make } = Dom;

  const moveOf = (answer) => {
    const time = answer.default ? t("by default") : answer.micros === undefined ? "" : Panel.duration(answer.micros);
    return Seats.tint(make("div", { class: "of-seat" },
      make("span", { class: answer.default ? "move bad" : "move" }, Seats.named(answer.seat), `: ${Words.of(answer.move)}`),
      time ? make("span", { class: "aside" }, `  ${time}`) : null,
      Panel.noteBlocks(answer.notes).map((block) => make("div", { class: "aside" },
        block.isOutput ? `${t("printed")}: ${block.lines[block.lines.length - 1]}` : `“${block.lines[0]}”`))), answer.seat);
  };

  /** Return the entry of a frame: its events, faults and answers. */
  function entry(frame, number) {
    return make("li", { "data-move": number, class: (frame.marks || []).includes("round") ? "begins" : null },
      (frame.events || []).map((line) => make("div", {}, Seats.told(line))),
      (frame.faults || []).map((fault) => make("div", { class: "warn" }, Seats.named(fault.seat), `: ${fault.kind}: ${fault.sentence}`)),
      (frame.answers || []).map(moveOf));
  }

  const AROUND = 40; // entries in the page above and below the current one; scrolling adds more
  const EDGE = 400; // pixels from the end at which scrolling adds entries

  let frames = [];
  let start = 0; // the loaded frames: from start to end, end excluded
  let end = 0;
  let low = 0; // the entries in the page: from low to high, high excluded
  let high = 0;
  const entries = (from, to) => frames.slice(from, to).map((frame, n) => entry(frame, from + n));

  /** Set the frames of the list, loaded from `from` to `to`; a click calls `onSelect` with the number of its frame. */
  function fill(list, newFrames, from, to, onSelect) {
    [frames, start, end] = [newFrames, from, to];
    low = high = 0;
    list.replaceChildren();
    list.onclick = (event) => {
      const item = event.target.closest("li");
      if (item) onSelect(Number(item.dataset.move));
    };
    list.onscroll = () => grow(list);
  }

  /** Set the frames of the same list once more are loaded; what is in the page stays where it is. */
  function extend(list, newFrames, from, to) {
    [frames, start, end] = [newFrames, from, to];
    grow(list);
  }

  function grow(list) {
    if (list.scrollTop < EDGE && low > start) {
      const from = Math.max(start, low - AROUND);
      const below = list.scrollHeight - list.scrollTop;
      list.prepend(...entries(from, low));
      low = from;
      list.scrollTop = list.scrollHeight - below;
    }
    if (list.scrollTop + list.clientHeight > list.scrollHeight - EDGE && high < end) {
      const to = Math.min(end, high + AROUND);
      list.append(...entries(high, to));
      high = to;
    }
  }

  /** Mark the entry of a frame as current and scroll it into view. happened: how many of its events to show. */
  function mark(list, number, happened = Infinity) {
    const before = list.querySelector("[aria-current]");
    if (before) {
      before.removeAttribute("aria-current");
      for (const line of before.children) line.classList.remove("later");
    }
    if (number < low || number >= high) {
      low = Math.max(start, number - AROUND);
      high = Math.min(end, number + AROUND);
      list.replaceChildren(...entries(low, high));
    }
    const now = list.children[number - low];
    if (!now) return;
    now.setAttribute("aria-current", "true");
    [...now.children].forEach((line, place) => line.classList.toggle("later", place >= happened));
    const space = list.clientHeight - now.offsetHeight;
    list.scrollTop = now.offsetTop - list.offsetTop - Math.max(0, space / 2);
  }

  /** Return the events, answers and faults of a frame as one lower-case text to search in. */
  function words(frame) {
    const answers = (frame.answers || []).flatMap((answer) => [`${Words.name(answer.seat)}: ${Words.of(answer.move)}`, ...(answer.notes || []).map((note) => (Array.isArray(note) ? Words.of(note) : note)), answer.said || ""]);
    const faults = (frame.faults || []).map((fault) => `${fault.kind} ${fault.sentence}`);
    const codes = [...(frame.events || []).map(Words.english), ...(frame.answers || []).map((answer) => `seat ${answer.seat}: ${Words.english(answer.move)}`)];
    return [...(frame.events || []).map(Words.of), ...codes, ...answers, ...faults].join("\n").toLowerCase();
  }

  return { entry, extend, fill, mark, words };
})();
