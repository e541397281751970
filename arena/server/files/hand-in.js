"use strict";
// A hand-in that is checked: each step as it is finished.

(() => {
  const { byId } = Dom;
  const part = byId("hand-in");
  const source = new EventSource(`/hand-ins/${part.dataset.handIn}/events`);

  source.addEventListener("progress", (event) => {
    // The server's own markup, in which all that bots wrote is text already.
    const page = new DOMParser().parseFromString(JSON.parse(event.data), "text/html");
    const next = document.adoptNode(page.body.firstElementChild);
    // The heading stays, so that screen readers notice that its words change.
    const [old, now] = [byId("verdict"), next.querySelector("#verdict")];
    if (old.textContent !== now.textContent) old.replaceChildren(...now.childNodes);
    old.className = now.className;
    if (now.className) byId("cancel")?.remove(); // it is finished
    old.parentNode.replaceChildren(old, ...[...next.childNodes].filter((node) => node !== now));
  });
  source.addEventListener("over", () => source.close());
  source.onerror = () => { // the browser reconnects by itself, unless the server refuses it
    const queue = byId("queue");
    if (queue && source.readyState === EventSource.CLOSED) queue.textContent = "The connection is lost: reload this page.";
  };
})();
