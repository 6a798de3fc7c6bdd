function save(name, blob) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* A cell that a spreadsheet would read as a formula is quoted as text. */
function cell(value) {
  if (value === null || value === undefined) return "";
  const text = String(typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(7)) : value);
  const inert = typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replace(/"/g, '""')}"` : inert;
}

function saveTable(name, rows) {
  save(`dpca-${name}.csv`, new Blob([rows.map((r) => r.map(cell).join(",")).join("\n") + "\n"], { type: "text/csv" }));
}

function savePicture(name, drawing) {
  const copy = drawing.cloneNode(true);
  copy.setAttribute("xmlns", SVG_SPACE);
  copy.setAttribute("font-family", FONT);
  save(`dpca-${name}.svg`, new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }));
}

function panelTable(panel, data) {
  const field = PANELS[panel].field;
  const known = data.mechanisms.filter((m) => m[field]);
  const bands = data.bands[field];
  const names = bands ? Object.keys(bands) : [];
  const chosen = data.mechanisms.find((m) => m.chosen);
  const head = ["epsilon", ...known.map((m) => `${m.name} (median)`), ...names.map((n) => `${chosen.name} ${n}`)];
  return [head, ...data.epsilons.map((e, i) => [e, ...known.map((m) => m[field][i]), ...names.map((n) => bands[n][i])])];
}

function ladderTable(data) {
  return [["mechanism", "standing", `epsilon that keeps ${data.target} in 9 of 10 releases`], ...rankedMechanisms(data).map((m) => [m.name, m.standing, m.needed])];
}

function dotsTable(data, index) {
  const [captured, sin] = [data.dots.captured[index] || [], data.dots.sin[index] || []];
  return [["epsilon", "captured (sorted)", "sin_theta (sorted)"], ...captured.map((v, i) => [data.epsilons[index], v, sin[i]])];
}

function spectrumTable(data) {
  return [["direction", `eigenvalue of S (${data.unit.many})`, "kept"], ...data.spectrum.values.map((v, i) => [i + 1, v, i < data.spectrum.k ? "yes" : "no"])];
}

function releaseTable(data) {
  const { labels, true: truth, frames, refused } = data.release;
  const head = ["column", ...truth.map((_, j) => `true_${j + 1}`), ...frames.flatMap((f, t) => (refused[t] ? [] : f.map((_, j) => `release_${t + 1}_${j + 1}`)))];
  return [head, ...labels.map((name, i) => [name, ...truth.map((v) => v[i]), ...frames.flatMap((f, t) => (refused[t] ? [] : f.map((v) => v[i])))])];
}

function saveCanvases(name, canvases) {
  const scale = 12;
  const columns = Math.max(1, canvases.length / 2);
  const [w, h] = [canvases[0].width * scale + 8, canvases[0].height * scale + 8];
  const sheet = html("canvas", { width: w * columns, height: h * Math.ceil(canvases.length / columns) });
  const pen = sheet.getContext("2d");
  pen.imageSmoothingEnabled = false;
  canvases.forEach((c, i) => pen.drawImage(c, (i % columns) * w, Math.floor(i / columns) * h, w - 8, h - 8));
  sheet.toBlob((blob) => save(`dpca-${name}.png`, blob));
}

/* Quiet buttons beside a title: the numbers behind the picture, and the picture. */
function takeAway(name, table, picture) {
  return html("span", { class: "dpca-take" },
    html("button", { type: "button", "aria-label": `Download ${name} as CSV`, onclick: () => saveTable(name, table()), text: "CSV" }),
    html("button", { type: "button", "aria-label": `Download ${name} as picture`, onclick: picture, text: "Picture" }));
}
