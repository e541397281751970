"use strict";
// The seats: where each stands around the table, and its colour, which is the same wherever the seat appears.

const Seats = (() => {
  const { make } = Dom;
  const COLOURS = 10; // in base.css; later seats begin again, and are told apart by their numbers and the dashes of their lines

  /** Give an element the colour of a seat. */
  function tint(element, seat) {
    element.style.setProperty("--seat", `var(--seat-${seat % COLOURS})`);
    return element;
  }

  /** Return the name of a seat with its colour. */
  const label = (seat) => {
    const [before, after] = t("seat {0}", "\u0000").split("\u0000");
    const word = (text) => (text ? make("span", { class: "word" }, text) : null);
    return tint(make("span", { class: "seat", title: t("seat {0}", seat) }, word(before), `${seat}`, word(after)), seat);
  };

  /** Return the name of the bot that holds a seat, with its colour. */
  const named = (seat) => tint(make("span", { class: "seat named", title: t("seat {0}", seat) }, Words.name(seat)), seat);

  /** Return a text of the game as nodes, with the name and colour of each seat of which it speaks. */
  const told = (text) => Words.pieces(text).map((piece) => (typeof piece === "number" ? named(piece) : piece));

  /** The same on a table, where the names stand at the places: with the number of each seat. pieces: as of `Words.pieces`. */
  const marked = (pieces) => pieces.map((piece) => (typeof piece === "number" ? label(piece) : piece));

  // Two tables: wide, and as high as wide. Widths and heights are in parts of the table's width.
  // widest: of the only place in its row, as the corners beside it are free. high: of a row, in percent, where one seat
  // stands at each side: what is between them must be seen on a phone.
  const TABLES = {
    wide: { width: 1, height: 0.55, widest: 0.72, side: (seats) => (seats > 12 ? 0.2 : 0.29) },
    tall: { width: 1, height: 1, widest: 1, high: 29, side: () => 0.3 },
  };
  const FLAT = 1.6; // how much wider than high a place may be before width is of no more use
  const BESIDE = 1.25; // how much better a table with seats at its sides looks
  const HIGH = 36; // percent of the table, for places above and below a middle without seats at its sides

  /** Return how many seats stand at the bottom, at each side and at the top, so that the smallest place is largest. */
  function division(seats, { width, height, side: sideWidth }) {
    let best = { value: 0 };
    for (let bottom = 1; bottom < seats; bottom += 2) {
      for (let side = 0; bottom + 2 * side < seats; side += 1) {
        const top = seats - bottom - 2 * side;
        const low = (FLAT * height) / Math.max(3, side + 2);
        const widths = [width / top, width / bottom, ...(side ? [width * sideWidth(seats)] : [])];
        const value = Math.min(low, ...widths) * (side ? BESIDE : 1);
        if (value > best.value + 1e-9 || (value > best.value - 1e-9 && low > best.low)) best = { value, low, bottom, side, top };
      }
    }
    return best;
  }

  /** Return the box of each seat, from the one at the bottom on clockwise, and of the middle: x, y, width, height in percent. */
  function boxes(seats, shape) {
    const { bottom, side, top } = division(seats, shape);
    const rows = Math.max(3, side + 2);
    const height = side === 1 && shape.high ? shape.high : side ? 100 / rows : HIGH;
    const beside = 100 * shape.side(seats);
    const low = side ? (100 - 2 * height) / side : 0;
    const row = (count, y, n) => {
      const width = Math.min(100 / count, 100 * shape.widest);
      return [50 + (n - (count - 1) / 2) * width - width / 2, y, width, height];
    };
    const left = Array.from({ length: side }, (_, n) => [0, 100 - height - (n + 1) * low, beside, low]);
    const right = Array.from({ length: side }, (_, n) => [100 - beside, height + n * low, beside, low]);
    const own = (bottom - 1) / 2;
    const below = Array.from({ length: bottom }, (_, n) => row(bottom, 100 - height, n));
    const above = Array.from({ length: top }, (_, n) => row(top, 0, n));
    const order = [...below.slice(0, own + 1).reverse(), ...left, ...above, ...right, ...below.slice(own + 1).reverse()];
    const inset = side ? beside : 0;
    return { order, middle: [inset, height, 100 - 2 * inset, 100 - 2 * height] };
  }

  function put(element, name, box) {
    ["x", "y", "w", "h"].forEach((side, n) => element.style.setProperty(`--${name}-${side}`, `${box[n].toFixed(3)}%`));
  }

  // Beside a board two seats have what it leaves: one below the other, or a strip above it and one below.
  const BESIDE_BOARD = {
    wide: { order: [[68, 50, 32, 50], [68, 0, 32, 50]], middle: [0, 0, 68, 100] },
    tall: { order: [[0, 88, 100, 12], [0, 0, 100, 12]], middle: [0, 12, 100, 76] },
  };

  /** Place the elements of the seats around the middle. first: the seat at the bottom. hasBoard: whether a board lies there. */
  function place(places, middle, first, hasBoard) {
    for (const [name, shape] of Object.entries(TABLES)) {
      const table = hasBoard ? BESIDE_BOARD[name] : boxes(places.length, shape);
      places.forEach((element, seat) => put(element, name, table.order[(seat - first + places.length) % places.length]));
      put(middle, name, table.middle);
      middle.toggleAttribute("data-wide", table.middle[0] === 0); // the last one is the narrower table
    }
    places.forEach(tint);
  }

  return { tint, label, named, told, marked, place };
})();
