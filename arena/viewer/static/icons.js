"use strict";
// Icons of cards, dice and chips, as SVG paths in a box of 24 by 24.

const Icons = (() => {
  const { draw } = Dom;

  const PATHS = {
    cuckoo: ["M3 13c3-1 4-4 7-5 1-3 5-4 7-2l4 1-3 2c0 5-3 9-8 9H7l-4 4 2-6z", "M15.4 7.2a.9.9 0 1 0 .01 0z"],
    human: ["M12 3a3.2 3.2 0 1 1-.01 0z", "M6 21c0-7 2-10 6-10s6 3 6 10z"],
    hunter: ["M12 5a3 3 0 1 1-.01 0z", "M6.5 5.2h11l-2.4-1.4L12 1.8 8.9 3.8z", "M6 21c0-7 2-9.5 6-9.5s6 2.5 6 9.5z", "M18.5 8v13h1.2V8z"],
    horse: ["M7 21c0-5 3-6 3-9-2 1-4 2-5 2l-1-2c2-2 3-5 6-7l1-3 2 2.5c5 1 7 6 7 16.5z", "M11.4 7.2a.8.8 0 1 0 .01 0z"],
    cat: ["M4 3l4 3.5h8L20 3v10c0 5-3.5 8-8 8s-8-3-8-8z", "M8.7 11a1.2 1.2 0 1 0 .01 0z", "M15.3 11a1.2 1.2 0 1 0 .01 0z", "M10.8 15.5h2.4L12 17z"],
    house: ["M12 3l10 9h-3v9H5v-9H2z", "M10 21v-6h4v6z"],
    inn: ["M12 3l10 9h-3v9H5v-9H2z", "M10 21v-6h4v6z", "M10.5 9.5h3v3h-3z"],
    nulla: ["M12 3c5 0 7 4 7 9s-2 9-7 9-7-4-7-9 2-9 7-9z", "M12 6.5c-2.5 0-3.5 2.5-3.5 5.5s1 5.5 3.5 5.5 3.5-2.5 3.5-5.5-1-5.5-3.5-5.5z"],
    bucket: ["M4 8h16l-2 13H6z", "M6.5 8C7 1.5 17 1.5 17.5 8h-1.6c-.4-4.3-7.4-4.3-7.8 0z"],
    mask: ["M3 5c6 2 12 2 18 0 1 9-3 16-9 16S2 14 3 5z", "M6 10.5c1.5-1.5 3-1.5 4.2 0-1.2 1.2-3 1.2-4.2 0z", "M13.8 10.5c1.2-1.5 2.7-1.5 4.2 0-1.2 1.2-3 1.2-4.2 0z", "M9 16h6c-1 1.7-5 1.7-6 0z"],
    lion: ["M12 1.5l2.6 2.3 3.4-.4.8 3.3 3 1.8-1.4 3.2 1.4 3.2-3 1.8-.8 3.3-3.4-.4L12 22l-2.6-2.4-3.4.4-.8-3.3-3-1.8 1.4-3.2-1.4-3.2 3-1.8.8-3.3 3.4.4z", "M9.3 9.5a1.1 1.1 0 1 0 .01 0z", "M14.7 9.5a1.1 1.1 0 1 0 .01 0z", "M10 14h4l-2 2.6z"],
    fool: ["M12 11c-1-5-4-7-9-5 3 1 3 4 3 9h12c0-5 0-8 3-9-5-2-8 0-9 5z", "M6 16.5h12V20H6z"],
    coins: ["M12 2a10 10 0 1 1-.01 0z", "M12 5a7 7 0 1 0 .01 0z", "M12 7.5l1.3 3.2L16.5 12l-3.2 1.3L12 16.5l-1.3-3.2L7.5 12l3.2-1.3z"],
    cups: ["M5 3h14c0 6-2 10-5.5 11v4H17v3H7v-3h3.5v-4C7 13 5 9 5 3z"],
    swords: ["M12 1l2.2 4v9h3.3v2.3h-4v5.2h-3v-5.2h-4V14h3.3V5z"],
    clubs: ["M10.5 22L9 12C6 10 6 3 12 2c6 1 6 8 3 10l-1.5 10z", "M11 5.5h2V8h-2z"],
    skull: ["M12 2.5c5 0 8.5 3.3 8.5 8 0 3-1.3 5-3.5 6.3V21H7v-4.2C4.8 15.5 3.5 13.5 3.5 10.5c0-4.7 3.5-8 8.5-8z", "M8.5 9.2a2 2 0 1 0 .01 0z", "M15.5 9.2a2 2 0 1 0 .01 0z", "M12 13.5l-1.3 2.5h2.6z"],
  };

  const SPOTS = {
    1: [[12, 12]],
    2: [[7, 7], [17, 17]],
    3: [[7, 7], [12, 12], [17, 17]],
    4: [[7, 7], [17, 7], [7, 17], [17, 17]],
    5: [[7, 7], [17, 7], [12, 12], [7, 17], [17, 17]],
    6: [[7, 6.5], [17, 6.5], [7, 12], [17, 12], [7, 17.5], [17, 17.5]],
  };

  const box = (attributes, ...children) => draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", ...attributes }, ...children);

  /** Return the picture of that name, or null where there is none. */
  function picture(name) {
    if (!(name in PATHS)) return null;
    return box({}, draw("path", { d: PATHS[name].join(""), fill: "currentColor", "fill-rule": "evenodd" }));
  }

  /** Return a die with that face up; without a face one that nobody sees. */
  function die(face, skull) {
    const back = draw("rect", {
      x: 1.5, y: 1.5, width: 21, height: 21, rx: 4.5, "stroke-width": 1,
      fill: face ? "var(--card)" : "var(--back)", stroke: face ? "var(--card-line)" : "var(--card)",
    });
    if (!face) {
      const mark = draw("text", { x: 12, y: 17, "text-anchor": "middle", "font-size": 14, "font-weight": 700, fill: "var(--card)" }, "?");
      return box({ class: "die" }, back, mark);
    }
    if (skull) {
      const head = draw("path", { d: PATHS.skull.join(""), fill: "var(--card-ink)", "fill-rule": "evenodd", transform: "translate(3.6 3.6) scale(.7)" });
      return box({ class: "die" }, back, head);
    }
    return box({ class: "die" }, back, ...(SPOTS[face] || []).map(([cx, cy]) => draw("circle", { cx, cy, r: 2.1, fill: "var(--card-ink)" })));
  }

  /** Return a chip. */
  const chip = () => box(
    { class: "chip" },
    draw("circle", { cx: 12, cy: 12, r: 10.5, fill: "var(--gold)" }),
    draw("circle", { cx: 12, cy: 12, r: 8.3, fill: "none", stroke: "var(--card)", "stroke-width": 2.2, "stroke-dasharray": "3.3 3.2" }),
  );

  /** Return a token. */
  const token = () => box(
    { class: "token" },
    draw("circle", { cx: 12, cy: 12, r: 10.5, fill: "var(--card)", stroke: "var(--gold)", "stroke-width": 3 }),
    draw("circle", { cx: 12, cy: 12, r: 4, fill: "var(--gold)" }),
  );

  return { picture, die, chip, token };
})();
