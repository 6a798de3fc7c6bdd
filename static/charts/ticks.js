export function ticksOf(top, wanted) {
  const raw = top / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((s) => s * power).find((s) => s >= raw * 0.999);
  const ticks = [];
  for (let t = step; t <= top * 1.0001; t += step) ticks.push(Number(t.toPrecision(6)));
  return ticks;
}
