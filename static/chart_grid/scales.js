export const MARGIN = { left: 10, right: 64, top: 10, bottom: 42 };

export function scaleOf({ low, high, log }, from, to) {
  const of = log ? Math.log : (v) => v;
  const [a, b] = [of(low), of(high)];
  return (v) => from + ((of(v) - a) / (b - a)) * (to - from);
}

export function inRange({ low, high, log }, v) {
  return v !== null && Number.isFinite(v) && (!log || v > 0) && v >= low * (low > 0 ? 0.999 : 1.001) && v <= high * 1.001;
}
