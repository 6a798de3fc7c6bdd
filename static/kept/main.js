/* A line that stands where this tab keeps what somebody described before a reload. Columns offers it
   once the table is chosen again: owner/typed_before.js and owner/loaded_before.js keep it. */

import { loadedBefore } from "../owner/loaded_before.js";
import { isTypedBefore } from "../owner/typed_before.js";

export default ({ parentElement }, palette, skeleton) => {
  if (parentElement.querySelector("p")) return;
  if (!isTypedBefore() && loadedBefore().all().length === 0) return;
  parentElement.insertAdjacentHTML("beforeend", skeleton);
};
