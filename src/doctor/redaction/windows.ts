/**
 * What an expression tied to its start (`^`) finds at `from`, within a window of `max` characters. The window
 * bounds the work, whatever the expression repeats. The end of the window counts as the end of the text
 * (`$`).
 */
export function matchAt(
  text: string,
  from: number,
  max: number,
  pattern: RegExp,
): RegExpExecArray | undefined {
  return pattern.exec(text.slice(from, from + max)) ?? undefined;
}

/**
 * Behind what such an expression finds at `from`: its first group, or else all of it; `from` where it finds
 * nothing.
 */
export function endAt(text: string, from: number, max: number, pattern: RegExp): number {
  const found = matchAt(text, from, max, pattern);
  return from + (found?.[1] ?? found?.[0] ?? '').length;
}
