/**
 * The steps of a path as `FieldChange` writes it; what stands in brackets is a key of a map or the name of an
 * item.
 */
export function stepsOf(path: string): readonly string[] {
  return (path.match(/\[[^\][]*\]|[^.[\]]+/gu) ?? []).map((step) =>
    step.startsWith('[') ? step.slice(1, -1) : step,
  );
}
