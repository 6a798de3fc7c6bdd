/* The page's palette and whether it is dark: what a figure's roles of colours are resolved with. */
export function lookOf(node, palette) {
  const dark = getComputedStyle(node).colorScheme === "dark";
  return { palette, dark };
}

/* dpca_core/figures/colours.py says what roles are; palette.opacity holds those of bands. */
export function colourOf(role, { palette, dark }) {
  const mode = dark ? 1 : 0;
  if (palette.colours[role]) return palette.colours[role][mode];
  const [name, shade] = [role.slice(0, role.lastIndexOf("/")), role.slice(role.lastIndexOf("/") + 1)];
  const opacity = palette.opacity[shade]?.[mode] ?? Number(shade);
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(palette.colours[name][mode].slice(i, i + 2), 16));
  return `rgba(${r},${g},${b},${opacity})`;
}

/* A figure, or a part of one, with colours in the places of their roles. */
export function resolved(value, look, key = "") {
  if (Array.isArray(value)) return value.map((item) => resolved(item, look, key));
  if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, look, name)]));
  return typeof value === "string" && key.endsWith("color") ? colourOf(value, look) : value;
}
