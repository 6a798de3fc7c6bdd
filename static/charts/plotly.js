const BUNDLE = new URL("../plotly/plotly-basic-4.1.1.min.js", import.meta.url).href;

/* The bundle declares a global of its own; whatever had that name before is put back. */
function load() {
  const before = window.Plotly;
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const loaded = () => {
      resolve(quickened(window.Plotly));
      window.Plotly = before;
    };
    Object.assign(script, { src: BUNDLE, onload: loaded, onerror: () => reject(new Error("Plotly could not be loaded.")) });
    document.head.append(script);
  });
}

/* What every trace may hold as an array, whatever its type. */
const COMMON = [["customdata"], ["ids"]];

/* For each trace of each answer Plotly goes through the whole description of its type, to find what
   may be an array: a third of the time that many curves take. What it finds is kept for each type. */
function quickened(Plotly) {
  const schema = Plotly.PlotSchema;
  const known = new Map();
  const places = ({ attributes }) => {
    if (!known.has(attributes)) {
      const found = new Set();
      schema.crawl(attributes, (attribute, name, all, level, path) => {
        if (attribute?.valType === "data_array" || attribute?.arrayOk) found.add(path);
      });
      known.set(attributes, [...COMMON, ...[...found].map((path) => path.split("."))]);
    }
    return known.get(attributes);
  };
  const isArray = (value) => Array.isArray(value) || ArrayBuffer.isView(value);
  const at = (trace, path) => path.reduce((value, name) => value?.[name], trace);
  schema.findArrayAttributes = ({ _module: kind, ...trace }) =>
    places(kind).filter((path) => isArray(at(trace, path))).map((path) => path.join("."));
  return Plotly;
}

/* Once per document, whichever component asks first. */
export const plotly = (window.dpcaPlotly ??= load());
