"use strict";
// Light or dark theme: the system's, until the button is pressed. A page opened from a file may have no storage.

(() => {
  const stored = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
  if (stored) document.documentElement.dataset.theme = stored;
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    button.onclick = () => {
      const theme = dark() ? "light" : "dark";
      document.documentElement.dataset.theme = theme;
      try { localStorage.setItem("theme", theme); } catch { /* a page from a file has no storage */ }
    };
  });
})();
