"use strict";
// Creating elements. Text is always set as text, so nothing that a bot wrote becomes markup.

const Dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  function filled(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
    return node;
  }

  /** Return an element with attributes and children; strings become text. */
  const make = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

  /** The same in SVG. */
  const draw = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

  const byId = (id) => document.getElementById(id);

  return { make, draw, byId };
})();
