import { presenting } from "../charts/presentation.js";

const FIELDS = ["input", "textarea", "select", "summary", "[role=slider]", "[contenteditable=true]", "[role=combobox]"].join();

/* Space shows our run where it is hidden; in a room the arrows lead to the cards beside this one. */
export function listenToKeys(view) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.(FIELDS)) return;
    const { parts } = view;
    if (key === " " && !target.closest?.("button, a")) {
      const show = parts.words.querySelector('[data-say="show"]');
      if (!show) return;
      event.preventDefault();
      show.click();
    }
    if (!presenting() || !["ArrowLeft", "ArrowRight"].includes(key)) return;
    const tiles = [...parts.wall.querySelectorAll("[data-figure]")];
    const here = tiles.findIndex((tile) => tile.dataset.figure === view.data.figure);
    const next = tiles[here + (key === "ArrowRight" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    view.open(next.dataset.figure);
  }, { signal: view.signal });
}
