"use strict";
// A match that plays by itself: whether it does, and how fast.

const Pace = (() => {
  const { byId } = Dom;
  const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32]; // frames a second
  let speed = 2;
  let timer = null;
  let next = null; // goes on by a frame, and tells whether there was one

  const runs = () => timer !== null;

  function tell(sign, name) {
    byId("play").textContent = sign;
    byId("play").setAttribute("aria-label", name);
    byId("play").setAttribute("aria-pressed", String(runs()));
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    tell("▶\uFE0E", "play");
  }

  function start(step) {
    next = step;
    clearInterval(timer);
    timer = setInterval(() => { if (!next()) stop(); }, 1000 / speed);
    tell("❙❙", "pause");
  }

  function set(wished) {
    speed = wished;
    byId("speed").value = String(speed);
    if (runs()) start(next);
  }

  /** Play faster by as many steps; slower where there are fewer than none. */
  function change(steps) {
    set(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + steps))]);
  }

  return { runs, start, stop, set, change };
})();
