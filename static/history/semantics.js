const MENU = '[data-testid="stSidebarNavItems"]';
const NO_LIST = `${MENU}:not([role]):has(> div), ${MENU}:has(> div) li:not([role])`;

/* What Streamlit's markup leaves out for whoever listens or has no mouse. On narrow windows a menu of
   groups is a list whose items lie in its groups, which is none: the links alone are told. And a
   formula that scrolls is reached by the Tab key. */
function complete() {
  for (const node of document.querySelectorAll(NO_LIST)) node.setAttribute("role", "none");
  for (const node of document.querySelectorAll(".katex-display:not([tabindex])")) node.tabIndex = 0;
}

export function watchSemantics() {
  new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });
  complete();
}
