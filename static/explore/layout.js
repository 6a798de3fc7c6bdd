import { html, svg } from "../charts/dom.js";
import { saveCanvases, savePicture, takeAway } from "../charts/downloads.js";
import { panelPicture } from "./annotations.js";
import { PANELS } from "./panels.js";
import { frameOf } from "./release.js";
import { dotsTable, ladderTable, panelTable, releaseTable, spectrumTable } from "./tables.js";
import { bindHover } from "./tooltip.js";

function block(words, name, table, picture) {
  const title = html("h3", {});
  const sub = html("p", {});
  const extra = html("span", {});
  return { title, sub, extra, node: html("div", { class: "dpca-title" }, html("div", { class: "dpca-head" }, title, extra, takeAway(words, name, table, picture)), sub) };
}

/* The instrument's skeleton, built once; everything else only fills it. */
export function build(root, view) {
  const data = () => view.data;
  const { words } = view.data;
  view.notice = html("p", { class: "dpca-notice", role: "status" });
  view.busy = html("p", { class: "dpca-busy", role: "status" });
  view.phone = { text: html("span", {}), change: html("button", { type: "button", class: "dpca-button", text: words.change }) };
  view.warning = { text: html("span", {}), box: html("input", { type: "checkbox" }), label: html("span", {}) };
  view.answer = html("h1", { class: "dpca-answer", "aria-live": "polite" });
  view.odds = { text: html("span", {}), hover: html("span", {}) };
  view.badge = { label: html("span", { class: "dpca-badge" }), line: html("span", {}), hover: html("span", {}) };
  view.pin = html("button", { type: "button", class: "dpca-button", text: words.pin });
  view.copy = html("button", { type: "button", class: "dpca-button", text: words.copy });
  const scale = svg("svg", { "aria-hidden": "true" });
  const handle = html("div", { class: "dpca-handle", role: "slider", tabindex: 0, "aria-label": words.epsilon });
  const brief = html("span", { class: "dpca-brief" });
  const track = html("div", { class: "dpca-track" }, scale, handle);
  const bar = html("div", { class: "dpca-ruler" }, brief, track);
  view.ruler = { scale, handle, track, bar, brief, line: html("div", { class: "dpca-rule" }, html("i", {})) };
  view.plots = {};
  view.blocks = {};
  const left = [];
  for (const panel of Object.keys(PANELS)) {
    const [ground, notes] = [svg("svg", { "aria-hidden": "true" }), svg("svg", { class: "dpca-notes" })];
    const curves = svg("svg", { "aria-hidden": "true", class: "dpca-curves" });
    const tip = html("div", { class: "dpca-tip", hidden: "" });
    const frame = html("div", { class: "dpca-plot", role: "img" }, ground, curves, notes, tip);
    view.plots[panel] = { frame, ground, curves, notes, tip };
    bindHover(view, panel);
    view.blocks[panel] = block(words, panel, () => panelTable(panel, data()), () => panelPicture(view, panel));
    left.push(html("section", { class: `dpca-${panel}` }, view.blocks[panel].node, frame));
  }
  view.ladder = svg("svg", { role: "group", "aria-label": words.needed_epsilon });
  view.blocks.ladder = block(words, "needed", () => ladderTable(data()), () => savePicture("needed", view.ladder));
  view.target = html("select", { class: "dpca-target", "aria-label": words.target });
  left.push(html("section", { class: "dpca-ladder" }, view.blocks.ladder.node, view.ladder));
  view.at = html("h2", { class: "dpca-at" });
  view.dots = { kept: svg("svg", { role: "img" }), sin: svg("svg", { role: "img" }) };
  view.spectrum = svg("svg", { role: "img" });
  view.blocks.dots = block(words, "releases", () => dotsTable(data(), view.index), () => savePicture("releases", view.dots.kept));
  view.blocks.sinDots = block(words, "turns", () => dotsTable(data(), view.index), () => savePicture("turns", view.dots.sin));
  view.blocks.spectrum = block(words, "spectrum", () => spectrumTable(data()), () => savePicture("spectrum", view.spectrum));
  view.smooth = html("p", { class: "dpca-smooth" });
  const right = [
    html("section", { class: "dpca-kept" }, view.blocks.dots.node, view.dots.kept),
    html("section", { class: "dpca-sin" }, view.blocks.sinDots.node, view.dots.sin),
    html("section", { class: "dpca-gap" }, view.blocks.spectrum.node, view.spectrum, view.smooth),
  ];
  root.replaceChildren(
    html("div", { class: "dpca-phone" }, view.phone.text, view.phone.change),
    view.notice,
    view.busy,
    html("div", { class: "dpca-warning" }, view.warning.text, html("label", {}, view.warning.box, view.warning.label)),
    view.answer,
    html("div", { class: "dpca-under" }, html("p", {}, view.odds.text, view.odds.hover), html("p", { class: "dpca-standing" }, view.badge.label, view.badge.line, view.badge.hover)),
    html("div", { class: "dpca-grid" },
      html("div", { class: "dpca-left" }, view.ruler.line, bar, ...left),
      html("div", { class: "dpca-right" }, html("div", { class: "dpca-corner" }, view.at, view.pin, view.copy), ...right)),
    lower(view, data),
  );
}

function lower(view, data) {
  const { words } = view.data;
  const [play, next] = [words.play, words.next].map((text) => html("button", { type: "button", class: "dpca-button", text }));
  view.release = { title: html("h3", {}), note: html("p", {}), body: html("div", { class: "dpca-figures" }), count: html("span", { class: "dpca-count" }), play, next };
  const figure = () => {
    const canvases = [...view.release.body.querySelectorAll("canvas")];
    if (canvases.length) saveCanvases("release", canvases);
    else view.release.body.querySelectorAll("svg").forEach((s, j) => savePicture(`release-direction-${j + 1}`, s));
  };
  view.release.section = html("section", {}, html("div", { class: "dpca-title" }, html("div", { class: "dpca-head" }, view.release.title, view.release.count, next, play, takeAway(words, "release", () => releaseTable(data()), figure)), view.release.note), view.release.body);
  view.projection = { title: html("h3", {}), note: html("p", {}), body: html("div", { class: "dpca-figures" }) };
  view.projection.section = html("section", {}, html("div", { class: "dpca-title" }, html("div", { class: "dpca-head" }, view.projection.title, takeAway(words, "projection", () => [["true_1", "true_2", "release_1", "release_2"], ...data().projection.true.map((t, i) => [...t, ...frameOf(view, data().projection.frames)[i]])], () => view.projection.body.querySelectorAll("svg").forEach((s, j) => savePicture(`projection-${j + 1}`, s)))), view.projection.note), view.projection.body);
  view.leaks = html("section", { class: "dpca-leaks" });
  view.takeAway = { title: html("h3", {}), text: html("p", {}), button: html("button", { type: "button", class: "dpca-button" }) };
  const away = html("section", { class: "dpca-leaks dpca-away" }, view.takeAway.title, view.takeAway.text, view.takeAway.button);
  view.footer = html("footer", {});
  return html("div", {}, html("div", { class: "dpca-lower" }, html("div", {}, view.release.section, view.projection.section), html("div", {}, view.leaks, away)), view.footer);
}
