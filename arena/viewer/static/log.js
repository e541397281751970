"use strict";
// The log of the match: an entry for each frame, with what led to it and what was answered.

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

  /** Fill the list with all frames; `chosen` is called with the number of the one that is clicked. */
  function fill(list, frames, chosen) {
    list.replaceChildren(...frames.map(entry));
    list.onclick = (event) => {
      const found = event.target.closest("li");
      if (found) chosen(Number(found.dataset.move));
    };
  }

  /** Mark the entry of a frame, and bring it into sight inside its list. */
  function mark(list, number) {
    const before = list.querySelector("[aria-current]");
    if (before) before.removeAttribute("aria-current");
    const now = list.children[number];
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
