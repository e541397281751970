"use strict";
// The form that asks for an analysis: of the chances to win in a match, from the perspective that is shown, or of the costliest
// decisions of a bot. It tells how far that is, and loads the page again once there is a result.

(() => {
  const { byId } = Dom;
  const form = byId("analyse");
  const PAUSE = 1500; // milliseconds between two looks
  const seat = () => Address.parameters().get("seat") || "";
  let following = null; // the seat of the analysis that is followed

  const tell = (words) => { byId("analysis").textContent = words; };

  function words({ state, done, total, before, sentence, unit }) {
    if (state === "failed") return t("The analysis failed: {0}", sentence);
    if (state === "running" && total) return unit === "moves" ? t("{0} of {1} moves estimated", done, total) : `${done} of ${total} ${unit}`;
    if (state === "running") return t("begins");
    return before ? t("others before it: {0}", before) : t("begins");
  }

  async function read(answer) {
    const data = await answer.json();
    if (!answer.ok) throw new Error(data.error || answer.statusText);
    return data;
  }

  async function follow(data, of) {
    if (following !== of) return;
    if (data.state === "stored" || data.state === "none") {
      location.reload();
      return;
    }
    tell(words(data));
    if (data.state === "failed") {
      following = null;
      return;
    }
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
    await follow(await read(await fetch(`${form.action}?seat=${of}`)), of);
  }

  form.onsubmit = async (event) => {
    event.preventDefault();
    const of = seat();
    following = of;
    try {
      await follow(await read(await fetch(form.action, { method: "POST", body: new URLSearchParams({ seat: of }) })), of);
    } catch (error) {
      following = null;
      tell(error.message);
    }
  };

  if (byId("analysis").dataset.open !== undefined) { // it was asked for before the page was loaded
    following = "";
    fetch(form.action).then(read).then((data) => follow(data, "")).catch((error) => tell(error.message));
  }
})();
