/* What our components share: their content as it comes, their parts, and nodes that stay while they can. */

/* A component's content (ui/page/content.py). None where a newer call has come meanwhile, even with the same
   content: Streamlit ends the older one, and would end with it what the newer one has taken over. */
export async function received({ parentElement: parent, data }) {
  const call = (parent.call = {});
  const text = new Response(data).body.pipeThrough(new DecompressionStream("deflate"));
  const content = await new Response(text).json();
  return parent.call === call ? content : null;
}

/* The parts of a page by the names that its skeleton gives them. */
export function partsOf(root) {
  return Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
}

/* What a text, or other markup, is at a stop of the rule. */
export const at = (text, index) => (Array.isArray(text) ? text[index] : text) ?? "";

/* Markup of Python's, in which all text is escaped; what is there already stays, with its focus. */
export function write(node, markup) {
  if (!node || node.written === markup) return;
  node.written = markup;
  node.innerHTML = markup;
}

export function fill(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/* An element with attributes and children; its text is text. */
export function html(tag, { text = "", ...attributes }, ...children) {
  const node = document.createElement(tag);
  fill(node, attributes);
  node.append(text, ...children);
  return node;
}

/* A node for each item of a list, which knows it; only a list of other keys makes nodes anew. */
export function keep(parent, items, made) {
  const keys = items.map(({ key }) => key).join("\n");
  if (parent.keys !== keys) {
    Object.assign(parent, { keys, nodes: items.map(made) });
    parent.replaceChildren(...parent.nodes);
  }
  items.forEach((item, i) => (parent.nodes[i].item = item));
  return parent.nodes;
}

/* Puts nodes below a parent in their order. One that has its place is not touched: somebody may type in it. */
export function place(parent, nodes) {
  const focused = document.activeElement;
  const wanted = new Set(nodes);
  for (const node of [...parent.children].filter((child) => !wanted.has(child))) node.remove();
  nodes.forEach((node, i) => parent.children[i] === node || parent.insertBefore(node, parent.children[i] ?? null));
  if (parent.contains(focused)) focused.focus({ preventScroll: true });
}
