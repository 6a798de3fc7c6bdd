import { html } from "./dom.js";

const EPSILON = '.dpca [role="slider"], [class*="st-key-epsilon"] input';

/* The first stop of the tab key leads to ε, past the pages and all other controls. */
export function addSkipLink(text) {
  if (document.querySelector(".dpca-skip")) return;
  const lead = () => document.querySelector(EPSILON)?.focus();
  document.body.prepend(html("nav", { "aria-label": text }, html("button", { type: "button", class: "dpca-skip", text, onclick: lead })));
}
