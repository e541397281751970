"use strict";
// Copies the code by which another page shows the match, from the moment that is shown.

{
  const { byId } = Dom;
  const button = byId("copy-frame");
  button.onclick = async () => {
    const address = new URL(`/embed${byId("replay").dataset.share}${Address.hash()}`, location);
    const frame = Object.assign(document.createElement("iframe"), { src: address, width: 800, height: 500, title: document.title });
    await navigator.clipboard.writeText(frame.outerHTML).then(() => { byId("search-result").textContent = t("copied"); })
      .catch(() => { byId("search-result").textContent = frame.outerHTML; }); // to be copied by hand
  };
}
