import { CALM } from "../charts/refinement.js";

/* Milliseconds until a server that sent none is asked again. */
const AGAIN = 1000;
/* Milliseconds for which what answers an earlier question is not shown instead of an opened card. */
const PATIENCE = 1000;

/* Asks for all cards, until they are here, while nothing is measured and nobody touches anything. A server that
   is still preparing them sends what it sent before, of which nobody hears. */
export function askAhead(view, wait = CALM) {
  const { root, data } = view;
  clearTimeout(view.asking);
  if (data.cards?.length) view.cards = new Map(data.cards.map((card) => [card.figure, card]));
  root.dataset.ahead = Boolean(view.cards);
  if (view.cards || data.veiled || !data.complete) return;
  view.asking = setTimeout(() => {
    if (performance.now() - view.touched < CALM) return askAhead(view);
    view.send("ahead", Date.now());
    askAhead(view, AGAIN);
  }, wait);
}

/* Puts a card that is at hand in the place of what is shown; returns whether it is. The server hears of it once
   it is painted, and of one card after the other: while one is asked for, only the last of others counts. It is
   told at once where nothing was heard of it for long. */
export function openAhead(view, figure) {
  const card = view.data.veiled ? undefined : view.cards?.get(figure);
  if (!card) return false;
  clearTimeout(view.overdue);
  Object.assign(view, { data: { ...view.data, ...card, trouble: "" }, awaited: figure, stopped: false });
  if (!view.pending || performance.now() - view.asked > PATIENCE) {
    Object.assign(view, { pending: figure, asked: performance.now() });
    requestAnimationFrame(() => say(view, figure));
  }
  return true;
}

function say(view, figure) {
  Object.assign(view, { pending: figure, asked: performance.now() });
  view.saying = setTimeout(() => view.say("figure", figure));
}

/* Tells whether an answer is to be shown: it is for the card that was opened without one. What is older waits:
   where nothing else comes, it is what the server shows. */
export function isAnswer(view, before) {
  const { data, awaited, pending } = view;
  clearTimeout(view.overdue);
  if (!pending) return true;
  if (data.figure === pending && pending === awaited) {
    view.pending = view.awaited = undefined;
    return true;
  }
  view.data = before;
  if (data.figure === pending) say(view, awaited);
  else view.overdue = setTimeout(() => {
    Object.assign(view, { data, awaited: undefined, pending: undefined });
    view.paint();
  }, PATIENCE);
  return false;
}

export function endAhead(view) {
  for (const timer of [view.asking, view.overdue, view.saying]) clearTimeout(timer);
}
