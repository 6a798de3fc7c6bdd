const LABEL_HEIGHT = 15;

/* Where each line can carry its name: the free spot farthest from all other lines. */
function placeLabels(lines, width, height, gutter) {
  const taken = [];
  const placed = [];
  for (const line of lines) {
    const size = line.name.length * 6.4 + 10;
    const spots = candidates(line, lines, size, width, height, gutter);
    const spot = spots.find((s) => !taken.some((t) => overlap(s.box, t)));
    if (!spot) continue;
    taken.push(spot.box);
    placed.push({ line, ...spot });
  }
  return placed;
}

function candidates(line, lines, size, width, height, gutter) {
  const others = lines.filter((l) => l !== line);
  const spots = [];
  const first = line.points[0];
  if (gutter > 100 && first && first.y > 6 && first.y < height - 4 && size < gutter + 8) {
    const room = distance(first, others, 0);
    if (room >= LABEL_HEIGHT - 2 || line.chosen) {
      spots.push({ x: -8, y: first.y, anchor: "right", score: 60, box: box(-8 - size, first.y, size) });
    }
  }
  for (const [i, point] of line.points.entries()) {
    if (!point || point.y < 14 || point.y > height - 8) continue;
    for (const side of [1, -1]) {
      const x = point.x + side * 8;
      const area = box(side > 0 ? x : x - size, point.y - side * 2, size);
      if (area.left < 2 || area.right > width - 2) continue;
      const room = clearance(area, others);
      if (room < 2) continue;
      spots.push({ x, y: point.y - side * 2, anchor: side > 0 ? "left" : "right", score: Math.min(room, 30) - Math.abs(point.y / height - 0.45) * 12 - i * 0.05, box: area });
    }
  }
  return spots.sort((a, b) => b.score - a.score);
}

function box(left, middle, size) {
  return { left, right: left + size, top: middle - LABEL_HEIGHT / 2, bottom: middle + LABEL_HEIGHT / 2 };
}

function overlap(a, b) {
  return a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;
}

function distance(point, others, i) {
  return Math.min(...others.map((l) => (l.points[i] ? Math.abs(l.points[i].y - point.y) : 1e9)), 1e9);
}

/* Smallest vertical distance from a box to any other line, 0 where one runs through it. */
function clearance(area, others) {
  let least = 1e9;
  for (const line of others) {
    for (let i = 0; i + 1 < line.points.length; i += 1) {
      const [a, b] = [line.points[i], line.points[i + 1]];
      if (!a || !b || b.x < area.left - 4 || a.x > area.right + 4) continue;
      const low = Math.min(a.y, b.y);
      const high = Math.max(a.y, b.y);
      least = Math.min(least, Math.max(low - area.bottom, area.top - high, 0));
    }
  }
  return least;
}
