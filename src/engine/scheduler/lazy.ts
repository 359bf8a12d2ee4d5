/** Computes on the first call and remembers. */
export function lazy<Value>(compute: () => Value): () => Value {
  let held: { readonly value: Value } | undefined;
  return () => {
    held ??= { value: compute() };
    return held.value;
  };
}
