/* An element with attributes, those that are not there left out, and children; its text is text. */
export function html(tag, { text, ...attributes }, ...children) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
