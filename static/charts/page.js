import { colourOf, lookOf } from "./colours.js";
import { html, partsOf } from "./dom.js";
import { saveFile } from "./downloads.js";
import { saveShown } from "./export.js";
import { mount, MOUNTED } from "./mount.js";
import { received } from "./packed_content.js";
import { plotly } from "./plotly.js";
import { goOn, stopAsking } from "./refinement.js";

const NARROW = 700;

/* What a page's module exports: `build` readies the parts of its skeleton, once; `paint` draws an answer; `arrive` decides whether. */
export function pageOf(name, { build, paint, arrive }) {
  const page = { name, build, arrive, paint: (view) => dress(view) && paint(view) };
  return async (sent, palette, skeleton) => draw(page, await received(sent), palette, skeleton, await plotly);
}

/* Colours of the theme, for figures and, as properties, for the style sheets; false while the page has no width. */
function dress(view) {
  const { root, palette } = view;
  const look = lookOf(root, palette);
  view.narrow = root.clientWidth < NARROW;
  root.classList.toggle("dpca-dark", look.dark);
  root.classList.toggle("dpca-narrow", view.narrow);
  if (look.dark !== view.look?.dark) {
    for (const role of Object.keys(palette.colours)) root.style.setProperty(`--${role.replaceAll(/\W/g, "-")}`, colourOf(role, look));
  }
  view.look = look;
  return true;
}

function create(page, { parentElement, data }, palette, skeleton, Plotly) {
  const root = html("div", { class: `dpca dpca-${page.name}`, "data-ready": "false" });
  root.innerHTML = skeleton;
  const view = { root, palette, Plotly, data, parts: partsOf(root) };
  listen(view);
  return mount(view, parentElement, page.paint, page.build(view));
}

/* What carries data-say tells the server when it is used; what carries data-format saves a figure. */
function listen(view) {
  view.root.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.say) view.say(button.dataset.say, button.dataset.value);
    if (button?.dataset.format) saveShown(view, button);
  });
  view.root.addEventListener("change", ({ target }) => target.dataset.say && view.say(target.dataset.say, target.type === "checkbox" ? target.checked : Number(target.value)));
  view.parts.stop?.addEventListener("click", () => {
    view.stopped = !view.stopped;
    goOn(view);
  });
}

function draw(page, component, palette, skeleton, Plotly) {
  const { parentElement, data, setStateValue, setTriggerValue } = component;
  if (!data) return undefined;
  const view = MOUNTED.get(parentElement) ?? create(page, component, palette, skeleton, Plotly);
  const before = view.data;
  if (before.id !== data.id) view.stopped = false;
  if (data.file && data.file.number !== before.file?.number) saveFile(data.file);
  stopAsking(view);
  /* State, not a trigger: of two triggers in one moment Streamlit keeps the later only. */
  Object.assign(view, { data, send: setTriggerValue, say: (name, value) => setStateValue(name, { value, at: Date.now() }) });
  if (page.arrive(view, before)) page.paint(view);
  else goOn(view, data.pause);
  return view.close;
}
