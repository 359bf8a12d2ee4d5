/** The value at a dotted path of an object; `undefined` where any step is missing. Keys with dots are not reachable. */
export function fieldAt(object: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    return (value as Readonly<Record<string, unknown>>)[step];
  }, object);
}
