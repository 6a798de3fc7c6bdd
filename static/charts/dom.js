export function fill(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/* The parts of a page by the names that its skeleton gives them. */
export function partsOf(root) {
  return Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
}

const WRITTEN = new WeakMap();

/* Markup of Python's, in which all text is escaped; what is there already stays, with its focus. */
export function write(node, markup) {
  if (WRITTEN.get(node) === markup) return;
  WRITTEN.set(node, markup);
  node.innerHTML = markup;
}

/* Each into the part of its name, where there is one. */
export function writeAll(parts, said) {
  for (const [name, markup] of Object.entries(said)) if (parts[name]) write(parts[name], markup);
}
