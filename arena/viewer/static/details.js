"use strict";
// What is asked for beside the match: what a bot printed, and whether the record is true.

const Told = (() => {
  const { byId } = Dom;
  const TRUE = "true: by the rules the recorded answers lead to this log, these scores and these ranks";

  /** Show what the bot of a seat printed. eye: whose eyes we see with: then it is that seat's, and no other's. */
  async function output(source, eye) {
    if (!byId("output").open) return;
    const seat = eye === null ? Number(byId("whose").value) : eye;
    byId("whose").value = String(seat);
    byId("whose").disabled = eye !== null;
    try {
      const told = await source.output(seat);
      byId("printed").textContent = told.text || "It printed nothing that is shown here.";
    } catch (error) {
      byId("printed").textContent = error.message;
    }
  }

  async function verdict(source) {
    const box = byId("verdict");
    box.textContent = "checking…";
    box.removeAttribute("data-true");
    try {
      const told = await source.verdict();
      box.textContent = told.wrong.length ? `not true: ${told.wrong.join("; ")}` : [TRUE, ...told.remarks].join("; ");
      box.dataset.true = String(!told.wrong.length);
    } catch (error) {
      box.textContent = error.message;
    }
  }

  return { output, verdict };
})();
