/* The content arrives as the bytes of its JSON, in which arrays are packed: ui/figures/wire_format.py packs them. */
export function received(component) {
  const text = component.data && new TextDecoder().decode(component.data);
  return { ...component, data: text && JSON.parse(text, (_, value) => (value?.$float32 === undefined ? value : unpacked(value))) };
}

/* Nested lists of numbers; NaN becomes null. */
export function unpacked({ $float32, shape }) {
  const bytes = Uint8Array.from(atob($float32), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const values = Array.from({ length: bytes.length / 4 }, (_, i) => {
    const value = view.getFloat32(4 * i, true);
    return Number.isNaN(value) ? null : value;
  });
  return shape.slice(1).reduceRight(folded, values);
}

function folded(values, size) {
  return Array.from({ length: values.length / size }, (_, i) => values.slice(i * size, (i + 1) * size));
}
