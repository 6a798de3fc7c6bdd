/* The parts of a page by the names that its skeleton gives them. */
export function partsOf(root) {
  return Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
}

/* What a text, or other markup, is at a stop of the rule. */
export const at = (text, index) => (Array.isArray(text) ? text[index] : text) ?? "";

const WRITTEN = new WeakMap();

/* Markup of Python's, in which all text is escaped; what is there already stays, with its focus. */
export function write(node, markup) {
  if (!node || WRITTEN.get(node) === markup) return;
  WRITTEN.set(node, markup);
  node.innerHTML = markup;
}

export function fill(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/* Keeps a node for each item of a list, by its key; only another list of keys makes nodes anew. */
export function keep(parent, items, made) {
  const keys = items.map(({ key }) => key).join("\n");
  if (parent.keys === keys) return false;
  parent.keys = keys;
  parent.replaceChildren(...items.map(made));
  return true;
}

/* An element with attributes, those that are not there left out, and children; its text is text. */
export function html(tag, { text, ...attributes }, ...children) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
