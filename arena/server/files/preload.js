"use strict";
// Begins to load the moment that the address names while the scripts of the player, which ask for it, still load.
// The URL is that of Source.Remote.opening: the browser answers it with what is loaded here.

{
  const parameters = new URLSearchParams(location.hash.slice(1) || location.search);
  const number = (name) => (/^\d{1,9}$/.test(parameters.get(name)) ? parameters.get(name) : null);
  const seat = number("seat");
  const query = new URLSearchParams([...(seat === null ? [] : [["seat", seat]]), ["move", number("move") || 0]]);
  const story = { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `${location.pathname}/story?${query}` };
  document.head.append(Object.assign(document.createElement("link"), story));
}
