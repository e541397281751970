"use strict";
// Buttons that copy the link beside them; where the browser does not allow it, the link is selected.

for (const button of document.querySelectorAll("[data-copy]")) {
  button.onclick = async () => {
    const link = button.parentElement.querySelector("input");
    link.select();
    const isCopied = await (navigator.clipboard ? navigator.clipboard.writeText(link.value).then(() => true) : Promise.reject())
      .catch(() => document.execCommand("copy")); // the only way on a page without https
    if (isCopied) button.textContent = t("copied");
  };
}
