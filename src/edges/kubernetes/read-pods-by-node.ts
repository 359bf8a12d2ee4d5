import { hasNode, isActive, isReady, isTerminating, type Pod } from '../../engine/objects/pod.js';
import type { PodsOnNode } from './crash-watch/pod-cache.js';
import { type Gathering, inTurns } from './gathering.js';

/**
 * After so many failures in one diagnosis the other nodes are not asked for: the cluster has enough to do.
 */
const maxFailures = 3;
/**
 * Nodes that are asked for first. While their answers are missing, the API server gets no more such requests.
 */
const probes = 4;
/**
 * Deadline of one node's list, in milliseconds: the other reads still have time when these are not answered.
 */
const timeoutMs = 5_000;
/**
 * Nodes read before it is asked for the first time whether they are enough, unless the caller says otherwise;
 * four times as many each time after.
 */
const usualFirstRound = 16;

interface PodsByNodeOptions {
  /** Reads that run at the same time. */
  readonly atOnce: number;
  /** Whether the pods of a node are kept without a list. */
  readonly isKept?: (name: string) => boolean;
  /** Whether the pods of the other nodes can change nothing; asked seldom, since it may take long. */
  readonly isEnough?: (read: ReadonlySet<string>) => boolean;
  readonly firstRound?: number;
}

/**
 * Reads the pods of these nodes, in this order, as long as the answers come and more is needed.
 *
 * @returns names of the nodes whose pods were all read
 */
export async function readPodsByNode(
  gathering: Pick<Gathering, 'tryList'>,
  names: readonly string[],
  { atOnce, isKept = () => false, isEnough = () => false, firstRound = usualFirstRound }: PodsByNodeOptions,
): Promise<ReadonlySet<string>> {
  const read = new Set<string>();
  let failures = 0;
  const readAll = (some: readonly string[], width: number): Promise<unknown> =>
    inTurns(width, some, async (name) => {
      if (failures >= maxFailures) return;
      if (isKept(name)) {
        read.add(name);
        return;
      }
      const pods = await gathering.tryList('Pod', { fieldSelector: `spec.nodeName=${name}`, timeoutMs });
      if ('type' in pods) failures += 1;
      else read.add(name);
    });
  await readAll(names.slice(0, probes), probes);
  let [from, to] = [probes, Math.max(firstRound, probes)];
  while (from < names.length && failures < maxFailures) {
    await readAll(names.slice(from, to), atOnce);
    [from, to] = [to, to * 4];
    if (from < names.length && isEnough(read)) break;
  }
  return read;
}

export interface WatchedPods {
  /** Keeps the pods of a node as the watch has them; false: they have to be listed. */
  readonly keep: (node: string) => boolean;
  /** Nodes whose pods were kept so. */
  readonly nodes: ReadonlySet<string>;
}

/** Gives the pods by node of a watch; a patient caller waits until a watch that is behind has come up. */
export type AskWatchedPods = (notOlderThan: string, isPatient: boolean) => Promise<PodsOnNode | undefined>;

/**
 * The pods that a watch has, no older than the lists of pods so far. Those on the nodes of the proof are
 * listed all the same, as the rules look at them more closely. Many lists are worth waiting for a watch that
 * is behind, and few are faster.
 *
 * @param own pods of the workload
 * @param wanted how many nodes' pods are wanted for a pod that waits
 */
export async function watchedPodsOf(
  gathering: Pick<Gathering, 'demanded' | 'adopt'>,
  own: readonly Pod[],
  wanted: number,
  ask: AskWatchedPods | undefined,
): Promise<WatchedPods> {
  const notOlderThan = gathering.demanded('Pod');
  const podsOn = notOlderThan === undefined ? undefined : await ask?.(notOlderThan, wanted > usualFirstRound);
  const listed = new Set(proofOf(own).nodes);
  const nodes = new Set<string>();
  const keep = (node: string): boolean => {
    const pods = listed.has(node) ? undefined : podsOn?.(node);
    if (pods === undefined || !gathering.adopt('Pod', pods)) return false;
    nodes.add(node);
    return true;
  };
  return { keep, nodes };
}

/** Own pods, their nodes, and pods that hold what the waiting ones ask for: each is one read of one key. */
const maxPods = 16;
const maxNodes = 8;
const maxHolders = 6;
const atOnce = 8;

/** The pods of the workload that a proof rests on, and their nodes. */
function proofOf(own: readonly Pod[]): { readonly pods: readonly Pod[]; readonly nodes: readonly string[] } {
  const pods = [...own].sort((one, other) => urgency(one) - urgency(other)).slice(0, maxPods);
  return { pods, nodes: [...new Set(pods.flatMap(({ spec }) => spec.nodeName || []))].slice(0, maxNodes) };
}

type Confirmed = { readonly confirmed: number; readonly corrected: number; readonly unconfirmed: number };

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
