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
