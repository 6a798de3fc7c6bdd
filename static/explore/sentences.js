import { filled, helpButton, write } from "../charts/dom.js";

/* The first answer has sentences near the rule only: whoever goes farther asks for the others. */
export function sentencesAt(view) {
  const { data, index } = view;
  if (data.texts[index]) return data.texts[index];
  if (view.asked !== data && !data.complete) {
    view.asked = data;
    view.send("more", { id: data.id, stage: data.stage });
  }
  const none = Object.fromEntries(Object.keys(data.texts[data.epsilon_index]).map((name) => [name, ""]));
  return { ...none, answer: `${filled(data.words.at, { epsilon: data.epsilon_texts[index] })} …`, badge: { label: "…", kind: "none", line: "", reason: null } };
}

export function drawBadge(view, badge) {
  const { label, line, hover: place } = view.badge;
  label.textContent = badge.label;
  label.className = `dpca-badge dpca-is-${badge.kind}`;
  write(line, badge.line);
  if (place.dataset.reason === badge.reason) return;
  place.dataset.reason = badge.reason;
  place.replaceChildren(...(badge.reason ? [helpButton(badge.reason)] : []));
}
