const FIELDS = ["input", "textarea", "select", "[contenteditable=true]", "[role=combobox]"].join();
const SLIDER = '.dpca [role="slider"]';
const ROWS = ".dpca-rows .dpca-row, .dpca-table .dpca-row, .dpca-scene-row";
const STRIDE = 3;

const seen = (node) => node.checkVisibility();

/* ε on the page's own rule, which answers at once; elsewhere by the server. */
function stepEpsilon(view, by) {
  const slider = [...document.querySelectorAll(SLIDER)].find(seen);
  if (!slider) return view.say("step", { name: "epsilon", by });
  const key = by > 0 ? "ArrowRight" : "ArrowLeft";
  for (let i = 0; i < Math.abs(by); i += 1) slider.dispatchEvent(new KeyboardEvent("keydown", { key }));
  return undefined;
}

function actions(view) {
  return {
    d: view.switchDark,
    q: () => view.open("code"),
    "?": () => view.open("keys"),
    ".": () => view.open("black"),
    f: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
    Escape: view.leave,
    ArrowUp: () => view.say("step", { name: "k", by: 1 }),
    ArrowDown: () => view.say("step", { name: "k", by: -1 }),
    " ": () => view.say("step", { name: "seed", by: 1 }),
  };
}

/* One listener for the page, before all others: what Present answers to nobody else hears. */
export function listen(view, signal) {
  const known = actions(view);
  document.addEventListener("keydown", (event) => {
    const { key, shiftKey, target } = event;
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || target.closest?.(FIELDS)) return;
    const letter = key.length === 1 ? key.toLowerCase() : key;
    const pressed = letter === " " && target.closest?.("button, a");
    let act = letter === "p" ? view.toggle : null;
    if (view.on && !pressed && !(view.data.own.includes(letter) && !view.opened)) {
      act ??= known[letter];
      if (letter === "ArrowLeft" || letter === "ArrowRight") act = () => stepEpsilon(view, (letter === "ArrowLeft" ? -1 : 1) * (shiftKey ? STRIDE : 1));
      if (/^[1-9]$/.test(letter)) act = () => [...document.querySelectorAll(ROWS)].filter(seen)[letter - 1]?.click();
    }
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act();
  }, { capture: true, signal });
}
