"use strict";
// Details on request: the output of a bot, and the verification of the record.

const Details = (() => {
  const { byId, make } = Dom;
  const RECORD_CORRECT = t("verified: the recorded answers lead to this log, these scores and these ranks");

  /** Show the output of a bot: of the chosen seat, or of the seat whose perspective is shown. */
  async function showOutput(source, perspective) {
    if (!byId("output").open) return;
    const seat = perspective === null ? Number(byId("whose").value) : perspective;
    byId("whose").value = String(seat);
    byId("whose").disabled = perspective !== null;
    let text;
    try {
      text = (await source.output(seat)).text || t("There is no output to show.");
    } catch (error) {
      text = error.message;
    }
    if (byId("whose").value === String(seat)) byId("printed").textContent = text; // answers may come in another order
  }

  /** Verify the record and show the result. */
  async function verify(source) {
    const box = byId("verdict");
    box.textContent = t("verifying …");
    box.removeAttribute("data-true");
    try {
      const answer = await source.verdict();
      box.textContent = answer.wrong.length ? t("verification failed: {0}", answer.wrong.join("; ")) : [RECORD_CORRECT, ...answer.remarks].join("; ");
      box.dataset.true = String(!answer.wrong.length);
    } catch (error) {
      box.textContent = error.message;
    }
  }

  /** Copy the command that asks the question of a frame again; where there is a server, offer its file. */
  async function askAgain(source, replay, perspective, frame) {
    const box = byId("asked");
    box.textContent = "";
    try {
      const ply = await source.answer(frame, perspective);
      if (ply === undefined) throw new Error(t("nobody was asked here"));
      const command = `arena match --from ${replay.match} --move ${ply}`;
      const file = source.questionAddress(ply);
      const copied = await navigator.clipboard.writeText(command).then(() => t("copied: {0}", command), () => command);
      box.replaceChildren(copied, ...(file ? [" · ", make("a", { href: file, download: "" }, t("question file"))] : []));
    } catch (error) {
      box.textContent = error.message;
    }
  }

  return { showOutput, verify, askAgain };
})();
