const PANELS = {
  kept: { field: "captured", height: 226 },
  sin: { field: "sin", height: 118 },
  noise: { field: "noise", height: 136 },
};

function ticksOf(top, wanted) {
  const raw = top / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((s) => s * power).find((s) => s >= raw * 0.999);
  const ticks = [];
  for (let t = step; t <= top * 1.0001; t += step) ticks.push(Number(t.toPrecision(6)));
  return ticks;
}

/* Range, ticks and their texts of a panel's y axis, shared with what is drawn beside it. */
function yAxis(panel, data) {
  if (panel === "kept") {
    const values = data.mechanisms.filter((m) => m.chosen && m.captured).flatMap((m) => m.captured.filter((v) => v !== null));
    const least = Math.min(data.random.captured, ...values, 0.9);
    const floor = Math.max(0, Math.min(least - 0.05, 0.75));
    const ticks = [0, 0.25, 0.5, 0.75, 1].filter((t) => t >= floor);
    return { low: floor, high: 1.03, ticks, texts: ticks.map((t) => (t === 1 ? "100 %" : String(t * 100))), log: false };
  }
  if (panel === "sin") {
    const high = data.random.sin * 1.22;
    const ticks = ticksOf(high, 3);
    return { low: -high * 0.03, high, ticks, texts: ticks.map(String), log: false };
  }
  const gap = data.gap > 0 ? data.gap : 1;
  const low = Math.log10(gap) - 1.6;
  const high = Math.log10(gap) + 2;
  const ticks = [];
  for (let e = Math.ceil(low); e <= high; e += 1) ticks.push(10 ** e);
  return { low, high, ticks, texts: ticks.map(compact), log: true };
}

function yPixel(value, axis, height) {
  const v = axis.log ? Math.log10(value) : value;
  return ((axis.high - v) / (axis.high - axis.low)) * height;
}

function bandTraces(bands, epsilons, colour, theme) {
  if (!bands) return [];
  return [95, 80, 50].flatMap((share, i) => {
    const [low, high] = [bands[`lo${share}`], bands[`hi${share}`]];
    const kept = epsilons.map((e, j) => j).filter((j) => low[j] !== null && high[j] !== null);
    const x = [...kept, ...[...kept].reverse()].map((j) => epsilons[j]);
    const y = [...kept.map((j) => low[j]), ...[...kept].reverse().map((j) => high[j])];
    return [{ x, y, mode: "lines", line: { width: 0 }, fill: "toself", fillcolor: translucent(colour, theme.band[i]), hoverinfo: "skip" }];
  });
}

function hoverText(panel, name, unit) {
  const value = { kept: "%{y:.1%} of what PCA captures", sin: "sin Θ = %{y:.3f}", noise: `noise %{y:.3s} ${unit}` }[panel];
  return `${name.replace(/</g, "‹")}<br>ε = %{x:.3~g}: ${value}<extra></extra>`;
}

function lineTrace(panel, data, mechanism, theme) {
  const colour = colourOf(mechanism, theme);
  const dash = { solid: "solid", dotted: "dot", dashed: "dash" }[mechanism.dash];
  const width = mechanism.chosen ? 2.75 : mechanism.weight === "thin" ? 1 : 1.4;
  return {
    x: data.epsilons, y: mechanism[PANELS[panel].field], mode: "lines", connectgaps: !mechanism.chosen,
    line: { color: colour, width, dash }, hovertemplate: hoverText(panel, mechanism.name, data.unit.many),
  };
}

function fixedLines(panel, data, theme, axis) {
  const across = (y, line) => ({ type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line, layer: "below" });
  if (panel === "kept") return [across(1, { color: theme.ink, width: 1.6 }), across(data.random.captured, { color: theme.faint, width: 1.2, dash: "dash" }), across(data.target, { color: theme.ink, width: 1, dash: "dot" })];
  if (panel === "sin") return [across(0, { color: theme.ink, width: 1.6 }), across(data.random.sin, { color: theme.faint, width: 1.2, dash: "dash" })];
  return data.gap > 0 ? [across(data.gap, { color: theme.ink, width: 1.6 })] : [];
}

function note(text, x, y, options) {
  return { text, x, y, showarrow: false, xanchor: "left", yanchor: "middle", font: { size: 12.5 }, ...options };
}

