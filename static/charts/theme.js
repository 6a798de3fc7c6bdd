const LIGHT = { ink: "#16191D", grey: "#565D66", faint: "#6F767E", hair: "#ECEDEE", rule: "#D9DBDE", page: "#FFFFFF", panel: "#F6F5F2", accent: "#D0103A", band: [0.13, 0.17, 0.24] };
const DARK = { ink: "#ECEEF0", grey: "#A9B0B9", faint: "#8E96A0", hair: "#252A31", rule: "#363C45", page: "#14171C", panel: "#1C2027", accent: "#FF5470", band: [0.18, 0.22, 0.29] };
export const FONT = '"Source Sans", "Source Sans Pro", sans-serif';

function luminance(colour) {
  const hex = colour.trim();
  const channels = hex.startsWith("#")
    ? [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16))
    : (hex.match(/[\d.]+/g) || [255, 255, 255]).slice(0, 3).map(Number);
  const [r, g, b] = channels.map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(first, second) {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

export function themeOf(node) {
  const page = getComputedStyle(node).getPropertyValue("--st-background-color") || "#FFFFFF";
  const dark = luminance(page) < 0.4;
  return { ...(dark ? DARK : LIGHT), dark };
}

export function colourOf(mechanism, theme) {
  return mechanism.color[theme.dark ? 1 : 0];
}

/* A name is written in its colour only where it can be read. */
export function textColour(mechanism, theme) {
  const colour = colourOf(mechanism, theme);
  return contrast(colour, theme.page) >= 4.5 ? colour : theme.ink;
}

export function translucent(colour, alpha) {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return `rgba(${r},${g},${b},${alpha})`;
}

export function inkOf(name, theme) {
  return Array.isArray(name) ? name[theme.dark ? 1 : 0] : theme[name] || name;
}
