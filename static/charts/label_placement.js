const LABEL_HEIGHT = 15;

/* Where each line can carry its name: the free spot farthest from all other lines. */
export function placeLabels(lines, obstacles, width, height, gutter) {
  const taken = [];
  const placed = [];
  for (const line of lines) {
    const size = line.name.length * 6.4 + 10;
    const spots = candidates(line, [...lines.filter((l) => l !== line), ...obstacles], size, width, height, gutter);
    const spot = spots.find((s) => !taken.some((t) => overlap(s.box, t)));
    if (!spot) continue;
    taken.push(spot.box);
    placed.push({ line, ...spot });
  }
  return placed;
}

function candidates(line, others, size, width, height, gutter) {
  const spots = [];
  const first = line.points[0];
  if (gutter > 100 && first && first.y > 6 && first.y < height - 4 && size < gutter + 8) {
    const room = distance(first, others.filter((l) => l.name), 0);
    if (room >= LABEL_HEIGHT - 2 || line.chosen) {
      spots.push({ x: -8, y: first.y, anchor: "right", score: 60, box: box(-8 - size, first.y, size) });
    }
  }
  for (const [i, point] of line.points.entries()) {
    if (!point || point.y < 14 || point.y > height - 8) continue;
    if (distance(point, others.filter((l) => l.name), i) < 9) continue;
    for (const [side, rise] of [[1, 0], [-1, 0], [1, -10], [-1, -10], [1, 11], [-1, 11]]) {
      const x = point.x + side * (rise ? 2 : 8);
      const y = point.y - side * 2 + rise;
      const area = box(side > 0 ? x : x - size, y, size);
      if (area.left < 2 || area.right > width - 2 || area.top < 0 || area.bottom > height) continue;
      const room = clearance(area, others);
      if (room < 2 || clearance(core(area), [line]) <= 0) continue;
      spots.push({ x, y, anchor: side > 0 ? "left" : "right", score: Math.min(room, 30) - Math.abs(point.y / height - 0.45) * 12 - i * 0.05 - (rise ? 4 : 0), box: area });
    }
  }
  return spots.sort((a, b) => b.score - a.score);
}

function box(left, middle, size) {
  return { left, right: left + size, top: middle - LABEL_HEIGHT / 2, bottom: middle + LABEL_HEIGHT / 2 };
}

/* The part of a box that is surely ink. */
function core({ left, right, top, bottom }) {
  return { left: left + 8, right: right - 8, top: top + 3, bottom: bottom - 3 };
}

function overlap(a, b) {
  return a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom && b.top < a.bottom;
}

function distance(point, others, i) {
  return Math.min(...others.map((l) => (l.points[i] ? Math.abs(l.points[i].y - point.y) : 1e9)), 1e9);
}

/* Smallest vertical distance from a box to any of the lines, 0 where one runs through it. */
function clearance(area, others) {
  let least = 1e9;
  for (const line of others) {
    for (let i = 0; i + 1 < line.points.length; i += 1) {
      const [a, b] = [line.points[i], line.points[i + 1]];
      if (!a || !b || b.x < area.left - 4 || a.x > area.right + 4) continue;
      const [low, high] = inside(a, b, area.left - 4, area.right + 4);
      least = Math.min(least, Math.max(low - area.bottom, area.top - high, 0));
    }
  }
  return least;
}

/* Lowest and highest y of the piece of a segment between two x. */
export function inside(a, b, left, right) {
  const at = (x) => a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x || 1);
  const ends = [at(Math.max(a.x, left)), at(Math.min(b.x, right))];
  return [Math.min(...ends), Math.max(...ends)];
}
