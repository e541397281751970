"use strict";
// The chances to win in the ribbon: bands of all seats, stacked, and marks of the largest swings. The words have the errors.

const Chances = (() => {
  const { draw } = Dom;
  const percent = (share) => `${Math.round(100 * share)} %`;

  /** Draw a band per seat, on top of each other, partners side by side, and swings. line: finishes the path of a seat. x, y: of a frame, of a share. */
  function shapes({ points, swings, teams }, line, x, y) {
    const seats = points[0][1].map((_, seat) => seat).sort((one, other) => teams[one] - teams[other] || one - other);
    const below = points.map(() => 0);
    const path = (shares) => shares.map((share, n) => `${x(points[n][0])} ${y(Math.min(1, share))}`);
    const bands = seats.map((seat) => {
      const bottom = path(below);
      points.forEach(([, chances], n) => { below[n] += chances[seat] / chances.reduce((sum, chance) => sum + chance, 0); });
      const top = path(below);
      return [Seats.tint(draw("path", { class: "band", d: `M${top.join("L")}L${bottom.reverse().join("L")}Z` }), seat), line("chance", seat, `M${top.join("L")}`)];
    });
    return [...bands.map(([band]) => band), ...bands.slice(0, -1).map(([, edge]) => edge), draw("path", { class: "swing", d: swings.map(({ move }) => `M${x(move)} 0V100`).join("") })];
  }

  /** The chances at a frame in words: those of the last frame before it that was estimated. */
  function words({ points, playouts }, frame) {
    const [at, chances, errors] = points.filter(([number]) => number <= frame).pop();
    const seats = chances.map((chance, seat) => `${Words.name(seat)} ${percent(chance)}${errors[seat] ? ` ± ${percent(errors[seat])}` : ""}`);
    const title = at === frame ? t("chance to win") : t("chance to win at move {0}", at);
    return [`${title}: ${seats.join(", ")}`, ...(errors.some(Boolean) ? [t("by {0} playouts", playouts)] : [])].join(", ");
  }

  return { shapes, words };
})();
