import type { NodeAttribute } from './candidate.js';
import { compare } from './incarnation.js';

export type AttributesByNode = ReadonlyMap<string, readonly NodeAttribute[]>;

/** Nodes, by index, and the attributes that exactly these share. */
export interface NodeGroup {
  readonly members: readonly number[];
  readonly attributes: readonly NodeAttribute[];
}

/**
 * Groups of two or more nodes, but not all, that share the value of an attribute. Attributes with the same nodes (zone
 * and pool, say) are one group: nothing in the data tells them apart.
 */
export function nodeGroups(nodes: readonly string[], attributes: AttributesByNode): readonly NodeGroup[] {
  const byValue = new Map<string, { attribute: NodeAttribute; members: number[] }>();
  nodes.forEach((node, i) => {
    for (const attribute of attributes.get(node) ?? []) {
      const key = JSON.stringify([attribute.name, attribute.value]);
      const known = byValue.get(key);
      if (known === undefined) byValue.set(key, { attribute, members: [i] });
      else if (known.members.at(-1) !== i) known.members.push(i);
    }
  });
  const byMembers = new Map<string, { members: number[]; attributes: NodeAttribute[] }>();
  for (const [, { attribute, members }] of [...byValue].sort(([a], [b]) => compare(a, b))) {
    if (members.length < 2 || members.length === nodes.length) continue;
    const key = members.join();
    const known = byMembers.get(key);
    if (known === undefined) byMembers.set(key, { members, attributes: [attribute] });
    else known.attributes.push(attribute);
  }
  return [...byMembers.values()];
}
