/* The button that prints the page: its label comes from Python, and nothing is sent back. */
export default ({ parentElement }, palette, skeleton) => {
  if (parentElement.querySelector("button")) return;
  parentElement.insertAdjacentHTML("beforeend", skeleton);
  parentElement.lastElementChild.addEventListener("click", () => print());
};
