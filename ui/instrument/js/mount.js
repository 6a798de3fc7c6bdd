const MOUNTED = new WeakMap();

/* The content arrives as the bytes of its JSON. */
function received(component) {
  return { ...component, data: component.data && JSON.parse(new TextDecoder().decode(component.data)) };
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
  look.observe(document.querySelector(".stApp") || document.body, { attributes: true, subtree: false });
  view.close = () => {
    stop();
    size.disconnect();
    look.disconnect();
    root.remove();
    MOUNTED.delete(place);
  };
  MOUNTED.set(place, view);
  return view;
}
