import { html, unmarked } from "./dom.js";

/* The words of a figure over it: as annotations each of them would take Plotly a millisecond of
   every answer. Files have them as annotations. A zoom moves them, and hides those outside. */
export function showWords(node, words) {
  const { family, size } = node.layout.font;
  const layer = node.querySelector(".dpca-words") ?? layerOf(node);
  layer.style.font = `${size}px ${family}`;
  layer.replaceChildren(...words.map(written));
  node.words = words;
  moveWords(node);
}

function layerOf(node) {
  const layer = html("div", { class: "dpca-words" });
  node.append(layer);
  layer.addEventListener("click", ({ target }) => {
    const { name } = target.closest(".annotation").dataset;
    node.emit("plotly_clickannotation", { annotation: { name } });
  });
  node.on("plotly_relayout", () => moveWords(node));
  return layer;
}

function written({ text, name, xanchor, captureevents, font: { color } }) {
  const kind = ["annotation", `dpca-at-${xanchor}`, captureevents && "dpca-named"];
  const word = html("span", { class: kind.filter(Boolean).join(" "), text: unmarked(text) });
  word.dataset.name = name;
  word.style.color = color;
  word.style.fontWeight = text.includes("<b>") ? 700 : "";
  word.style.textDecoration = text.includes("<s>") ? "line-through" : "";
  return word;
}

/* Places on axes are those of Plotly: logarithms on a logarithmic one. */
function moveWords(node) {
  const { layout, words } = node;
  const said = node.querySelector(".dpca-words").children;
  const { width, height, margin: { l, r, t, b }, xaxis } = layout;
  words.forEach(({ x, y, xref, yref = "y" }, i) => {
    const axis = layout[`yaxis${yref.slice(1)}`];
    const [across, up] = [xref === "paper" ? x : share(xaxis, x), share(axis, y)];
    const [low, high] = axis.domain;
    const word = said[i];
    word.hidden = !(across >= 0 && across <= 1 && up >= 0 && up <= 1);
    word.style.left = `${l + across * (width - l - r)}px`;
    word.style.top = `${t + (1 - low - up * (high - low)) * (height - t - b)}px`;
  });
}

function share({ range: [low, high] }, place) {
  return (place - low) / (high - low);
}
