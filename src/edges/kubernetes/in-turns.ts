/** Runs `task` on every item, at most `width` at a time; results keep the order of the items. */
export async function inTurns<Item, Result>(
  width: number,
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let position = next++; position < items.length; position = next++) {
      results[position] = await task(items[position] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}
