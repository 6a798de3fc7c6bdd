import { presenting } from "./presentation.js";
import { lookOf } from "./colours.js";
import { partsOf, writeAll } from "./dom.js";
import { askForFile, saveFile } from "./downloads.js";
import { received } from "./packed_content.js";
import { plotly } from "../page/plotly.js";
import { goOn } from "./refinement.js";
import { ahead } from "./rule.js";
import { addSkipLink } from "../page/skip_link.js";

const NARROW = 700;
/* A4 without its margins, in pixels. */
const PAPER_WIDTH = 718;
const MOUNTED = new WeakMap();

/* What a page's module exports: `build` readies the parts of its skeleton, once; `arrive` decides whether a new answer
   is painted, which `paint` does. Pages with an axis are read at an index of it. */
export function pageOf({ build, paint, arrive = () => true }) {
  return async (sent, palette, skeleton) => {
    const Plotly = await plotly;
    /* Last: nothing may come between it and the view. */
    const { parentElement, data, setStateValue, setTriggerValue } = await received(sent);
    if (!data) return undefined;
    const view = MOUNTED.get(parentElement) ?? create(parentElement, { build, paint, palette, data, Plotly }, skeleton);
    const { data: before, saved } = view;
    if (before.id !== data.id) view.stopped = false;
    for (const file of data.files) if (file.number > saved) saveFile(file, Plotly);
    clearTimeout(view.later);
    /* State, not a trigger: of two triggers in one moment Streamlit keeps the later only. */
    const say = (part, value) => setStateValue(part, { value, at: Date.now() });
    Object.assign(view, { data, say, send: setTriggerValue, saved: data.files.at(-1)?.number ?? saved });
    if (data.axis && (before.axis.name !== data.axis.name || !ahead(view))) view.index = data.axis.index;
    if (arrive(view, before)) view.paint();
    else goOn(view, data.pause);
    return view.close;
  };
}

function create(parentElement, { build, paint, ...known }, skeleton) {
  parentElement.insertAdjacentHTML("beforeend", skeleton);
  const root = parentElement.lastElementChild;
  const leaving = new AbortController();
  const view = { ...known, root, parts: partsOf(root), signal: leaving.signal, saved: known.data.files.at(-1)?.number ?? 0 };
  view.paint = () => {
    const { clientWidth: width } = root;
    Object.assign(view, { width, look: lookOf(root, view.palette), narrow: width < NARROW && !presenting() });
    root.classList.toggle("dpca-dark", view.look.dark);
    root.classList.toggle("dpca-narrow", view.narrow);
    writeAll(view.parts, view.data.says ?? {});
    paint(view);
  };
  view.close = () => {
    leaving.abort();
    clearTimeout(view.later);
    root.remove();
    MOUNTED.delete(parentElement);
  };
  build(view);
  listen(view);
  watch(view);
  addSkipLink(view.data.skip);
  MOUNTED.set(parentElement, view);
  return view;
}

/* Says that what came is on the screen, and asks for more in a while. */
export function painted(view, wait) {
  const { root, data: { id, stage = 0, pause } } = view;
  Object.assign(root.dataset, { id, stage, ready: "true" });
  performance.mark("dpca-painted", { detail: id });
  goOn(view, wait ?? pause);
}

/* What carries data-say tells the server when it is used; what carries data-format saves a figure. */
function listen(view) {
  view.root.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.say) view.say(button.dataset.say, button.dataset.value);
    if (button?.dataset.format) askForFile(view, button);
    if (button === view.parts.stop) goOn(Object.assign(view, { stopped: !view.stopped }));
  });
  view.root.addEventListener("change", ({ target }) => target.dataset.say && view.say(target.dataset.say, target.type === "checkbox" ? target.checked : Number(target.value)));
}

/* Paints again when the page's width or theme changes, and as wide as the paper for print. */
function watch(view) {
  const { root, palette, signal } = view;
  const again = () => requestAnimationFrame(view.paint);
  const size = new ResizeObserver(() => Math.abs(root.clientWidth - view.width) > 1 && again());
  size.observe(root);
  const theme = new MutationObserver(() => view.look && lookOf(root, palette).dark !== view.look.dark && again());
  theme.observe(document.querySelector(".stApp") || document.body, { attributes: true });
  signal.addEventListener("abort", () => [size, theme].forEach((observer) => observer.disconnect()));
  addEventListener("dpca-room", again, { signal });
  /* On paper everything is drawn at once, with the address of the screen; so is what is mounted while a page is printed.
     A browser breaks the page into sheets before it says that the medium changed: what is higher then has its end cut off. */
  const paper = matchMedia("print");
  const fit = (printing) => {
    if (printing === root.classList.contains("dpca-print")) return;
    view.printing = root.classList.toggle("dpca-print", printing);
    root.style.width = printing ? `${PAPER_WIDTH}px` : "";
    root.dataset.address = location.href;
    if (view.look) view.paint();
  };
  addEventListener("beforeprint", () => fit(true), { signal });
  for (const [told, act] of [[window, "afterprint"], [paper, "change"]]) told.addEventListener(act, () => fit(paper.matches), { signal });
  fit(paper.matches);
  /* Whoever touches a control wants its answer first. */
  for (const act of ["keydown", "pointerdown"]) document.addEventListener(act, () => (view.touched = performance.now()), { capture: true, signal });
}
