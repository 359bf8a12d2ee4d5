/**
 * The items by slot when every slot can have an item of its own; `acceptable` gives each slot's items. Exact
 * (augmenting paths), so that a greedy choice for one slot never makes another one seem impossible.
 */
export function assignAll<Item>(
  acceptable: readonly (readonly Item[])[],
): ReadonlyMap<Item, number> | undefined {
  const slotOf = new Map<Item, number>();
  const assign = (slot: number, tried: Set<Item>): boolean => {
    for (const item of acceptable[slot] ?? []) {
      if (tried.has(item)) continue;
      tried.add(item);
      const holder = slotOf.get(item);
      if (holder === undefined || assign(holder, tried)) {
        slotOf.set(item, slot);
        return true;
      }
    }
    return false;
  };
  return acceptable.every((_, slot) => assign(slot, new Set())) ? slotOf : undefined;
}
