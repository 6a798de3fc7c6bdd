/* The content arrives as the bytes of its JSON. */
export function received(component) {
  return { ...component, data: component.data && JSON.parse(new TextDecoder().decode(component.data)) };
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
