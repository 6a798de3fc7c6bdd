import { helpButton, html, svg } from "../charts/dom.js";
import { saveButtons, saveTable } from "../charts/downloads.js";
import { exportButtons } from "../charts/export.js";
import { rankedMechanisms } from "./needed_epsilon.js";
import { releaseTable } from "./release.js";

const button = (text, more = {}) => html("button", { type: "button", class: "dpca-button", text, ...more });

/* A chart's title, what it shows, and what can be saved of it. */
function block(take) {
  const title = html("h2", {});
  const sub = html("p", {});
  const extra = html("span", {});
  return { title, sub, extra, node: html("div", { class: "dpca-title" }, html("div", { class: "dpca-head" }, title, extra, take), sub) };
}

/* The instrument's skeleton, built once; everything else only fills it. */
export function build(root, view) {
  const { words } = view.data;
  const csv = (name, table) => saveButtons(words, name, { CSV: () => saveTable(name, table(view.data)) });
  const figureOf = (name, part, axis) => exportButtons(words, words.file_names[name], () => ({ figure: part === "beside" ? view.besideFigure : view.data.curves, look: view.look, title: view.blocks[name].title.textContent, sub: view.blocks[name].sub.textContent, axis }));
  view.notice = html("p", { class: "dpca-notice", role: "status" });
  view.busy = html("p", { class: "dpca-busy", role: "status" });
  view.phone = { text: html("span", {}), change: button(words.change) };
  view.warning = { text: html("span", {}), box: html("input", { type: "checkbox" }), label: html("span", {}) };
  view.answer = html("h1", { class: "dpca-answer", "aria-live": "polite" });
  view.odds = { text: html("span", {}), hover: html("span", {}) };
  view.badge = { label: html("span", { class: "dpca-badge" }), line: html("span", {}), hover: html("span", {}) };
  view.bar = html("i", {});
  view.progress = html("span", { role: "status" });
  view.stop = button(words.stop);
  view.work = html("div", { class: "dpca-work dpca-idle" }, html("div", { class: "dpca-progress" }, view.bar), view.progress, view.stop);
  view.pin = button(words.pin);
  view.copy = button(words.copy);
  const scale = svg("svg", { "aria-hidden": "true" });
  const handle = html("div", { class: "dpca-handle", role: "slider", tabindex: 0, "aria-label": words.epsilon });
  const brief = html("span", { class: "dpca-brief" });
  const track = html("div", { class: "dpca-track" }, scale, handle);
  const bar = html("div", { class: "dpca-ruler" }, brief, track);
  view.ruler = { scale, handle, track, bar, brief, line: html("div", { class: "dpca-rule" }, html("i", {})) };
  view.curves = html("div", { class: "dpca-figure", role: "figure" });
  view.beside = html("div", { class: "dpca-figure", role: "figure" });
  view.band = html("div", { class: "dpca-band", hidden: "" });
  view.ladder = svg("svg", { role: "group", "aria-label": words.needed_epsilon });
  view.target = html("select", { class: "dpca-target", "aria-label": words.target });
  view.blocks = {
    kept: block(figureOf("kept", "curves", "y")), sin: block(figureOf("sin", "curves", "y2")), noise: block(figureOf("noise", "curves", "y3")),
    ladder: block(csv(words.file_names.needed, ladderTable)),
    dots: block(figureOf("dots", "beside", "y")), sinDots: block(figureOf("sinDots", "beside", "y2")), spectrum: block(figureOf("spectrum", "beside", "y3")),
  };
  const empty = () => html("div", { class: "dpca-frame" });
  view.frames = { kept: empty(), sin: empty(), noise: empty() };
  view.boxes = { kept: empty(), sin: empty(), spectrum: empty() };
  view.boxes.spectrum.append(view.band);
  view.at = html("h2", { class: "dpca-at" });
  view.smooth = html("p", { class: "dpca-smooth" });
  const section = (name, title, frame) => html("section", { class: `dpca-${name}` }, title.node, frame);
  const { blocks, frames, boxes } = view;
  const left = html("div", { class: "dpca-panels" }, view.curves, ...["kept", "sin", "noise"].map((name) => section(name, blocks[name], frames[name])));
  const right = html("div", { class: "dpca-panels" }, view.beside, section("kept", blocks.dots, boxes.kept), section("sin", blocks.sinDots, boxes.sin), section("gap", blocks.spectrum, boxes.spectrum));
  help(view);
  root.replaceChildren(
    html("div", { class: "dpca-phone" }, view.phone.text, view.phone.change), view.notice, view.busy,
    html("div", { class: "dpca-warning" }, view.warning.text, html("label", {}, view.warning.box, view.warning.label)),
    view.answer,
    html("div", { class: "dpca-under" }, html("p", {}, view.odds.text, view.odds.hover), html("p", { class: "dpca-standing" }, view.badge.label, view.badge.line, view.badge.hover)),
    view.work,
    html("div", { class: "dpca-grid" },
      html("div", { class: "dpca-left" }, view.ruler.line, bar, left, html("section", { class: "dpca-ladder" }, blocks.ladder.node, view.ladder)),
      html("div", { class: "dpca-right" }, html("div", { class: "dpca-corner" }, view.at, view.pin, view.copy), right, view.smooth)),
    lower(view, csv),
  );
}

