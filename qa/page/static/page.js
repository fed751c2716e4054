"use strict";
// The page works without this: a thing of the graph is then a page of its own.

const dialog = document.getElementById("thing");
const told = dialog.querySelector(".told");

async function show(href) {
  const response = await fetch(href);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const found = page.querySelector("article.told") || page.querySelector(".problem");
  if (!found) throw new Error(`nothing at ${href}`);
  told.replaceChildren(document.adoptNode(found));
  if (!dialog.open) dialog.showModal();
  told.focus({ preventScroll: true });
  dialog.scrollTop = 0;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-thing]");
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (link && plain) {
    event.preventDefault();
    const href = link.getAttribute("href");
    show(href).catch(() => location.assign(href));
  } else if (event.target === dialog) {
    dialog.close(); // beside it
  }
});

// what a sentence rests on may be folded
function unfold() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) {
    each.open = true;
  }
  target.scrollIntoView({ block: "center" });
  if (target.tabIndex === -1) target.focus({ preventScroll: true });
}
addEventListener("hashchange", unfold);
unfold();

const form = document.querySelector("header form");
const button = form.querySelector("button");
form.addEventListener("submit", () => {
  button.disabled = true;
  document.querySelector("main").setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => { button.disabled = false; }); // gone back to
