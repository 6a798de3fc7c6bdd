/* A line that stands where this tab keeps what somebody described before a reload. Columns offers it
   once the table is chosen again. Where the table was forgotten, nothing of it is kept. */

import { received } from "../page/received.js";
import { forget, isDescribed, kept } from "../owner/kept.js";

export default (sent, skeleton) => {
  const { parentElement } = sent;
  received(sent).then((data) => {
    if (data?.forget) forget();
    if (parentElement.querySelector("p") || !isDescribed(kept().columns)) return;
    parentElement.insertAdjacentHTML("beforeend", skeleton);
  });
};
