import { presenting } from "./room.js";
import { colourOf, lookOf } from "./colours.js";
import { partsOf } from "./dom.js";
import { askForFile, saveFile } from "./downloads.js";
import { received } from "./packed_content.js";
import { plotly } from "./plotly.js";
import { goOn } from "./refinement.js";
import { addSkipLink } from "./skip_link.js";

const NARROW = 700;
/* A4 without its margins, in pixels. */
const PAPER_WIDTH = 718;
const MOUNTED = new WeakMap();

/* What a page's module exports: `build` readies the parts of its skeleton, once, and returns what ends it;
   `arrive` decides whether a new answer is painted, which `paint` does. */
export function pageOf(name, page) {
  return async (sent, palette, skeleton) => {
    const Plotly = await plotly;
    /* Last: nothing may come between it and the view. */
    const component = await received(sent);
    const { parentElement, data, setStateValue, setTriggerValue } = component;
    if (!data) return undefined;
    const view = MOUNTED.get(parentElement) ?? create(name, page, component, { palette, skeleton, Plotly });
    const before = view.data;
    if (before.id !== data.id) view.stopped = false;
    for (const file of data.files.filter(({ number }) => number > view.saved)) saveFile(file, Plotly);
    view.saved = data.files.at(-1)?.number ?? view.saved;
    clearTimeout(view.later);
    /* State, not a trigger: of two triggers in one moment Streamlit keeps the later only. */
    Object.assign(view, { data, send: setTriggerValue, say: (part, value) => setStateValue(part, { value, at: Date.now() }) });
    if (page.arrive(view, before)) view.paint();
    else goOn(view, data.pause);
    return view.close;
  };
}

function create(name, page, { parentElement, data }, { palette, skeleton, Plotly }) {
  const root = document.createElement("div");
  Object.assign(root, { className: `dpca dpca-${name}`, innerHTML: skeleton });
  root.dataset.ready = "false";
  const view = { root, palette, Plotly, data, parts: partsOf(root), saved: data.files.at(-1)?.number ?? 0 };
  view.paint = () => {
    dress(view);
    page.paint(view);
  };
  const end = page.build(view);
  listen(view);
  parentElement.append(root);
  addSkipLink(data.skip);
  const unwatch = watch(view);
  view.close = () => {
    end?.();
    unwatch();
    clearTimeout(view.later);
    root.remove();
    MOUNTED.delete(parentElement);
  };
  MOUNTED.set(parentElement, view);
  return view;
}

/* Colours of the theme, for figures and, as properties, for the style sheets. */
function dress(view) {
  const { root, palette } = view;
  const look = lookOf(root, palette);
  view.narrow = root.clientWidth < NARROW && !presenting();
  root.classList.toggle("dpca-dark", look.dark);
  root.classList.toggle("dpca-narrow", view.narrow);
  if (look.dark !== view.look?.dark || presenting() !== view.presented) {
    view.presented = presenting();
    for (const role of Object.keys(palette.colours)) root.style.setProperty(`--${role.replaceAll(/\W/g, "-")}`, colourOf(role, look));
  }
  view.look = look;
}

/* What carries data-say tells the server when it is used; what carries data-format saves a figure. */
function listen(view) {
  view.root.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.say) view.say(button.dataset.say, button.dataset.value);
    if (button?.dataset.format) askForFile(view, button);
  });
  view.root.addEventListener("change", ({ target }) => target.dataset.say && view.say(target.dataset.say, target.type === "checkbox" ? target.checked : Number(target.value)));
  view.parts.stop.addEventListener("click", () => {
    view.stopped = !view.stopped;
    goOn(view);
  });
}

/* Paints again when the page's width or theme changes, and as wide as the paper for print. */
function watch(view) {
  const { root } = view;
  const again = () => requestAnimationFrame(view.paint);
  let paintedWidth = root.clientWidth;
  const size = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - paintedWidth) <= 1) return;
    paintedWidth = root.clientWidth;
    again();
  });
  size.observe(root);
  const theme = new MutationObserver(() => view.look && lookOf(root, view.palette).dark !== view.look.dark && again());
  theme.observe(document.querySelector(".stApp") || document.body, { attributes: true, subtree: false });
  const leaving = new AbortController();
  addEventListener("dpca-room", again, { signal: leaving.signal });
  /* On paper everything is drawn at once, with the address of the screen. */
  matchMedia("print").addEventListener("change", ({ matches }) => {
    view.printing = matches;
    root.classList.toggle("dpca-print", matches);
    root.style.width = matches ? `${PAPER_WIDTH}px` : "";
    root.dataset.address = location.href;
    view.paint();
  }, { signal: leaving.signal });
  /* Whoever touches a control wants its answer first. */
  for (const act of ["keydown", "pointerdown"]) document.addEventListener(act, () => (view.touched = performance.now()), { capture: true, signal: leaving.signal });
  return () => {
    leaving.abort();
    for (const observer of [size, theme]) observer.disconnect();
  };
}
