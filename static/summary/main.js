/* The button that prints the page: its label comes from Python, and nothing is sent back. */
export default ({ parentElement }, palette, skeleton) => {
  if (parentElement.querySelector("button")) return;
  const place = document.createElement("div");
  place.innerHTML = skeleton;
  place.firstElementChild.addEventListener("click", () => print());
  parentElement.append(place);
};
