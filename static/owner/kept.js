/* What was said of tables, as the server wrote it last, and edits that it may not know yet: they
   outlive a reload, and die with the tab. ui/owner/edits.py says what of a draft is kept. */

import { received } from "../page/dom.js";

const [DRAFT, EDITS] = ["dpca.draft", "dpca.edits"];
const CELLS = ["low", "typical", "high", "values"];

function store(key, text) {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    /* Full, or forbidden: what was said is with the server all the same. */
  }
}

export const keepEdits = (message) => store(EDITS, message && JSON.stringify(message));

/* `others` are columns of tables that this session has not met; once all is `settled` there are no late edits. */
export function keepDraft(text, others, settled) {
  const draft = others.length > 0 && JSON.parse(text);
  const columns = draft && Object.fromEntries([...others, ...Object.entries(draft.columns)]);
  store(DRAFT, draft ? JSON.stringify({ ...draft, columns }) : text);
  if (settled) keepEdits(null);
}

/* What is kept; without columns where nothing is, or nothing that can be read. */
export function kept() {
  try {
    const draft = sessionStorage.getItem(DRAFT);
    const columns = Object.entries(JSON.parse(draft).columns);
    return { draft, edits: JSON.parse(sessionStorage.getItem(EDITS)), columns };
  } catch {
    return { columns: [] };
  }
}

/* Whether anything was said of one of these columns. */
export const isDescribed = (columns) => columns.some(([, { entries }]) => CELLS.some((cell) => entries[cell]?.text));

/* A line that stands where this tab keeps what somebody described before a reload. Columns offers it
   once the table is chosen again. Where the table was forgotten, nothing of it is kept. */
export default async (sent, skeleton) => {
  const { forget } = (await received(sent)) ?? {};
  if (forget) for (const key of [DRAFT, EDITS]) store(key, null);
  const place = sent.parentElement;
  if (!place.querySelector("p") && isDescribed(kept().columns)) place.insertAdjacentHTML("beforeend", skeleton);
};
