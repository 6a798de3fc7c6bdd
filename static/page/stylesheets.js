const LOADED = {};

/* Adds style sheets to the document, each once, and waits until they apply: what is drawn measures
   its own width. They come last in the document and so after Streamlit's own rules; a page's rules
   name its root element, because the sheets of pages visited earlier stay. */
export function stylesheets(...addresses) {
  return Promise.all(addresses.map((address) => (LOADED[address] ??= new Promise((onload, onerror) => {
    const { href } = new URL(address, import.meta.url);
    document.body.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload, onerror }));
  }))));
}
