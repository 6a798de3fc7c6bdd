const LATEST = new WeakMap();

/* The content of a component, from the compressed bytes of its JSON; none where a newer call has come meanwhile, even
   with the same content: Streamlit ends the older one, and would end with it what the newer one has taken over. */
export async function received(sent) {
  const place = sent.parentElement ?? sent;
  const call = {};
  LATEST.set(place, call);
  const data = sent.data && await new Response(new Response(sent.data).body.pipeThrough(new DecompressionStream("deflate"))).json();
  return { ...sent, data: LATEST.get(place) === call ? data : null };
}

/* The numbers of a packed array, as Plotly's figures hold them: little-endian single precision. */
export function numbers({ bdata }) {
  const bytes = Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

/* The rows of a packed array of two dimensions. */
export function rows(packed) {
  const width = Number(packed.shape.split(",").at(-1));
  const values = numbers(packed);
  return Array.from({ length: values.length / width }, (_, i) => values.subarray(i * width, (i + 1) * width));
}