function notes(panel, data, theme, size, axis) {
  const at = (value) => (axis.log ? Math.log10(value) : value);
  const found = [];
  if (panel === "kept" && size.width > 300) found.push(note(`${data.random.name}: ${Math.round(data.random.captured * 100)} %`, 1, at(data.random.captured), { xref: "paper", xanchor: "right", yanchor: "bottom", font: { size: 12, color: theme.faint } }));
  if (panel === "sin") found.push(note(`a ${data.random.name}: ${data.random.sin.toFixed(2)}`, 1, at(data.random.sin), { xref: "paper", xanchor: "right", yanchor: "bottom", font: { size: 12, color: theme.faint } }));
  if (panel === "noise" && data.gap > 0) {
    const wide = size.left > 100;
    found.push(note(`<b>${data.gap_text}</b>`, wide ? 0 : 1, at(data.gap), { xref: "paper", xanchor: "right", yanchor: wide ? "middle" : "bottom", xshift: wide ? -8 : 0, font: { size: 12.5, color: theme.ink } }));
    if (data.crossing) found.push(note(data.crossing.text, Math.log10(data.crossing.epsilon), at(data.gap), { xanchor: "right", yanchor: "top", xshift: -4, yshift: -3, font: { size: 12, color: theme.ink } }));
  }
  return found;
}

/* The text at the right end of the random line, as something no name may cover. */
function corner(panel, data, size, axis) {
  if (panel === "noise") return [];
  const y = yPixel(data.random[PANELS[panel].field], axis, size.height) - 9;
  return [{ points: [{ x: size.width - 130, y }, { x: size.width, y }] }];
}

function pointsOf(panel, data, mechanism, size, axis) {
  return mechanism[PANELS[panel].field].map((v, i) => (v === null || (axis.log && v <= 0) ? null : { x: xOf(i, data, size.width), y: yPixel(v, axis, size.height) }));
}

/* Draws one panel with Plotly; nothing here runs while the rule is dragged. */
function drawPanel(node, panel, data, theme, size) {
  const axis = yAxis(panel, data);
  const known = data.mechanisms.filter((m) => m[PANELS[panel].field]);
  const chosen = known.find((m) => m.chosen);
  const order = [...known.filter((m) => !m.chosen), ...(chosen ? [chosen] : [])];
  const traces = chosen ? bandTraces(data.bands[PANELS[panel].field], data.epsilons, colourOf(chosen, theme), theme) : [];
  if (data.ghost && panel !== "noise") {
    traces.push({ x: data.epsilons, y: data.ghost[PANELS[panel].field], mode: "lines", line: { color: theme.ink, width: 1.4, dash: "longdashdot" }, hovertemplate: hoverText(panel, `Pinned: ${data.ghost.label}`, data.unit.many) });
  }
  traces.push(...order.map((m) => lineTrace(panel, data, m, theme)));
  if (panel === "noise" && data.crossing) traces.push({ x: [data.crossing.epsilon], y: [data.gap], mode: "markers", marker: { size: 9, color: theme.page, line: { color: theme.ink, width: 1.8 } }, hoverinfo: "skip" });
  const lines = [...order].reverse().map((m) => ({ name: m.name, mechanism: m, chosen: m.chosen, points: pointsOf(panel, data, m, size, axis) }));
  const level = (y) => ({ points: [0, size.width].map((x) => ({ x, y: yPixel(y, axis, size.height) })) });
  const obstacles = [...fixedLines(panel, data, theme, axis).map((shape) => level(shape.y0)), ...corner(panel, data, size, axis)];
  const names = placeLabels(lines, obstacles, size.width, size.height, size.left).map(({ line, x, y, anchor }) =>
    note(nameMarkup(line.mechanism, theme), 0, 1, { xref: "paper", yref: "paper", xshift: x, yshift: -y, xanchor: anchor, captureevents: true, name: line.mechanism.key, font: { size: line.chosen ? 13.5 : 12.5, color: textColour(line.mechanism, theme) } }),
  );
  const layout = {
    width: size.left + size.width + size.right, height: size.height, margin: { l: size.left, r: size.right, t: 0, b: 0 },
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", showlegend: false, hovermode: "closest", dragmode: false,
    font: { family: FONT, color: theme.ink, size: 12.5 }, hoverlabel: { bgcolor: theme.panel, bordercolor: theme.rule, font: { family: FONT, color: theme.ink, size: 13 } },
    xaxis: { type: "log", range: [Math.log10(data.epsilons[0]), Math.log10(data.epsilons.at(-1))], visible: false, fixedrange: true },
    yaxis: { type: axis.log ? "log" : "linear", range: [axis.low, axis.high], side: "right", tickvals: axis.ticks, ticktext: axis.texts, gridcolor: theme.hair, zeroline: false, fixedrange: true, tickfont: { color: theme.grey, size: 12 }, ticklabelstandoff: 6 },
    shapes: fixedLines(panel, data, theme, axis), annotations: [...notes(panel, data, theme, size, axis), ...names],
  };
  return window.Plotly.react(node, traces, layout, { displayModeBar: false, responsive: false });
}

function nameMarkup(mechanism, theme) {
  const name = mechanism.name.replace(/</g, "‹");
  const key = textColour(mechanism, theme) === theme.ink && !mechanism.baseline ? `<span style="color:${colourOf(mechanism, theme)}">■</span> ` : "";
  const struck = mechanism.struck ? `<s>${name}</s>` : name;
  return key + (mechanism.chosen ? `<b>${struck}</b>` : struck);
}
