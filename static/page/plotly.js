/* Lists in a trace that are one value. */
const NO_ARRAYS = new Set(["colorscale", "domain"]);

/* Paths to the arrays of a trace. For each trace of each answer Plotly itself goes through the whole description
   of its type, to find what may be an array: a third of the time that many curves take. */
function arraysIn(part, path = "") {
  return Object.entries(part).flatMap(([name, value]) => {
    if (!value || typeof value !== "object" || name.startsWith("_") || NO_ARRAYS.has(name)) return [];
    return Array.isArray(value) || ArrayBuffer.isView(value) ? [path + name] : arraysIn(value, `${path}${name}.`);
  });
}

/* Once per document, whoever asks first. */
export const plotly = (window.dpcaPlotly ??= import("../plotly/plotly-basic-4.1.1.min.js").then(() => {
  window.Plotly.PlotSchema.findArrayAttributes = (trace) => arraysIn(trace);
  return window.Plotly;
}));
