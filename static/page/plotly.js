const BUNDLE = "../plotly/plotly-basic-4.1.1.min.js";
/* Lists in a trace that are one value. */
const NO_ARRAYS = new Set(["colorscale", "domain"]);

/* The bundle declares a global of its own; whatever had that name before is put back. */
async function load() {
  const before = window.Plotly;
  await import(BUNDLE);
  const { Plotly } = window;
  window.Plotly = before;
  Plotly.PlotSchema.findArrayAttributes = (trace) => arraysIn(trace);
  return Plotly;
}

/* Paths to the arrays of a trace. For each trace of each answer Plotly itself goes through the whole description
   of its type, to find what may be an array: a third of the time that many curves take. */
function arraysIn(part, path = "") {
  return Object.entries(part).flatMap(([name, value]) => {
    if (!value || typeof value !== "object" || name.startsWith("_") || NO_ARRAYS.has(name)) return [];
    return Array.isArray(value) || ArrayBuffer.isView(value) ? [path + name] : arraysIn(value, `${path}${name}.`);
  });
}

/* Once per document, whoever asks first. */
export const plotly = (window.dpcaPlotly ??= load());
