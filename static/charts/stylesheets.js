const LOADED = new Map();

/*
 * Adds style sheets to the document, each once, and waits until they apply: what is drawn measures
 * its own width. They come last in the document and so after Streamlit's own rules; a page's rules
 * name its root element, because the sheets of pages visited earlier stay.
 */
export function stylesheets(...addresses) {
  return Promise.all(addresses.map((address) => {
    const { href } = new URL(address, import.meta.url);
    if (!LOADED.has(href)) LOADED.set(href, added(href));
    return LOADED.get(href);
  }));
}

function added(href) {
  const link = document.createElement("link");
  return new Promise((resolve, reject) => {
    Object.assign(link, { rel: "stylesheet", href, onload: resolve, onerror: () => reject(new Error(`${href} could not be loaded.`)) });
    document.body.append(link);
  });
}
