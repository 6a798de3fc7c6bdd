import { fill, write } from "../charts/dom.js";
import { drawFigure } from "../charts/figure.js";
import { presenting } from "../charts/presentation.js";
import { showGuess } from "./guess.js";

const PHONE = 560;
/* How far a picture is enlarged at most. */
const LARGEST = 1.3;

function newPicture(kind) {
  const node = document.createElement("section");
  node.dataset.kind = kind;
  for (const tag of ["h2", "p", "div"]) node.append(document.createElement(tag));
  node.lastChild.className = `dpca-${kind}`;
  return node;
}

/* A picture is drawn from the left, and enlarged only so far. */
function layOut(svg) {
  svg.setAttribute("preserveAspectRatio", "xMinYMid");
  svg.style.maxWidth = `${(svg.viewBox.baseVal.width * LARGEST) / 16}rem`;
}

const markupOf = (picture, root) => (root.clientWidth < PHONE && picture.narrow) || picture.markup;

/* A figure has a node of its own; a picture's node stays, with the guess that is being dragged. */
export function drawPictures(view) {
  const { data, parts: { pictures: place }, look, Plotly } = view;
  const shown = view.told ? data.answered : data.asked;
  place.dataset.count = Math.max(data.asked.length, data.answered.length);
  while (place.children.length > shown.length) place.lastChild.remove();
  shown.forEach((picture, i) => {
    const kind = picture.figure ? "plot" : "picture";
    if (place.children[i]?.dataset.kind !== kind) place.replaceChild(newPicture(kind), place.children[i] ?? place.appendChild(document.createElement("i")));
    const node = place.children[i];
    const [title, caption, body] = node.children;
    write(title, picture.title);
    write(caption, picture.caption);
    if (picture.figure) {
      fill(body, { role: "figure", "aria-label": `${title.textContent}. ${caption.textContent}` });
      /* A room's screen does not scroll: there a figure is as high as what is left. */
      const height = presenting() ? body.clientHeight : undefined;
      drawFigure(Plotly, body, picture.figure, look, { width: node.clientWidth, height, phone: view.root.clientWidth < PHONE });
      return;
    }
    write(body, markupOf(picture, view.root));
    const svg = body.querySelector("svg");
    if (svg) layOut(svg);
    const guess = picture.guess ?? data.asked[i]?.guess;
    if (svg && guess) showGuess(view, svg, `${data.lesson}-${picture.place}`, guess);
  });
}

/* Room for the answer and the reasons is kept before they are there: nothing moves. */
export function keepRoom({ data, parts, root }) {
  const key = `${data.id}-${root.clientWidth}`;
  if (root.dataset.room === key) return;
  root.dataset.room = key;
  const copy = parts.lesson.cloneNode(true);
  for (const node of copy.querySelectorAll("[id]")) node.removeAttribute("id");
  copy.className = "dpca-lesson dpca-copy";
  copy.setAttribute("aria-hidden", "true");
  const part = (name) => copy.querySelector(`[data-part="${name}"]`);
  for (const name of ["answer", "explanation"]) write(part(name), data[name]);
  part("ask").hidden = true;
  [...part("choices").children].forEach((node, i) => write(node.querySelector("small"), data.reasons[i]));
  const names = ["choices", "told", "pictures"];
  for (const name of names) part(name).style.minHeight = "";
  part("pictures").replaceChildren(...data.answered.map((picture) => {
    const node = newPicture("picture");
    [picture.title, picture.caption].forEach((text, i) => write(node.children[i], text));
    if (picture.markup) node.lastChild.innerHTML = markupOf(picture, root);
    return node;
  }));
  root.append(copy);
  for (const svg of part("pictures").querySelectorAll("svg")) layOut(svg);
  for (const name of names) parts[name].style.minHeight = `${part(name).offsetHeight}px`;
  copy.remove();
}
