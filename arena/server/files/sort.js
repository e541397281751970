"use strict";
// Tables that can be sorted by their columns. Without JavaScript they stay in the order of the server.

(() => {
  const chosen = new Map(); // by the name of a table: that of its column, and the direction
  const text = (node) => (node ? node.textContent.trim() : "");
  const tables = () => [...document.querySelectorAll("table[data-sortable]")];

  /** What tells a table from others, also after another one has replaced it: its label, and which of that label it is. */
  function nameOf(table) {
    const label = (each) => each.parentElement.getAttribute("aria-label");
    return `${label(table)} ${tables().filter((each) => label(each) === label(table)).indexOf(table)}`;
  }

  /** The value of a cell: what it has in data-sort, a number, a text, or null if there is nothing in it, which always comes last. */
  function valueOf(cell) {
    const marked = cell.matches("[data-sort]") ? cell : cell.querySelector("[data-sort]");
    if (marked) return Number(marked.dataset.sort);
    const time = cell.querySelector("time[datetime]");
    if (time) return time.dateTime;
    const words = text(cell);
    if (["", "-", "·"].includes(words)) return null;
    const number = words.replace(/^[≈<>~]\s*/, "").replaceAll(",", "").replace("−", "-").replace(/\s*%$/, "");
    return /^[+-]?\d+(\.\d+)?$/.test(number) ? Number(number) : words;
  }

  const compare = (one, other) => (typeof one === "number" && typeof other === "number"
    ? one - other : String(one).localeCompare(String(other), "en", { numeric: true }));

  function sorted(rows, column, direction) {
    const values = new Map(rows.map((row) => [row, valueOf(row.children[column])]));
    return rows.toSorted((one, other) => {
      const [left, right] = [values.get(one), values.get(other)];
      if (left === null || right === null) return (left === null) - (right === null);
      return direction * compare(left, right);
    });
  }

  const headings = (table) => [...table.tHead.rows[0].cells];

  /** What tells a column from others, also of a later table: its heading, and which of that heading it is. */
  function columnName(table, column) {
    const words = headings(table).map(text);
    return `${words[column]} ${words.slice(0, column).filter((each) => each === words[column]).length}`;
  }

  /** Put the rows of a table in the chosen order. Only what is out of place is moved, and the focus stays. */
  function apply(table) {
    const order = chosen.get(nameOf(table));
    const body = table.tBodies[0];
    const column = order ? headings(table).findIndex((_, n) => columnName(table, n) === order.column) : -1;
    table.toggleAttribute("data-sorted", column >= 0);
    headings(table).forEach((th, n) => {
      if (n === column) th.setAttribute("aria-sort", order.direction > 0 ? "ascending" : "descending");
      else th.removeAttribute("aria-sort");
    });
    if (column < 0) return;
    const focused = body.contains(document.activeElement) ? document.activeElement : null;
    sorted([...body.rows], column, order.direction).forEach((row, n) => {
      if (body.rows[n] !== row) body.insertBefore(row, body.rows[n] || null);
    });
    if (focused && focused !== document.activeElement) focused.focus({ preventScroll: true });
  }

  /** The direction in which a column is sorted first: as the server has it, or else the largest numbers at the top. */
  function firstDirection(table, column) {
    const rows = [...table.tBodies[0].rows];
    if (sorted(rows, column, 1).every((row, n) => row === rows[n])) return 1;
    return rows.some((row) => typeof valueOf(row.children[column]) === "number") ? -1 : 1;
  }

  function press(table, th) {
    const column = headings(table).indexOf(th);
    const before = chosen.get(nameOf(table));
    const name = columnName(table, column);
    const direction = before && before.column === name ? -before.direction : Number(th.dataset.first);
    chosen.set(nameOf(table), { column: name, direction });
    act(() => apply(table));
  }

  /** Give the headings of a table buttons. */
  function enable(table) {
    table.dataset.ready = "";
    headings(table).forEach((th, column) => {
      if (!text(th) || th.querySelector("svg")) return;
      th.dataset.first = firstDirection(table, column);
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...th.childNodes);
      button.onclick = () => press(table, th);
      th.append(button);
    });
  }

  function all() {
    for (const table of tables()) {
      if (!table.tBodies[0] || table.tBodies[0].rows.length < 2) continue;
      if (!("ready" in table.dataset)) enable(table);
      if (chosen.has(nameOf(table))) apply(table);
    }
  }

  // Live pages replace rows and whole tables: the chosen order stays.
  const watcher = new MutationObserver(() => act(all));
  function act(change) {
    watcher.disconnect();
    change();
    watcher.observe(document.body, { childList: true, subtree: true });
  }
  act(all);
})();
