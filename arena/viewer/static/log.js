"use strict";
// The log of the match: an entry for each frame, with what led to it and what was answered. Of thousands of entries only
// those around the marked one are in the page.

const Log = (() => {
  const { make } = Dom;

  const moveOf = (answer) => {
    const aside = answer.default ? "by default" : answer.micros === undefined ? "" : Panel.duration(answer.micros);
    return make("div", {},
      make("span", { class: answer.default ? "move bad" : "move" }, `seat ${answer.seat}: ${answer.move}`),
      aside ? make("span", { class: "aside" }, `  ${aside}`) : null,
      (answer.notes || []).map((note) => make("div", { class: "aside" }, `“${note}”`)));
  };

  function entry(frame, number) {
    return make("li", { "data-move": number, class: (frame.marks || []).includes("round") ? "begins" : null },
      (frame.events || []).map((line) => make("div", {}, line)),
      (frame.faults || []).map((each) => make("div", { class: "warn" }, `seat ${each.seat}: ${each.kind}: ${each.sentence}`)),
      (frame.answers || []).map(moveOf));
  }

  const AROUND = 40; // entries above and below the marked one that are in the page; more come as one scrolls to them
  const EDGE = 400; // pixels from its end at which a list grows

  let frames = [];
  let start = 0; // the frames that are told: from start to end, without end
  let end = 0;
  let low = 0; // the entries in the page: from low to high, without high
  let high = 0;
  const entries = (from, to) => frames.slice(from, to).map((frame, n) => entry(frame, from + n));

  /** Take the frames for the list, as far as they are told; `chosen` is called with the number of the one that is clicked. */
  function fill(list, told, from, to, chosen) {
    [frames, start, end] = [told, from, to];
    low = high = 0;
    list.replaceChildren();
    list.onclick = (event) => {
      const found = event.target.closest("li");
      if (found) chosen(Number(found.dataset.move));
    };
    list.onscroll = () => grow(list);
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

  /** Mark the entry of a frame, and bring it into sight inside its list. */
  function mark(list, number) {
    const before = list.querySelector("[aria-current]");
    if (before) before.removeAttribute("aria-current");
    if (number < low || number >= high) {
      low = Math.max(start, number - AROUND);
      high = Math.min(end, number + AROUND);
      list.replaceChildren(...entries(low, high));
    }
    const now = list.children[number - low];
    if (!now) return;
    now.setAttribute("aria-current", "true");
    const space = list.clientHeight - now.offsetHeight;
    list.scrollTop = now.offsetTop - list.offsetTop - Math.max(0, space / 2);
  }

  /** Return all that is told of a frame as one text in small letters, to search in. */
  function words(frame) {
    const answers = (frame.answers || []).flatMap((answer) => [`seat ${answer.seat}: ${answer.move}`, ...(answer.notes || []), answer.said || ""]);
    const faults = (frame.faults || []).map((each) => `${each.kind} ${each.sentence}`);
    return [...(frame.events || []), ...answers, ...faults].join("\n").toLowerCase();
  }

  return { fill, mark, words };
})();
