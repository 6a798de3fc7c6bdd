/* A figure in which one name is lit: its row and its name, or its lines, beside which all others are faint. */
export function lit(figure, name) {
  if (!name) return figure;
  const row = figure.layout.shapes?.some((shape) => shape.name === name);
  if (!row && !figure.data.some(({ meta }) => meta === name)) return figure;
  const data = row ? figure.data : figure.data.map((trace) => (trace.meta === name ? { ...trace, line: { ...trace.line, width: trace.line.width + 1.15 } } : trace.meta === undefined ? trace : { ...trace, opacity: 0.6 }));
  const shapes = figure.layout.shapes?.map((shape) => (shape.name === name ? { ...shape, visible: true } : shape));
  const bold = (word) => (word.name === name ? { ...word, text: `<b>${word.text}</b>` } : word);
  const sizes = Object.entries(figure.sizes).map(([width, size]) => [width, { ...size, annotations: size.annotations.map(bold) }]);
  return { ...figure, data, layout: { ...figure.layout, shapes }, sizes: Object.fromEntries(sizes) };
}

/* The name of the row under the pointer, of a figure that is drawn and has rows. */
export function rowUnder(node, { clientY }) {
  const areas = (node.layout?.shapes || []).filter(({ name }) => name);
  if (!areas.length) return undefined;
  const { top, height } = node.querySelector(".nsewdrag").getBoundingClientRect();
  const [last, first] = node.layout.yaxis.range;
  const at = first + ((clientY - top) / height) * (last - first);
  return areas.find(({ y0, y1 }) => y1 <= at && at < y0)?.name;
}
