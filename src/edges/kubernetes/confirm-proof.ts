import { hasNode, isActive, isReady, isTerminating, type Pod } from '../../engine/objects/pod.js';
import type { Gathering } from './gathering.js';
import { inTurns } from './in-turns.js';

/** Own pods, their nodes, and pods that hold what the waiting ones ask for: each is one read of one key. */
const maxPods = 16;
const maxNodes = 8;
const maxHolders = 6;
const atOnce = 8;

/** The pods of the workload that a proof rests on, and their nodes. */
export function proofOf(own: readonly Pod[]): {
  readonly pods: readonly Pod[];
  readonly nodes: readonly string[];
} {
  const pods = [...own].sort((one, other) => urgency(one) - urgency(other)).slice(0, maxPods);
  return { pods, nodes: [...new Set(pods.flatMap(({ spec }) => spec.nodeName || []))].slice(0, maxNodes) };
}

export interface Confirmed {
  readonly confirmed: number;
  readonly corrected: number;
  readonly unconfirmed: number;
}

/**
 * Reads from etcd once more what a proof rests on: the workload's pods, those in trouble first, the nodes on
 * which they run, and pods that hold an extended resource for which an own pod waits, those on these nodes
 * first. The snapshot then shows them as they are, whatever the age of the lists.
 *
 * @param own pods of the workload as the cache has them
 */
export async function confirmProof(
  gathering: Pick<Gathering, 'confirm' | 'objects'>,
  own: readonly Pod[],
): Promise<Confirmed> {
  const { pods, nodes } = proofOf(own);
  const holders = holdersFor(own, gathering.objects().Pod, new Set(nodes)).slice(0, maxHolders);
  const outcomes = await inTurns(
    atOnce,
    [
      ...[...pods, ...holders].map(({ metadata }) => ({ kind: 'Pod' as const, at: metadata })),
      ...nodes.map((name) => ({ kind: 'Node' as const, at: { namespace: '', name } })),
    ],
    ({ kind, at }) => gathering.confirm(kind, at),
  );
  const count = (...wanted: readonly string[]) => outcomes.filter((each) => wanted.includes(each)).length;
  return {
    confirmed: count('same', 'corrected'),
    corrected: count('corrected'),
    unconfirmed: count('unconfirmed'),
  };
}

function urgency(pod: Pod): number {
  if (!hasNode(pod)) return 0;
  if (isTerminating(pod)) return 1;
  return isActive(pod) && isReady(pod) ? 3 : 2;
}

function holdersFor(
  own: readonly Pod[],
  pods: readonly Pod[],
  ownNodes: ReadonlySet<string>,
): readonly Pod[] {
  const wanted = new Set(own.filter((pod) => !hasNode(pod)).flatMap((pod) => [...extendedResources(pod)]));
  if (wanted.size === 0) return [];
  const uids = new Set(own.map(({ metadata }) => metadata.uid));
  const holders = pods.filter(
    (pod) =>
      hasNode(pod) &&
      !uids.has(pod.metadata.uid) &&
      isActive(pod) &&
      extendedResources(pod).some((each) => wanted.has(each)),
  );
  const rank = ({ spec }: Pod): number => (ownNodes.has(spec.nodeName ?? '') ? 0 : 1);
  return holders.sort((one, other) => rank(one) - rank(other));
}

/** Names with a domain that is not Kubernetes' own, such as `nvidia.com/gpu`. */
function extendedResources({ spec }: Pod): readonly string[] {
  return spec.containers.flatMap(({ resources }) =>
    Object.keys(resources.requests).filter((name) => name.includes('/')),
  );
}
