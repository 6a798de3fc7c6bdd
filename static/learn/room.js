import { fitHeadline, hideCovered, presenting } from "../charts/presentation.js";

/* Plotly’s figures are larger already. */
const WORDS = [".dpca-picture svg:not(.main-svg) text", ".dpca-picture svg:not(.main-svg) tspan"].join();
const QUESTION_REM = 3.2;
const SMALLEST_REM = 1.5;

/* Words in a picture that has become smaller than it was drawn for can still be read. */
function enlargeWords(lesson) {
  const least = SMALLEST_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
  for (const word of lesson.querySelectorAll(WORDS)) {
    word.style.fontSize = "";
    const scale = presenting() ? word.getScreenCTM()?.a : 0;
    const size = parseFloat(getComputedStyle(word).fontSize);
    if (scale && size * scale < least) word.style.fontSize = `${least / scale}px`;
  }
}

/* Keeps a lesson legible whenever its page has drawn it. */
export function watchLesson(lesson, signal) {
  const settle = () => requestAnimationFrame(() => {
    if (signal.aborted) return;
    fitHeadline(lesson.querySelector('[data-part="question"]'), QUESTION_REM);
    hideCovered(lesson.querySelector('[data-part="handle"]'), lesson.querySelectorAll(".dpca-ticks span"));
    enlargeWords(lesson);
  });
  const drawn = new MutationObserver(settle);
  drawn.observe(lesson, { childList: true, subtree: true, characterData: true });
  const room = new ResizeObserver(settle);
  room.observe(lesson.querySelector('[data-part="pictures"]'));
  addEventListener("dpca-room", settle, { signal });
  signal.addEventListener("abort", () => [drawn, room].forEach((one) => one.disconnect()));
  settle();
}
