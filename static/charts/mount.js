import { askLater, CALM, stopAsking } from "./refinement.js";
import { lookOf } from "./colours.js";
import { addSkipLink } from "./skip_link.js";

/* A4 without its margins, in pixels. */
const PAPER_WIDTH = 718;

export const MOUNTED = new WeakMap();

/* Shows the view's root in its place, and paints again when its width or the theme changes. */
export function mount(view, place, paint, stop = () => {}) {
  const { root } = view;
  place.append(root);
  addSkipLink(view.data.skip);
  let paintedWidth = root.clientWidth;
  const again = () => requestAnimationFrame(() => paint(view));
  const size = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - paintedWidth) <= 1) return;
    paintedWidth = root.clientWidth;
    again();
  });
  size.observe(root);
  /* On paper everything is drawn at once, as wide as the paper, with the address of the screen. */
  const paper = matchMedia("print");
  const printed = () => {
    view.printing = paper.matches;
    root.classList.toggle("dpca-print", view.printing);
    root.style.width = view.printing ? `${PAPER_WIDTH}px` : "";
    root.dataset.address = location.href;
    paint(view);
  };
  paper.addEventListener("change", printed);
  const look = new MutationObserver(() => view.look && lookOf(root, view.palette).dark !== view.look.dark && again());
  /* Whoever touches a control wants its answer first. */
  const touched = () => {
    view.touched = performance.now();
    if (view.ask) askLater(view, view.ask, CALM);
  };
  for (const act of ["keydown", "pointerdown"]) document.addEventListener(act, touched, true);
  look.observe(document.querySelector(".stApp") || document.body, { attributes: true, subtree: false });
  view.close = () => {
    stop();
    stopAsking(view);
    for (const act of ["keydown", "pointerdown"]) document.removeEventListener(act, touched, true);
    size.disconnect();
    paper.removeEventListener("change", printed);
    look.disconnect();
    root.remove();
    MOUNTED.delete(place);
  };
  MOUNTED.set(place, view);
  return view;
}
