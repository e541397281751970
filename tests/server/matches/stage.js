async (every) => {
  // Go through the frames of a replay; return what is wrong with the stage in each, as sentences.
  // every: look at each so many frames; with 1 the events between them are looked at, too.
  const NEAR = 1; // pixels: boxes end between pixels
  const wrong = [];
  const stage = document.getElementById("table");
  const box = (element) => element.getBoundingClientRect();
  const inside = (inner, outer) => inner.left >= outer.left - NEAR && inner.top >= outer.top - NEAR && inner.right <= outer.right + NEAR && inner.bottom <= outer.bottom + NEAR;
  const apart = (a, b) => a.right <= b.left + NEAR || b.right <= a.left + NEAR || a.bottom <= b.top + NEAR || b.bottom <= a.top + NEAR;
  const told = (element) => `${element.className} "${element.textContent.trim().slice(0, 30)}"`;
  const shows = (element, x, y) => { const top = document.elementFromPoint(x, y); return Boolean(top) && (element === top || element.contains(top)); };
  const PATIENCE = 30_000; // milliseconds until something is shown
  const forward = document.getElementById("step");
  const place = (element) => { const { x, y, width, height } = box(element); return [x, y, width, height].join(); };
  const first = place(forward);

  function look(moment) {
    const say = (words) => wrong.push(`${moment}: ${words}`);
    const root = document.documentElement;
    if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) say(`the page scrolls: ${root.scrollWidth} x ${root.scrollHeight}`);
    if (place(forward) !== first) say(`the forward button moves from ${first} to ${place(forward)}`);
    for (const control of document.querySelectorAll(".transport > *, .head > *")) {
      if (control.checkVisibility() && box(control).right > innerWidth) say(`outside the window: ${control.id || control.className}`);
    }
    const areas = [...stage.querySelectorAll(".place, .middle")];
    areas.forEach((area, n) => {
      const here = box(area);
      if (!inside(here, box(stage))) say(`not on the stage: ${told(area)}`);
      for (const other of areas.slice(n + 1)) if (!apart(here, box(other))) say(`${told(area)} overlaps ${told(other)}`);
      for (const part of area.querySelectorAll(".who, .facts, .lines, .where, .zone")) {
        if (part.checkVisibility() && !inside(box(part), here)) say(`reaches out of its place: ${told(part)}`);
      }
      for (const name of area.querySelectorAll(".who .seat")) {
        const { left, top, height } = box(name);
        if (!shows(area, left + 3, top + height / 2)) say(`covered: ${told(area)}`);
      }
      for (const zone of area.querySelectorAll(".zone:not(.texts)")) { // long lists of words scroll
        for (const item of zone.querySelector(".items").children) {
          const face = item.firstElementChild;
          const it = box(face);
          if (!inside(it, box(zone))) say(`clipped: ${zone.dataset.zone} ${told(face)} of ${told(area)}`);
          else if (it.width < 5 || it.height < 5) say(`too small: ${zone.dataset.zone} ${told(face)}: ${it.width} x ${it.height}`);
          else if (!shows(item, it.left + 0.5, it.top + it.height / 2)) say(`covered: ${zone.dataset.zone} ${told(face)} of ${told(area)} at ${it.left}, ${it.top}`);
        }
      }
    });
  }

  /** Do something, and wait until a frame is shown. */
  function after(act) {
    return new Promise((done, fail) => {
      const overdue = setTimeout(() => fail(new Error(`nothing is shown after ${Address.hash()}`)), PATIENCE);
      addEventListener("frameshown", () => { clearTimeout(overdue); done(); }, { once: true });
      act();
    });
  }

  const field = document.getElementById("number");
  const last = Number(document.getElementById("last").textContent);
  const choose = (frame) => after(() => { field.value = frame; field.dispatchEvent(new Event("change")); });
  await choose(0);
  look(Address.hash());
  if (every === 1) {
    while (!Address.hash().startsWith(`#move=${last}`) || Address.hash().includes("event=")) {
      await after(() => forward.click());
      look(Address.hash());
    }
  } else {
    for (let frame = every; frame <= last; frame += every) {
      await choose(frame);
      look(Address.hash());
    }
  }
  return wrong;
}
