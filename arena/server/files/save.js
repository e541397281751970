// Save the shown position: as a scenario file, as a question file, or as a picture of the table. Loaded when it is needed.

/** Return the rules of the page's style sheets that apply to its present size and theme, without media queries. */
function styleText(rules) {
  return [...rules].map((rule) => {
    if (!(rule instanceof CSSMediaRule)) return rule.cssText;
    return matchMedia(rule.conditionText).matches ? styleText(rule.cssRules) : "";
  }).join("\n");
}

/** Return the table as an SVG document of the size in which it is shown, with the drawings and styles that it needs. */
function picture(table) {
  const { width, height } = table.getBoundingClientRect();
  const size = { width: Math.round(width), height: Math.round(height) };
  const copy = table.cloneNode(true);
  for (const flying of copy.querySelectorAll(".flying")) flying.remove();
  for (const item of copy.querySelectorAll("[style*=visibility]")) item.style.visibility = "";
  Object.assign(copy.style, { width: `${size.width}px`, height: `${size.height}px` });
  const used = new Set([...copy.querySelectorAll("use")].map((use) => use.getAttribute("href").slice(1)));
  for (const id of [...used]) { // drawings are made of others
    const drawing = document.getElementById(id);
    for (const part of drawing ? drawing.querySelectorAll("use") : []) used.add(part.getAttribute("href").slice(1));
  }
  const drawings = [...used].map((id) => document.getElementById(id)).filter(Boolean).map((drawing) => drawing.cloneNode(true));
  const svg = Dom.draw("svg", { xmlns: "http://www.w3.org/2000/svg", ...size, viewBox: `0 0 ${size.width} ${size.height}`, "data-theme": document.documentElement.dataset.theme },
    Dom.draw("style", {}, [...document.styleSheets].map((sheet) => styleText(sheet.cssRules)).join("\n")),
    Dom.draw("defs", {}, ...drawings),
    Dom.draw("foreignObject", size, Dom.make("div", { class: "stage" }, copy)));
  for (const property of ["font", "color"]) copy.style.setProperty(property, getComputedStyle(table)[property]);
  return { text: new XMLSerializer().serializeToString(svg), ...size };
}

/** Return a PNG of an SVG document, in the resolution of the screen, at least twice as fine as its units. */
async function pixels({ text, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.max(2, devicePixelRatio);
  const canvas = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, "image/png"); });
}

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  Dom.make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Save the position that a stage shows. form: scenario, question, svg or png. Raises an Error if that is impossible. */
export async function save(form, stage) {
  const { source, frame, perspective, table, replay } = stage;
  const name = `match-${replay.match}-move-${frame}`;
  if (form === "svg") return download(new Blob([picture(table).text], { type: "image/svg+xml" }), `${name}.svg`);
  if (form === "png") return download(await pixels(picture(table)), `${name}.png`);
  let address;
  if (form === "scenario") {
    const move = perspective === null ? frame : await source.moment(frame, perspective, null);
    address = `${source.base}/scenario?move=${move}`;
  } else {
    const ply = await source.answer(frame, perspective);
    if (ply === undefined) throw new Error(t("nobody was asked here"));
    address = source.questionAddress(ply);
  }
  const answer = await fetch(address);
  if (!answer.ok) throw new Error((await answer.json()).error || answer.statusText);
  return download(await answer.blob(), `${name}.${form === "scenario" ? "toml" : "json"}`);
}
