/* What was said of tables, as the server wrote it last, and edits that it may not know yet: they
   outlive a reload, and die with the tab. ui/owner/edits.py says what of a draft is kept. */

const [DRAFT, EDITS] = ["dpca.draft", "dpca.edits"];
const CELLS = ["low", "typical", "high", "values"];

export const keepEdits = (message) => write(EDITS, message && JSON.stringify(message));

/* `others` are columns of tables that this session has not met. */
export function keepDraft(text, others = []) {
  if (others.length > 0) {
    const draft = JSON.parse(text);
    draft.columns = Object.fromEntries([...others, ...Object.entries(draft.columns)]);
    text = JSON.stringify(draft);
  }
  write(DRAFT, text);
}

/* What is kept; without columns where nothing is, or nothing that can be read. */
export function kept() {
  try {
    const draft = sessionStorage.getItem(DRAFT);
    const columns = Object.entries(JSON.parse(draft).columns);
    return { draft, edits: JSON.parse(sessionStorage.getItem(EDITS)), columns };
  } catch {
    return { draft: "", edits: null, columns: [] };
  }
}

/* Whether anything was said of one of these columns. */
export function isDescribed(columns) {
  return columns.some(([, { entries }]) => CELLS.some((cell) => entries[cell]?.text));
}

export function forget() {
  for (const key of [DRAFT, EDITS]) write(key, null);
}

function write(key, text) {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    /* Full, or forbidden: what was said is with the server all the same. */
  }
}
