import type { Gathering } from './gathering.js';
import { inTurns } from './in-turns.js';

/** After so many failures in one look the other nodes are not asked for: the cluster has enough to do. */
const maxFailures = 3;
/** Nodes that are asked for first. While their answers are missing, the API server gets no more such requests. */
const probes = 4;
/** Deadline of one node's list, in milliseconds: the other reads still have time when these are not answered. */
const timeoutMs = 5_000;
/** Nodes read before it is asked for the first time whether they are enough; four times as many each time after. */
const firstRound = 16;

/**
 * Reads the pods of these nodes, in this order, as long as the answers come and more is needed.
 *
 * @param atOnce reads that run at the same time
 * @param isEnough whether the pods of the other nodes can change nothing; asked seldom, since it may take long
 * @returns names of the nodes whose pods were all read
 */
export async function readPodsByNode(
  gathering: Pick<Gathering, 'tryList'>,
  names: readonly string[],
  atOnce: number,
  isEnough: (read: ReadonlySet<string>) => boolean = () => false,
): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  let failures = 0;
  const readAll = (some: readonly string[], width: number): Promise<unknown> =>
    inTurns(width, some, async (name) => {
      if (failures >= maxFailures) return;
      const pods = await gathering.tryList('Pod', { fieldSelector: `spec.nodeName=${name}`, timeoutMs });
      if ('type' in pods) failures += 1;
      else read.add(name);
    });
  await readAll(names.slice(0, probes), probes);
  let [from, to] = [probes, firstRound];
  while (from < names.length && failures < maxFailures) {
    await readAll(names.slice(from, to), atOnce);
    [from, to] = [to, to * 4];
    if (from < names.length && isEnough(read)) break;
  }
  return read;
}
