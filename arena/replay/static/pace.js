"use strict";
// Automatic playback: on or off, and its speed.

const Pace = (() => {
  const { byId } = Dom;
  const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32]; // events a second
  let speed = 2;
  let timer = null;
  let next = null; // shows the next frame; returns false at the end

  const runs = () => timer !== null;

  function setButton(sign, name) {
    byId("play").textContent = sign;
    byId("play").setAttribute("aria-label", name);
    byId("play").setAttribute("aria-pressed", String(runs()));
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    setButton("▶\uFE0E", "play");
  }

  function start(step) {
    next = step;
    clearInterval(timer);
    timer = setInterval(() => { if (!next()) stop(); }, pause());
    setButton("❙❙", "pause");
  }

  function set(newSpeed) {
    speed = newSpeed;
    byId("speed").value = String(speed);
    if (runs()) start(next);
  }

  /** Change the speed by some steps; a negative number is slower. */
  function change(steps) {
    set(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + steps))]);
  }

  /** The time from one step to the next, in milliseconds. */
  const pause = () => 1000 / speed;

  return { runs, pause, start, stop, set, change };
})();