function ladderTable(data) {
  return [["mechanism", "standing", data.words.column_needed.replace("{target}", data.target)], ...rankedMechanisms(data).map((m) => [m.name, m.standing, m.needed])];
}

function lower(view, csv) {
  const { words } = view.data;
  const [play, next] = [button(words.play), button(words.next)];
  view.release = { title: html("h2", {}), note: html("p", {}), body: html("div", { class: "dpca-figures" }), count: html("span", { class: "dpca-count" }), play, next };
  view.release.section = html("section", {}, html("div", { class: "dpca-title" }, html("div", { class: "dpca-head" }, view.release.title, view.release.count, next, play, csv(words.file_names.release, releaseTable)), view.release.note), view.release.body);
  const take = exportButtons(words, words.file_names.projection, () => ({ figure: view.projection.figure, look: view.look, title: view.projection.title.textContent, sub: view.projection.note.textContent }));
  view.projection = { title: html("h2", {}), note: html("p", {}), body: html("div", { class: "dpca-plane", role: "figure" }) };
  view.projection.section = html("section", {}, html("div", { class: "dpca-title" }, html("div", { class: "dpca-head" }, view.projection.title, take), view.projection.note), view.projection.body);
  view.leaks = html("section", { class: "dpca-leaks" });
  view.takeAway = { title: html("h2", {}), text: html("p", {}), button: button("") };
  const away = html("section", { class: "dpca-leaks dpca-away" }, view.takeAway.title, view.takeAway.text, view.takeAway.button);
  view.footer = html("footer", {});
  return html("div", {}, html("div", { class: "dpca-lower" }, html("div", {}, view.release.section, view.projection.section), html("div", {}, view.leaks, away)), view.footer);
}

function help({ data: { hovers }, odds, blocks, target }) {
  odds.hover.replaceChildren(helpButton(hovers.odds));
  blocks.noise.extra.replaceChildren(helpButton(`${hovers["noise norm"]} ${hovers.eigengap}`));
  blocks.kept.extra.replaceChildren(helpButton(`${hovers["variation kept"]} ${hovers.epsilon} ${hovers.delta} ${hovers.neighbours}`));
  blocks.sin.extra.replaceChildren(helpButton(`${hovers.angle} ${hovers.reliable}`));
  blocks.ladder.extra.replaceChildren(target, html("span", {}));
}

/* What a visitor can do besides moving the rule. */
export function bindControls(view, plan) {
  view.target.addEventListener("change", () => view.say("target", Number(view.target.value)));
  view.warning.box.addEventListener("change", () => view.say("public", view.warning.box.checked));
  view.pin.addEventListener("click", () => view.say("pin", view.data.pinned ? "off" : "on"));
  view.takeAway.button.addEventListener("click", () => view.say("release", true));
  view.stop.addEventListener("click", () => {
    view.stopped = !view.stopped;
    view.stop.textContent = view.stopped ? view.data.words.resume : view.data.words.stop;
    plan(view);
  });
  view.copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    view.copy.textContent = view.data.words.copied;
    setTimeout(() => (view.copy.textContent = view.data.words.copy), 1500);
  });
  view.phone.change.addEventListener("click", () => {
    const open = document.body.classList.toggle("dpca-controls-open");
    view.phone.change.textContent = open ? view.data.words.done : view.data.words.change;
  });
}
