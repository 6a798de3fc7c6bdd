import { fill, filled, html, svg, SVG_SPACE } from "./dom.js";
import { FONT } from "./theme.js";

/* Everything that can be saved goes through a function of this file: saveFile takes what the server
   made, the others mark what they save. tests/ui/widgets/test_downloads.py holds that there is no third way. */
const NOT_PRIVATE = "Not private: computed from the true data";
const MARK = { height: 24, width: 300, size: 12, ink: "#c62f2f" };

function save(name, blob) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* A release under its guarantee, or a file that the server has marked. */
export function saveFile(file) {
  if (!file.guaranteed && !file.text.includes(NOT_PRIVATE)) throw new Error(`${file.name} carries neither a guarantee nor the mark.`);
  save(file.name, new Blob([file.text], { type: file.type }));
}

/* An apostrophe before whatever a spreadsheet would compute, wherever it splits the line. */
function inert(text) {
  return text.replace(/(^|[,;:|\t\r\n])([\s"']*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
}

function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(7)));
  const text = inert(String(value));
  return /[",;:|#'\t\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function saveTable(name, rows) {
  const lines = [`# ${NOT_PRIVATE}`, ...rows.map((r) => r.map(cell).join(","))];
  save(`dpca-${name}.csv`, new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
}

/* The drawing below the mark: [text of an SVG, width, height]. */
function marked(drawing, page) {
  const box = drawing.getBoundingClientRect();
  const [own, tall] = ["width", "height"].map((side) => Number(drawing.getAttribute(side)) || box[side] || 300);
  const [width, height] = [Math.max(own, MARK.width), tall + MARK.height];
  const copy = fill(drawing.cloneNode(true), { width: own, height: tall, y: MARK.height, overflow: "visible" }, []);
  const ground = page ? svg("rect", { width, height, fill: page }) : null;
  const text = svg("text", { x: 4, y: 16, "font-size": MARK.size, "font-weight": 650, fill: MARK.ink, text: NOT_PRIVATE });
  const whole = svg("svg", { xmlns: SVG_SPACE, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT }, ground, text, copy);
  return [new XMLSerializer().serializeToString(whole), width, height];
}

export function savePicture(name, drawing) {
  save(`dpca-${name}.svg`, new Blob([marked(drawing)[0]], { type: "image/svg+xml" }));
}

/* The same in dots, twice as many each way as it is wide and high. */
export function saveRaster(name, drawing, page) {
  const [text, width, height] = marked(drawing, page);
  const image = new Image();
  image.addEventListener("load", () => {
    const sheet = html("canvas", { width: width * 2, height: height * 2 });
    sheet.getContext("2d").drawImage(image, 0, 0, sheet.width, sheet.height);
    sheet.toBlob((blob) => save(`dpca-${name}.png`, blob));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
}

export function saveCanvases(name, canvases) {
  const scale = 12;
  const columns = Math.max(1, canvases.length / 2);
  const [w, h] = [canvases[0].width * scale + 8, canvases[0].height * scale + 8];
  const sheet = html("canvas", { width: Math.max(w * columns, MARK.width), height: h * Math.ceil(canvases.length / columns) + MARK.height });
  const pen = sheet.getContext("2d");
  pen.font = `650 ${MARK.size}px ${FONT}`;
  pen.fillStyle = MARK.ink;
  pen.fillText(NOT_PRIVATE, 4, 16);
  pen.imageSmoothingEnabled = false;
  canvases.forEach((c, i) => pen.drawImage(c, (i % columns) * w, MARK.height + Math.floor(i / columns) * h, w - 8, h - 8));
  sheet.toBlob((blob) => save(`dpca-${name}.png`, blob));
}

/* Quiet buttons beside a title: the numbers behind the picture, and the picture. */
export function takeAway(words, name, table, picture) {
  const label = (format) => filled(words.download_as, { name, format });
  return html("span", { class: "dpca-take" },
    html("button", { type: "button", "aria-label": label("CSV"), onclick: () => saveTable(name, table()), text: "CSV" }),
    html("button", { type: "button", "aria-label": label(words.picture.toLowerCase()), onclick: picture, text: words.picture }));
}
