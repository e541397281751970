"use strict";
// The legal moves that were not played are buttons: a click offers to have the match played on from that move.

(() => {
  const { byId, make } = Dom;
  const root = byId("replay");
  const source = new Source.Remote(root.dataset.base);

  /** Show the dialog that offers a move. answer: the number of the recorded answer. choice: the place of the move. */
  function offer(seat, move, answer, choice) {
    const dialog = make("dialog", { class: "what-if", "aria-label": t("what if") },
      make("h2", {}, t("What if {0} had answered {1}?", Words.name(Number(seat)), move)),
      make("p", {}, t("The match goes on with the recorded answers as far as they fit, then with bots: {0}.", root.dataset.whatIf), " ",
        t("It is kept for a while, and stored nowhere.")),
      make("form", { method: "post", action: `${root.dataset.base}/what-if` },
        make("input", { type: "hidden", name: "answer", value: answer }),
        make("input", { type: "hidden", name: "choice", value: choice }),
        make("button", { class: "main" }, t("play it on")), " ",
        make("button", { type: "button", class: "close" }, t("cancel"))));
    dialog.querySelector("form").onsubmit = () => { dialog.querySelector("button.main").disabled = true; };
    dialog.querySelector(".close").onclick = () => dialog.close();
    dialog.onclose = () => dialog.remove();
    root.append(dialog);
    dialog.showModal();
  }

  async function chosen(button) {
    const { seat, choice } = button.dataset;
    const parameters = Address.parameters();
    const perspective = parameters.get("seat") === null ? null : Number(parameters.get("seat"));
    try {
      const answer = await source.answer(Number(parameters.get("move")), perspective, Number(seat));
      if (answer !== undefined) offer(seat, button.textContent, answer, choice);
    } catch (error) {
      byId("asked").textContent = error.message;
    }
  }

  /** Make the moves that were not played buttons. */
  addEventListener("frameshown", () => {
    for (const answer of byId("question").querySelectorAll(".answer[data-seat]")) {
      [...answer.querySelectorAll(".moves li")].forEach((item, choice) => {
        if (item.hasAttribute("aria-current")) return;
        const move = item.textContent;
        item.replaceChildren(make("button", { type: "button", "data-seat": answer.dataset.seat, "data-choice": choice, title: t("what if: {0}", move) }, move));
      });
    }
  });

  byId("question").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-choice]");
    if (button) chosen(button);
  });
})();
