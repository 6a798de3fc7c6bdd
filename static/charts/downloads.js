/* What can be saved comes from the server: a release, or a file with this mark. tests/ui/figures/test_downloads.py
   holds that there is no third way, and that only this file saves. */
const NOT_PRIVATE = "Not private: computed from the true data";
/* As many as ui/figures/saved_figure.py takes at once. */
const MOST_REQUESTS = 8;

/* Asks for the figure in the part that a button's place names, below the title beside it. */
export function askForFile(view, button) {
  const { root, data, look, index, frame } = view;
  const heading = button.closest(".dpca-title");
  const chart = heading.closest("[data-key]");
  const { dataset: named } = button.parentElement;
  const { clientWidth: width } = (chart ?? root).querySelector(`[data-part="${named.figure}"]`);
  const [title, sub] = ["h2", "p"].map((tag) => heading.querySelector(tag).textContent);
  const shown = { id: data.id, chart: chart?.dataset.key, title, sub, width, dark: look.dark, index, frame };
  view.wanted = [...(view.wanted ?? []), { ...named, ...shown, format: button.dataset.format, number: Math.random() }].slice(-MOST_REQUESTS);
  view.say("files", view.wanted);
}

/* A picture is drawn here, of the figure that came; SVG, or PNG of twice as many dots each way. */
export function saveFile({ name, text, type }, Plotly) {
  if (!text.includes(NOT_PRIVATE)) throw new Error(`${name} does not carry the mark.`);
  if (type.startsWith("image/")) {
    const [figure, [filename, format]] = [JSON.parse(text), name.split(".")];
    const { width, height } = figure.layout;
    Plotly.downloadImage(figure, { filename, format, width, height, scale: format === "png" ? 2 : 1 });
    return;
  }
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
