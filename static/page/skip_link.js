const EPSILON = '.dpca [role="slider"], [class*="st-key-epsilon"] input';

/* The first stop of the tab key leads to ε, past the pages and all other controls; gone with its page. */
export function addSkipLink(text, signal) {
  const nav = document.createElement("nav");
  nav.innerHTML = '<button type="button" class="dpca-skip"></button>';
  nav.ariaLabel = nav.firstChild.textContent = text;
  nav.addEventListener("click", () => document.querySelector(EPSILON)?.focus());
  document.body.prepend(nav);
  signal.addEventListener("abort", () => nav.remove());
}
