"use strict";
// Handing in a bot: the file is sent as it is, and what is told of its check is shown as text.

(() => {
  const { byId, make } = Dom;
  const PAUSE = 700; // milliseconds between two looks

  async function ask(path, how) {
    const answer = await fetch(path, how || { headers: { accept: "application/json" } });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.error || answer.statusText);
    return told;
  }

  const row = (step) => make("tr", { class: step.verdict }, make("td", { class: "number" }, `${step.number}`),
    make("td", {}, step.title), make("td", {}, step.verdict), make("td", {}, step.sentence));

  function show(told) {
    byId("result").hidden = false;
    byId("verdict").textContent = told.over ? told.sentence : `${told.name} is checked …`;
    byId("verdict").className = told.over ? (told.accepted ? "accepted" : "refused") : "";
    if (told.accepted) byId("verdict").append(" · ", make("a", { href: `/bots/${told.name}` }, "its page"));
    byId("said").replaceChildren(...(told.over ? [] : told.said.map((line) => make("li", {}, line))));
    byId("steps").replaceChildren(...(told.report ? told.report.steps : []).map(row));
    const output = told.report ? told.report.output.join("\n") : "";
    byId("output").textContent = output;
    byId("output").hidden = !output;
  }

  function complain(error) {
    byId("send").disabled = false;
    show({ over: true, accepted: false, sentence: error.message });
  }

  async function follow(key) {
    const told = await ask(`/submissions/${key}`);
    show(told);
    if (told.over) byId("send").disabled = false;
    else setTimeout(() => follow(key).catch(complain), PAUSE);
  }

  async function send(file) {
    if (file.size > Number(byId("submit").dataset.most)) throw new Error(`${file.name} is too large`);
    const query = new URLSearchParams({ name: byId("name").value, file: file.name });
    const headers = { "content-type": "application/octet-stream", accept: "application/json" };
    const { key } = await ask(`/submit?${query}`, { method: "POST", body: file, headers });
    await follow(key);
  }

  byId("submit").onsubmit = (event) => {
    event.preventDefault();
    byId("send").disabled = true;
    send(byId("file").files[0]).catch(complain);
  };
})();
