/* The content of a component, from the compressed bytes of its JSON (ui/page/content.py). */
export const unpacked = (bytes) => new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("deflate"))).json();

/* None where a newer call has come meanwhile, even with the same content: Streamlit ends the older one, and
   would end with it what the newer one has taken over. */
export async function received({ parentElement: parent, data }) {
  const call = (parent.call = {});
  const content = await unpacked(data);
  return parent.call === call ? content : null;
}
