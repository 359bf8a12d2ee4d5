import type { Usage, UsageProblem } from './command.js';
import type { UsageShapes } from './usage-text.js';

/** Makes a usage answer; the compiler checks key and values against the catalogue. */
export function usage<Key extends keyof UsageShapes>(key: Key, values: UsageShapes[Key]): Usage {
  return { type: 'usage', problem: { key, values } as UsageProblem };
}
