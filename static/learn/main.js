/* Keys of a lesson: each presses what stands on the page, wherever the focus is but in a field; a box loses it to a click. */
const FIELDS = 'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select, [contenteditable="true"], [role="combobox"], [role="dialog"], [role="menu"]';

const one = (part) => document.querySelector(`.st-key-learn ${part}`.trim());
const box = () => one(".st-key-learn-ask input");
const clicks = (name) => one(`.st-key-learn-${name} button`)?.click();
const choose = (at) => box().checked || document.querySelectorAll(".st-key-learn-choices input")[at]?.click();

/* A slider moves as by its own keys where it is seen; what has a button instead is pressed. */
function move(key) {
  const slider = one('.st-key-learn-control input[type="range"]');
  if (!slider) clicks("control");
  else if (slider.checkVisibility({ visibilityProperty: true })) slider.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}

const ACTS = {
  " ": () => (box().checked ? clicks("again") : box().click()),
  n: () => one(".st-key-learn-foot input").click(),
  ArrowLeft: () => move("ArrowLeft"),
  ArrowRight: () => move("ArrowRight"),
  PageDown: () => (box().checked ? clicks("after") : box().click()),
  PageUp: () => (box().checked ? box().click() : clicks("before")),
};

function hear(event) {
  const { key, target, ctrlKey, metaKey, altKey, isTrusted } = event;
  if (!box() && key === "PageDown" && document.body.classList.contains("dpca-present")) clicks("list");
  if (!box() || !isTrusted || event.defaultPrevented || ctrlKey || metaKey || altKey || target.closest?.(FIELDS)) return;
  if (key === " " && target.closest?.("button, a, summary, input")) return;
  if (key.startsWith("Arrow") && target.closest?.('input[type="range"], [role="radiogroup"]')) return;
  /* The keys of a clicker lead through a room's steps; elsewhere they scroll. */
  if (key.startsWith("Page") && !document.body.classList.contains("dpca-present")) return;
  const letter = key.toLowerCase();
  const at = letter.length === 1 ? Math.max("abcd".indexOf(letter), "1234".indexOf(letter)) : -1;
  const act = at < 0 ? (ACTS[key] ?? ACTS[letter]) : () => choose(at);
  act?.();
  if (act) event.preventDefault();
}

/* A room's page is laid out 1280 wide and 720 high at least, and enlarged until it fills the screen. */
function enlarge() {
  const height = Math.max(720, one("")?.offsetHeight ?? 0);
  document.body.style.setProperty("--learn-room", Math.min(innerWidth / 1280, innerHeight / height));
}

const watched = new ResizeObserver(enlarge);
addEventListener("resize", enlarge);
document.addEventListener("keydown", hear);
document.addEventListener("click", ({ detail, target }) => detail && target.closest?.(".st-key-learn .stCheckbox") && setTimeout(() => document.activeElement.blur()), true);
/* Tells once that the style sheet hides what is not to be seen yet: only then is it sent. */
export default ({ parentElement, data, setStateValue }) => {
  const tell = () => {
    const page = one("");
    if (page) watched.observe(page);
    const hides = page && getComputedStyle(page).getPropertyValue("--learn-hides");
    if (hides && !data.told) setStateValue("hides", true);
    else if (!hides && parentElement.isConnected) requestAnimationFrame(tell);
  };
  tell();
};
