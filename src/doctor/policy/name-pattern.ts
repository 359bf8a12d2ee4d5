/**
 * `*` stands for any run of characters; everything else is literal. Linear: no expression is built from
 * input.
 */
export function matchesName(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return pattern === name;
  if (!name.startsWith(first)) return false;
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  const last = parts.at(-1) ?? '';
  return name.length - last.length >= position && name.endsWith(last);
}

export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesName(pattern, name));
}
