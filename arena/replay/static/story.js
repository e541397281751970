"use strict";
// The story of the match: who won, on the table at its end, and the moments that made it so, beside the table.
// Where chances to win are known, moves that cost much are moments, or it says that no single one decided.

const Story = (() => {
  const { byId, make } = Dom;
  let moments = [];
  let entries = []; // their elements

  const place = (moment) => (moment.event === null ? Infinity : moment.event - 1);

  function entry(moment, onSelect) {
    const button = make("button", { type: "button", class: moment.note ? "costly" : moment.decisive ? "decisive" : null },
      make("small", {}, Words.of(moment.where)), Seats.told(moment.text), moment.note ? make("small", { class: "cost" }, Words.of(moment.note)) : null);
    button.onclick = () => onSelect(moment.move, place(moment));
    return make("li", {}, button);
  }

  /** List the moments of a story; none while it is not known. onSelect: called with a frame and the place of an event before it. */
  function show(story, onSelect) {
    moments = story ? story.moments : [];
    entries = moments.map((moment) => entry(moment, onSelect));
    const undecided = story && story.undecided ? [make("li", { class: "undecided" }, Words.of(story.undecided))] : [];
    byId("story").replaceChildren(...undecided, ...entries);
  }

  /** Mark the moment that is shown. step, steps: of its table among those that lead to the frame. */
  function mark(frame, step, steps) {
    moments.forEach((moment, n) => {
      const isNow = moment.move === frame && Math.min(place(moment), steps - 1) === step;
      entries[n].firstChild.toggleAttribute("aria-current", isNow);
    });
  }

  /** Return the moment after a table (1), or before it (-1); undefined if there is none. */
  function next(direction, frame, step, steps) {
    const before = (moment) => moment.move < frame || (moment.move === frame && Math.min(place(moment), steps - 1) < step);
    const after = (moment) => moment.move > frame || (moment.move === frame && Math.min(place(moment), steps - 1) > step);
    const found = direction > 0 ? moments.find(after) : moments.filter(before).pop();
    return found && [found.move, place(found)];
  }

  return { show, mark, next };
})();
