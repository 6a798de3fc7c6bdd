export function xOf(i, data, width) {
  return xOfEpsilon(data.epsilons[i], data, width);
}

export function xOfEpsilon(epsilon, data, width) {
  const [low, high] = [Math.log(data.epsilons[0]), Math.log(data.epsilons.at(-1))];
  return ((Math.log(epsilon) - low) / (high - low)) * width;
}

export function stopAt(x, data, width) {
  let best = 0;
  data.epsilons.forEach((e, i) => {
    if (Math.abs(xOf(i, data, width) - x) < Math.abs(xOf(best, data, width) - x)) best = i;
  });
  return best;
}

export function tickText(epsilon) {
  return epsilon >= 1e-4 ? String(Number(epsilon.toPrecision(2))) : epsilon.toExponential();
}
