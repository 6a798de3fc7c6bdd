const BUNDLE = new URL("../plotly/plotly-basic-4.1.1.min.js", import.meta.url).href;

/* The bundle declares a global of its own; whatever had that name before is put back. */
function load() {
  const before = window.Plotly;
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const loaded = () => {
      resolve(window.Plotly);
      window.Plotly = before;
    };
    Object.assign(script, { src: BUNDLE, onload: loaded, onerror: () => reject(new Error("Plotly could not be loaded.")) });
    document.head.append(script);
  });
}

/* Once per document, whichever component asks first. */
export const plotly = (window.dpcaPlotly ??= load());

export async function bundleText() {
  return (await fetch(BUNDLE)).text();
}
