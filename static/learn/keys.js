const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="dialog"]';
const CHOICES = 4;
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/* The choices are one group of radio buttons: arrows move among them, Space chooses, and then answers. */
function inGroup(view, key, node) {
  const at = Number(node.dataset.choice);
  if (ARROWS[key] && !view.told) {
    const next = (at + ARROWS[key] + CHOICES) % CHOICES;
    view.choose(next);
    view.parts.choices.children[next].focus();
    return true;
  }
  if (key === " " && !view.told && view.chosen[view.data.lesson] !== at) {
    view.choose(at);
    return true;
  }
  return false;
}

function answer(view, key) {
  const { told, parts } = view;
  const choice = "abcd".indexOf(key) >= 0 ? "abcd".indexOf(key) : "1234".indexOf(key);
  if (choice >= 0) view.choose(choice);
  else if (key === " ") (told ? view.again : view.reveal)();
  else if (key === "n") view.toggle("notes");
  else if (key === "ArrowLeft" || key === "ArrowRight") parts.handle.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  else return false;
  return true;
}

/* Keys of a lesson, wherever the focus is but in a field, on a button that Space presses, or on another slider. */
export function listenToKeys(view) {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (view.data.view !== "lesson" || !event.isTrusted || event.defaultPrevented || ctrlKey || metaKey || altKey || target.closest?.(FIELDS)) return;
    const radio = target.closest?.("[data-choice]");
    if (!radio && key === " " && target.closest?.("button, a, summary")) return;
    if (!radio && key.startsWith("Arrow") && target.closest?.('[role="slider"], [role="menu"]')) return;
    const known = (radio && inGroup(view, key, radio)) || answer(view, key.length === 1 ? key.toLowerCase() : key);
    if (known) event.preventDefault();
  }, { signal: view.signal });
}
