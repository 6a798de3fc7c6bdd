const EPSILON = '.dpca-handle, [class*="st-key-epsilon"] input';

/* The first stop of the tab key leads to ε, past the pages and all other controls. */
export function addSkipLink(text) {
  if (document.querySelector(".dpca-skip")) return;
  const link = document.createElement("a");
  Object.assign(link, { className: "dpca-skip", href: "#epsilon", textContent: text });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector(EPSILON)?.focus();
  });
  document.body.prepend(link);
}
