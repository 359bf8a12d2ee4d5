import type { Incarnation } from '#src/engine/statistics/incarnation.js';

/** `crashed/total` on a node, as `{ 'node-a': [3, 3] }`. */
export type Counts = Readonly<Record<string, readonly [crashed: number, total: number]>>;

/** Incarnations of one workload and revision with these counts. */
export function incarnations(
  counts: Counts,
  workload = 'Deployment/shop/api',
  revision = 'r1',
): Incarnation[] {
  return Object.entries(counts).flatMap(([node, [crashed, total]]) =>
    Array.from({ length: total }, (_, i) => ({
      uid: `${workload}/${revision}/${node}/${i}`,
      node,
      workload,
      revision,
      crashed: i < crashed,
    })),
  );
}

/** `k/n` on node X and `rest` spread evenly over `others` nodes, the crashed ones first. */
export function concentrated(
  k: number,
  n: number,
  restCrashed: number,
  rest: number,
  others: number,
): Counts {
  const counts: Record<string, [number, number]> = { x: [k, n] };
  for (let i = 0; i < rest; i += 1) {
    const node = `o${String(i % others).padStart(3, '0')}`;
    const [crashed, total] = counts[node] ?? [0, 0];
    counts[node] = [crashed + (i < restCrashed ? 1 : 0), total + 1];
  }
  return counts;
}
