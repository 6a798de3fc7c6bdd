/* How far words are moved from their place, as a percentage of their own size. */
const ANCHORS = { left: 0, right: -100, top: 0, middle: -50, bottom: -100 };

/* The words of a figure over it: as annotations each of them would take Plotly a millisecond of
   every answer. Files have them as annotations. A zoom moves them, and hides those outside. */
export function showWords(node, words) {
  const { layout } = node;
  const layer = node.querySelector(".dpca-words") ?? layerOf(node);
  layer.style.font = `${layout.font.size}px ${layout.font.family}`;
  layer.replaceChildren(...words.map((word) => written(word, layout)));
  node.words = words;
}

function layerOf(node) {
  const layer = document.createElement("div");
  layer.className = "dpca-words";
  layer.addEventListener("click", ({ target }) => {
    const { name } = target.closest(".annotation").dataset;
    node.emit("plotly_clickannotation", { annotation: { name } });
  });
  node.on("plotly_relayout", () => showWords(node, node.words));
  node.append(layer);
  return layer;
}

function written({ text, name, x, y, xref = "x", yref = "y", xanchor, yanchor, yshift = 0, captureevents, bgcolor = "", font: { color, size } }, layout) {
  const { width, height, margin: { l, r, t, b } } = layout;
  const word = document.createElement("span");
  const [across, up] = [share(layout, xref, x), share(layout, yref, y)];
  Object.assign(word, { className: captureevents ? "annotation dpca-named" : "annotation", hidden: Number.isNaN(across + up) });
  /* Plotly's markup is tags without attributes; whatever else a visitor's own unit may hold is text. */
  word.innerHTML = text.replaceAll(/<(?!\/?(?:b|s|sub)>|br>)/g, "&lt;");
  word.dataset.name = name;
  word.style.cssText = `color: ${color}; background: ${bgcolor}; font-size: ${size}px; transform: translate(${ANCHORS[xanchor]}%, ${ANCHORS[yanchor]}%)`;
  word.style.left = `${l + across * (width - l - r)}px`;
  word.style.top = `${t + (1 - up) * (height - t - b) - yshift}px`;
  return word;
}

/* How far along the whole plot a place on an axis is, in Plotly's numbers: logarithms on an axis
   that is logarithmic; NaN where the axis does not show it. */
function share(layout, ref, place) {
  if (ref === "paper") return place;
  const { range: [from, to], domain: [low, high] = [0, 1] } = layout[`${ref[0]}axis${ref.slice(1)}`];
  const along = (place - from) / (to - from);
  return along >= 0 && along <= 1 ? low + along * (high - low) : NaN;
}
