const POSITIVE = { light: [201, 120, 30], dark: [255, 176, 84] };
const NEGATIVE = { light: [104, 84, 190], dark: [138, 128, 232] };

/* Directions as images: orange positive, violet negative, one scale for all. */
function drawImages(view, content) {
  const most = Math.max(...content.true.flat().map(Math.abs), 1e-9);
  const frame = frameOf(view, content.frames);
  const refused = content.refused[view.frame % content.refused.length];
  const strip = (rows, name) =>
    html("div", { class: "dpca-strip" }, html("span", { text: name }), html("div", {}, ...rows.map((row, j) => imageOf(row, content.shape, most, view.theme, `${name}, direction ${j + 1}`))));
  const below = refused ? html("p", { text: "Refused: nothing to show." }) : strip(frame, `Release ${(view.frame % content.frames.length) + 1}`);
  showRelease(view, [strip(content.true, "Without privacy"), below]);
}

function imageOf(values, [height, width], most, theme, name) {
  const canvas = html("canvas", { width, height, role: "img", "aria-label": name });
  const pixels = new ImageData(width, height);
  const page = theme.dark ? [20, 23, 28] : [255, 255, 255];
  const mode = theme.dark ? "dark" : "light";
  values.forEach((value, i) => {
    const share = Math.min(Math.abs(value) / most, 1);
    const colour = (value >= 0 ? POSITIVE : NEGATIVE)[mode];
    colour.forEach((c, channel) => {
      pixels.data[4 * i + channel] = page[channel] + share * (c - page[channel]);
    });
    pixels.data[4 * i + 3] = 255;
  });
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  return canvas;
}
