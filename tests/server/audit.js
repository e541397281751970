(wish) => {
  // What is wrong with a page for somebody who hears it, cannot tell pale from paler, or has no mouse. With the wish
  // "count" it numbers the controls (data-reached) and returns how many there are.
  const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const wrong = [];
  const seen = (each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".skip, dialog:not([open])");
  const all = (what) => [...document.querySelectorAll(what)].filter(seen);
  const told = (each) => `<${each.tagName.toLowerCase()}${each.id ? ` id=${each.id}` : ""} class=${each.getAttribute("class")}> ${each.textContent.trim().slice(0, 30)}`;

  const controls = [...document.querySelectorAll(CONTROLS)].filter((each) =>
    each.type !== "hidden" && !each.disabled && (each.matches(".skip") || seen(each)));
  if (wish === "count") {
    controls.forEach((each, n) => { each.dataset.reached = n; });
    return controls.length;
  }
  for (const each of controls) {
    const labels = [...(each.labels || [])].map((label) => [...label.childNodes].filter((node) => node !== each).map((node) => node.textContent).join("")).join("");
    const name = each.getAttribute("aria-label") || labels || each.getAttribute("title") || (each.matches("input, select") ? "" : each.textContent);
    if (!name.trim()) wrong.push(`has no name: ${told(each)}`);
    if (each.tabIndex !== 0) wrong.push(`is not reached by Tab: ${told(each)}`);
    if (each.matches("div[tabindex], ol[tabindex], pre[tabindex]") && !each.getAttribute("aria-label")) wrong.push(`scrolls without a name: ${told(each)}`);
    if (each.matches("div[tabindex]") && !each.getAttribute("role")) wrong.push(`scrolls without a role: ${told(each)}`);
  }

  if (!["en", "ko", "ja"].includes(document.documentElement.lang)) wrong.push("the page does not say its language");
  if (!document.title) wrong.push("the page has no title");
  if (document.querySelectorAll("main").length !== 1) wrong.push("the page has no main part, or several");
  const headings = all("h1, h2, h3, h4").map((each) => Number(each.tagName[1]));
  if (headings[0] !== 1 || headings.filter((level) => level === 1).length !== 1) wrong.push(`headings ${headings}: one of the first level comes first`);
  headings.forEach((level, n) => { if (n && level > headings[n - 1] + 1) wrong.push(`headings ${headings}: a level is left out`); });
  for (const table of all("table")) {
    const heads = [...table.querySelectorAll("thead th")];
    if (!heads.length) wrong.push(`table without headers: ${told(table)}`);
    if (heads.some((head) => head.scope !== "col")) wrong.push(`header cell that says no column: ${told(table)}`);
    if ([...table.querySelectorAll("tbody th")].some((head) => head.scope !== "row")) wrong.push(`header cell that says no row: ${told(table)}`);
  }
  for (const drawing of all("svg")) {
    const named = drawing.getAttribute("role") === "img" && drawing.getAttribute("aria-label");
    if (!named && !drawing.closest("[aria-hidden=true], [role=img][aria-label]")) wrong.push(`drawing without words: ${told(drawing)}`);
  }
  for (const each of all("meter, progress")) {
    if (!each.getAttribute("aria-label") && !each.labels.length) wrong.push(`gauge without a name: ${told(each)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  for (const id of new Set(ids.filter((each, n) => ids.indexOf(each) !== n))) wrong.push(`id ${id} is there several times`);

  // Contrast by WCAG 2.2, 1.4.3: at least 4.5 to 1, for large letters 3 to 1.
  const parsed = new Map();
  function colour(text) {
    if (!parsed.has(text)) {
      const words = text.match(/-?[\d.]+(?:e-?\d+)?/g).map(Number);
      const unit = text.startsWith("color(") ? 1 : 255;
      parsed.set(text, [...words.slice(0, 3).map((each) => each / unit), words.length > 3 ? words[3] : 1]);
    }
    return parsed.get(text);
  }
  const over = ([r, g, b, a], under, opacity = 1) => [r, g, b].map((each, n) => each * a * opacity + under[n] * (1 - a * opacity));
  function shown(element) {
    const chain = [];
    for (let each = element; each; each = each.parentElement) chain.unshift(each);
    let under = [1, 1, 1];
    const faded = [];
    for (const each of chain) {
      const look = getComputedStyle(each);
      if (Number(look.opacity) < 1) faded.unshift([Number(look.opacity), under]);
      under = over(colour(look.backgroundColor), under);
    }
    const look = getComputedStyle(element);
    let ink = over(colour(element.closest("svg") ? look.fill : look.color), under);
    for (const [opacity, behind] of faded) {
      ink = over([...ink, 1], behind, opacity);
      under = over([...under, 1], behind, opacity);
    }
    return [ink, under];
  }
  const light = (rgb) => {
    const [r, g, b] = rgb.map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const pale = new Set();
  for (const element of all("body *")) {
    if (element.closest("option, [disabled], script, style") || element.closest("select") !== null && !element.matches("select")) continue;
    const worded = element.matches("input, select") || [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!worded || element.matches("title, desc")) continue;
    const [ink, under] = shown(element);
    const [a, b] = [light(ink), light(under)].sort((x, y) => y - x);
    const look = getComputedStyle(element);
    const size = parseFloat(look.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(look.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    const kind = `${element.tagName.toLowerCase()}.${element.getAttribute("class") || ""} in ${element.parentElement.getAttribute("class") || element.parentElement.tagName.toLowerCase()}`;
    if (ratio < (large ? 3 : 4.5)) pale.add(`contrast ${ratio.toFixed(2)}: ${kind} "${(element.textContent || element.value || "").trim().slice(0, 20)}"`);
  }
  wrong.push(...pale);
  return wrong;
}
