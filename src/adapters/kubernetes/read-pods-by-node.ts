import type { Gathering } from './gathering.js';
import { inTurns } from './in-turns.js';

/** After so many failures in one look the other nodes are not asked for: the cluster has enough to do. */
const maxFailures = 3;

/**
 * Reads the pods of these nodes, in this order.
 *
 * @param atOnce reads that run at the same time
 * @returns names of the nodes whose pods were all read
 */
export async function readPodsByNode(
  gathering: Pick<Gathering, 'tryList'>,
  names: readonly string[],
  atOnce: number,
): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  let failures = 0;
  await inTurns(atOnce, names, async (name) => {
    if (failures >= maxFailures) return;
    const pods = await gathering.tryList('Pod', { fieldSelector: `spec.nodeName=${name}` });
    if ('type' in pods) failures += 1;
    else read.add(name);
  });
  return read;
}
