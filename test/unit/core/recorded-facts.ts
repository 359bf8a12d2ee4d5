import { stringify } from 'yaml';

/** YAML of what an engine answered, with every object of the cluster by its name. */
export function factsText(facts: unknown): string {
  const plain: unknown = JSON.parse(JSON.stringify(facts, named) ?? 'null');
  return stringify(plain, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** JSON visits getters too: amounts and holders are computed when read. `tooSmall` follows from the reasons beside it. */
function named(key: string, value: unknown): unknown {
  if (key === 'tooSmall') return undefined;
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Set || value instanceof Map) return [...value];
  if (typeof value === 'object' && value !== null && 'metadata' in value) {
    const { name } = value.metadata as { readonly name: string };
    return 'spec' in value ? name : value;
  }
  return value;
}
