const MOUNTED = new WeakMap();

/* The content arrives as the bytes of its JSON, in which arrays are packed: see ui/figures/wire.py. */
function received(component) {
  const text = component.data && new TextDecoder().decode(component.data);
  return { ...component, data: text && JSON.parse(text, (_, value) => (value?.$float32 === undefined ? value : unpacked(value))) };
}

/* Nested lists of numbers; NaN becomes null. */
function unpacked({ $float32, shape }) {
  const bytes = Uint8Array.from(atob($float32), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const values = Array.from({ length: bytes.length / 4 }, (_, i) => {
    const value = view.getFloat32(4 * i, true);
    return Number.isNaN(value) ? null : value;
  });
  return shape.slice(1).reduceRight(folded, values);
}

function folded(values, size) {
  return Array.from({ length: values.length / size }, (_, i) => values.slice(i * size, (i + 1) * size));
}

/* How long nobody must have touched anything before more is asked for. */
const CALM = 250;

/* Asks the server to go on in a while; a question now would come between a touch and its answer. */
function askLater(view, ask, wait) {
  stopAsking(view);
  view.ask = ask;
  view.later = setTimeout(() => {
    view.ask = null;
    ask();
  }, Math.max(wait, (view.touched ?? -CALM) + CALM - performance.now()));
}

function stopAsking(view) {
  clearTimeout(view.later);
  view.ask = null;
}

/* Shows the view's root in its place, and paints again when its width or the theme changes. */
function mount(view, place, paint, stop = () => {}) {
  const { root } = view;
  place.append(root);
  let paintedWidth = root.clientWidth;
  const again = () => requestAnimationFrame(() => paint(view));
  const size = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - paintedWidth) <= 1) return;
    paintedWidth = root.clientWidth;
    again();
  });
  size.observe(root);
  const look = new MutationObserver(() => view.theme && themeOf(root).dark !== view.theme.dark && again());
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
    look.disconnect();
    root.remove();
    MOUNTED.delete(place);
  };
  MOUNTED.set(place, view);
  return view;
}
