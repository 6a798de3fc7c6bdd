/* An SVG path through points; a gap where a point is missing, unless it is bridged. */
export function pathOf(points, bridged) {
  let pen = "M";
  let path = "";
  for (const point of points) {
    if (!point) {
      if (!bridged) pen = "M";
      continue;
    }
    path += `${pen}${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
    pen = "L";
  }
  return path;
}
