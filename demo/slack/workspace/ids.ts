/** The same name has the same id in every run: `min-jun` and `U` make `U0MINJUN`. */
export function fixedId(prefix: 'U' | 'W' | 'C' | 'S' | 'B' | 'A' | 'D', name: string): string {
  return `${prefix}0${name.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
}
