"use strict";
// A board with its pieces, drawn from the side of a seat; as board.py draws it in pictures.

const Board = (() => {
  const { make, draw } = Dom;
  const SIDE = 40; // of a square, in the lengths of the drawing
  const EDGE = 14; // around the board, for the names of files and ranks
  const DRAWN = "kqrbnp"; // the pieces of chess that have a drawing

  const signsOf = (board) => Object.fromEntries((board.signs || []).map((sign) => sign.split(" ")));
  const text = (x, y, size, words, kind) => draw("text", { x, y, "font-size": size, "text-anchor": "middle", class: kind }, words);

  /** Return the drawing of a piece in a box of 40 by 40. letter: as in `rows`. turned: whether its side sits above. */
  function piece(letter, set, sign, turned) {
    const promoted = letter.startsWith("+");
    const name = letter.slice(-1);
    const side = name === name.toUpperCase() ? 0 : 1;
    if (letter === "*") return [draw("rect", { x: 3, y: 3, width: 34, height: 34, rx: 4, class: "closed" })];
    if (set === "chess" && !promoted && DRAWN.includes(name.toLowerCase())) return [draw("use", { href: `#art-piece-${name.toLowerCase()}`, class: `man side-${side}` })];
    if (!sign) {
      return [draw("use", { href: "#art-piece-disc", class: `man side-${side}` }), text(20, promoted ? 26 : 27, promoted ? 17 : 20, letter.toUpperCase(), `sign of-${side}`)];
    }
    const shown = sign.length > 1 ? sign[side] : sign;
    const wedge = set === "wedges";
    const colour = wedge ? (promoted ? "raised" : "plain-sign") : `ink-${side}`;
    const parts = [
      draw("use", { href: `#art-piece-${wedge ? "wedge" : "disc"}`, class: "man wood" }),
      text(20, wedge ? 24 : 22.5, 16, shown, `sign ${colour}`), text(20, wedge ? 34.5 : 34, 11, letter.toUpperCase(), `sign ${colour}`),
    ];
    return wedge && turned ? [draw("g", { transform: "rotate(180 20 20)" }, ...parts)] : parts;
  }

  /** Return the lines of a board whose pieces stand on points, or the squares of another one. */
  function ground(board, ranks, files, marks) {
    const at = (file, rank) => ({ x: file * SIDE, y: rank * SIDE, width: SIDE, height: SIDE });
    const marked = marks.map(([file, rank]) => draw("rect", { ...at(file, rank), class: "marked" }));
    const whole = draw("rect", { x: 0, y: 0, width: files * SIDE, height: ranks * SIDE, class: board.look === "squares" ? "light" : "wooden" });
    if (board.look === "squares") {
      const dark = [];
      for (let rank = 0; rank < ranks; rank += 1) for (let file = 0; file < files; file += 1) if ((file + ranks - 1 - rank) % 2 === 0) dark.push(`M${file * SIDE} ${rank * SIDE}h${SIDE}v${SIDE}h-${SIDE}z`);
      return [whole, draw("path", { d: dark.join(""), class: "dark" }), ...marked];
    }
    if (board.look === "plain") {
      const lines = [...Array(files + 1).keys()].map((n) => `M${n * SIDE} 0v${ranks * SIDE}`).concat([...Array(ranks + 1).keys()].map((n) => `M0 ${n * SIDE}h${files * SIDE}`));
      return [whole, ...marked, draw("path", { d: lines.join(""), class: "lines" })];
    }
    return [whole, ...marked, draw("path", { d: points(ranks, files), class: "lines" })];
  }

  /** Return the lines between points; with ten ranks a river in the middle, and a palace at each end. */
  function points(ranks, files) {
    const [half, low, right] = [SIDE / 2, (ranks - 0.5) * SIDE, (files - 0.5) * SIDE];
    const lines = [...Array(ranks).keys()].map((n) => `M${half} ${half + n * SIDE}H${right}`);
    const river = ranks === 10;
    for (let n = 0; n < files; n += 1) {
      const x = half + n * SIDE;
      if (river && n && n < files - 1) lines.push(`M${x} ${half}V${4.5 * SIDE}M${x} ${5.5 * SIDE}V${low}`);
      else lines.push(`M${x} ${half}V${low}`);
    }
    const left = (files / 2 - 1) * SIDE;
    for (const top of [half, low - 2 * SIDE]) lines.push(`M${left} ${top}l${2 * SIDE} ${2 * SIDE}M${left} ${top + 2 * SIDE}l${2 * SIDE} ${-2 * SIDE}`);
    return lines.join("");
  }

  /** Return an element with a board. below: the seat that sits below it. */
  function element(board, below) {
    const rows = board.rows.map((row) => row.split(" "));
    const [ranks, files] = [rows.length, rows[0].length];
    const turned = below === 1;
    const place = (file, rank) => (turned ? [files - 1 - file, ranks - 1 - rank] : [file, rank]);
    const marks = (board.marked || []).map((n) => place(n % files, Math.floor(n / files)));
    const signs = signsOf(board);
    const men = rows.flatMap((row, rank) => row.map((letter, file) => {
      if (letter === ".") return null;
      const [x, y] = place(file, rank);
      const side = letter.slice(-1) === letter.slice(-1).toUpperCase() ? 0 : 1;
      return draw("g", { transform: `translate(${x * SIDE} ${y * SIDE})` }, ...piece(letter, board.pieces, signs[letter.toUpperCase()], side !== (turned ? 1 : 0)));
    }));
    const names = [
      ...[...Array(files).keys()].map((n) => text((place(n, 0)[0] + 0.5) * SIDE, ranks * SIDE + 11, 11, String.fromCharCode(97 + n), "name")),
      ...[...Array(ranks).keys()].map((n) => text(-7, (place(0, n)[1] + 0.5) * SIDE + 4, 11, `${ranks - n}`, "name")),
    ];
    const size = [files * SIDE + EDGE + 2, ranks * SIDE + EDGE + 2];
    return make("div", { class: "board", role: "img", "aria-label": board.rows.join(" / "), style: null },
      draw("svg", { viewBox: `${-EDGE} -2 ${size.join(" ")}`, "aria-hidden": "true" }, ...ground(board, ranks, files, marks), ...names, ...men.filter(Boolean)));
  }

  /** Return the drawing of a piece in a hand. face: its letter, and its sign. */
  function held(face, set) {
    const [letter, sign] = face.split(" ");
    return draw("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, ...piece(letter, set, sign, false));
  }

  return { element, held };
})();
