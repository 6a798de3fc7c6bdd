export function fill(node, attributes, ...children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  for (const child of children) if (child) node.append(child);
  return node;
}

export function html(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, ...children);
}

/* **bold** and [[accent]] in a sentence, and the F of a norm; everything else is plain text, whatever it holds. */
export function write(node, sentence) {
  if (node.dataset.written === sentence) return;
  node.dataset.written = sentence;
  const parts = String(sentence || "").split(/(\*\*[^*]+\*\*|\[\[[^\]]+\]\])/);
  node.replaceChildren(
    ...parts.filter(Boolean).flatMap((part) => {
      if (part.startsWith("**")) return fill(html("b"), {}, ...subscripted(part.slice(2, -2)));
      if (part.startsWith("[[")) return fill(html("em"), {}, ...subscripted(part.slice(2, -2)));
      return subscripted(part);
    }),
  );
}

function subscripted(text) {
  return text.split(/((?<=‖)_F)/).filter(Boolean).map((part) =>
    part === "_F" ? html("sub", { text: part.slice(1) }) : document.createTextNode(part));
}

export function plain(sentence) {
  return String(sentence || "").replace(/\*\*|\[\[|\]\]/g, "");
}

/* What Plotly's texts, which are a kind of HTML, say. */
export function unmarked(markup) {
  const text = String(markup).replaceAll("<br>", " ");
  if (!/[<&]/.test(text)) return text;
  return new DOMParser().parseFromString(text, "text/html").body.textContent;
}

/* The parts of a page by the names that its skeleton gives them. */
export function partsOf(root) {
  return Object.fromEntries([...root.querySelectorAll("[data-part]")].map((node) => [node.dataset.part, node]));
}

/* Each sentence into the part of its name, where there is one. */
export function writeAll(parts, sentences) {
  for (const [name, sentence] of Object.entries(sentences)) if (parts[name]) write(parts[name], sentence);
}

const MARKUP = new WeakMap();

/* Markup of Python's, in which all text is escaped; what is there already stays, with its focus. */
export function setMarkup(node, markup) {
  if (MARKUP.get(node) === markup) return;
  MARKUP.set(node, markup);
  node.innerHTML = markup;
}
