"use strict";
// Submitting a bot: the file is sent unchanged; the progress and report of its check are shown as text.

(() => {
  const { byId, make } = Dom;
  const PAUSE = 700; // milliseconds between two requests

  async function request(path, how) {
    const answer = await fetch(path, how || { headers: { accept: "application/json" } });
    const status = await answer.json();
    if (!answer.ok) throw new Error(status.error || answer.statusText);
    return status;
  }

  const row = (step) => make("tr", { class: step.verdict }, make("td", { class: "number" }, `${step.number}`),
    make("td", {}, step.title), make("td", {}, step.verdict), make("td", {}, step.sentence));

  const finding = (key) => (found, index) => make("li", {}, `${found.step}: ${found.sentence} `,
    make("a", { href: `/submissions/${key}/questions/${index + 1}`, download: "" }, "question"),
    found.has_log ? " · " : null,
    found.has_log ? make("a", { href: `/submissions/${key}/logs/${index + 1}`, download: "" }, "log of the match") : null);

  function show(status, key) {
    byId("result").hidden = false;
    byId("verdict").textContent = status.over ? status.sentence : `${status.name} is being checked …`;
    byId("verdict").className = status.over ? (status.accepted ? "accepted" : "refused") : "";
    if (status.accepted) byId("verdict").append(" · ", make("a", { href: `/bots/${status.name}` }, "open its page"));
    byId("progress").replaceChildren(...(status.over ? [] : status.progress.map((line) => make("li", {}, line))));
    byId("steps").replaceChildren(...(status.report ? status.report.steps : []).map(row));
    const found = status.found || [];
    byId("findings").replaceChildren(...found.map(finding(key)));
    byId("found").hidden = !found.length;
    const output = status.report ? status.report.output.join("\n") : "";
    byId("output").textContent = output;
    byId("output").hidden = !output;
  }

  function showError(error) {
    byId("send").disabled = false;
    show({ over: true, accepted: false, sentence: error.message });
  }

  async function follow(key) {
    const status = await request(`/submissions/${key}`);
    show(status, key);
    if (status.over) byId("send").disabled = false;
    else setTimeout(() => follow(key).catch(showError), PAUSE);
  }

  async function send(file) {
    if (file.size > Number(byId("submit").dataset.maxBytes)) throw new Error(`${file.name} is too large: at most ${byId("submit").dataset.maxBytes} bytes are accepted`);
    const query = new URLSearchParams({ name: byId("name").value, file: file.name });
    const headers = { "content-type": "application/octet-stream", accept: "application/json" };
    const { key } = await request(`/submit?${query}`, { method: "POST", body: file, headers });
    await follow(key);
  }

  byId("submit").onsubmit = (event) => {
    event.preventDefault();
    byId("send").disabled = true;
    send(byId("file").files[0]).catch(showError);
  };
})();
