import { html } from "./dom.js";

const POSITIVE = { light: [201, 120, 30], dark: [255, 176, 84] };
const NEGATIVE = { light: [104, 84, 190], dark: [138, 128, 232] };

export function imageOf(values, [height, width], most, theme, name) {
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
