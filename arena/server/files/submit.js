"use strict";
// Submitting a bot: the file is sent unchanged; the page of the hand-in shows its check.

(() => {
  const { byId } = Dom;

  function showError(error) {
    byId("send").disabled = false;
    byId("error").textContent = error.message;
  }

  async function send(file) {
    const most = Number(byId("submit").dataset.maxBytes);
    if (file.size > most) throw new Error(`${file.name} is too large: at most ${most} bytes are accepted`);
    const query = new URLSearchParams({ name: byId("name").value, file: file.name });
    if (byId("practice-only").checked) query.set("practice_only", "true");
    const headers = { "content-type": "application/octet-stream", accept: "application/json" };
    const answer = await fetch(`/submit?${query}`, { method: "POST", body: file, headers });
    const values = await answer.json();
    if (!answer.ok) throw new Error(values.error || answer.statusText);
    location.assign(values.address);
  }

  byId("submit").onsubmit = (event) => {
    event.preventDefault();
    byId("send").disabled = true;
    byId("error").textContent = "";
    send(byId("file").files[0]).catch(showError);
  };
})();
