"use strict";
// The chances to win in the ribbon: a line per seat with its 95 % interval, and marks of the largest swings.

const Chances = (() => {
  const { draw } = Dom;
  const INTERVAL = 1.96; // standard errors
  const percent = (share) => `${Math.round(100 * share)} %`;

  /** Draw lines, intervals and swings. line: finishes the path of a seat. x, y: of a frame, of a chance. */
  function shapes({ points, swings }, line, x, y) {
    const seats = points[0][1].map((_, seat) => seat);
    const path = (values) => values.map(([frame, chance]) => `${x(frame)} ${y(Math.max(0, Math.min(1, chance)))}`).join("L");
    const side = (seat, sign) => points.map(([frame, chances, errors]) => [frame, chances[seat] + sign * INTERVAL * errors[seat]]);
    const intervals = seats.map((seat) => Seats.tint(draw("path", { class: "interval", d: `M${path(side(seat, 1))}L${path(side(seat, -1).reverse())}Z` }), seat));
    const lines = seats.map((seat) => line("chance", seat, `M${path(points.map(([frame, chances]) => [frame, chances[seat]]))}`));
    return [...intervals, draw("path", { class: "swing", d: swings.map(({ move }) => `M${x(move)} 0V100`).join("") }), ...lines];
  }

  /** The chances at a frame in words: those of the last frame before it that was estimated. */
  function words({ points, playouts }, frame) {
    const [at, chances, errors] = points.filter(([number]) => number <= frame).pop();
    const seats = chances.map((chance, seat) => `${t("seat {0}", seat)} ${percent(chance)}${errors[seat] ? ` ± ${percent(errors[seat])}` : ""}`);
    const title = at === frame ? t("chance to win") : t("chance to win at move {0}", at);
    return [`${title}: ${seats.join(", ")}`, ...(errors.some(Boolean) ? [t("by {0} playouts", playouts)] : [])].join(", ");
  }

  return { shapes, words };
})();
