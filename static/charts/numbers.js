export function compact(value) {
  if (!Number.isFinite(value)) return "∞";
  const rounded = Number(value.toPrecision(2));
  return rounded >= 1000 ? rounded.toLocaleString("en") : String(rounded);
}
