/* What was said of tables, as the server wrote it last, and edits that it may not know yet: they
   outlive a reload, and die with the tab. ui/owner/edits.py says what of a draft is kept. */

import { received, write } from "../page/dom.js";

const [DRAFT, EDITS] = ["dpca.draft", "dpca.edits"];
const CELLS = ["low", "typical", "high", "values"];

function store(key, content) {
  try {
    if (content) sessionStorage.setItem(key, JSON.stringify(content));
    else sessionStorage.removeItem(key);
  } catch {
    /* Full, or forbidden: what was said is with the server all the same. */
  }
}

export const keepEdits = (message) => store(EDITS, message);

/* `others` are columns of tables that this session has not met; once all is `settled` there are no late edits. */
export function keepDraft(text, others, settled) {
  const draft = JSON.parse(text);
  const columns = Object.fromEntries([...others, ...Object.entries(draft.columns)]);
  store(DRAFT, { ...draft, columns });
  if (settled) keepEdits(null);
}

/* What is kept, as the server takes it back; without columns where nothing is, or nothing that can be read. */
export function kept() {
  try {
    const [draft, edits] = [DRAFT, EDITS].map((key) => JSON.parse(sessionStorage.getItem(key)));
    return { message: { draft: JSON.stringify(draft), edits }, columns: Object.entries(draft.columns) };
  } catch {
    return { columns: [] };
  }
}

/* Whether anything was said of one of these columns. */
export const isDescribed = (columns) => columns.some(([, { entries }]) => CELLS.some((cell) => entries[cell]?.text));

/* A line that stands where this tab keeps what somebody described before a reload, which Columns offers
   once the table is chosen again. Where the table was forgotten, nothing of it is kept. */
export default async (sent, skeleton) => {
  const { forget } = (await received(sent)) ?? {};
  if (forget) for (const key of [DRAFT, EDITS]) store(key, null);
  write(sent.parentElement, isDescribed(kept().columns) ? skeleton : "");
};
