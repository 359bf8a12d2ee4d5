import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pod } from '../../../core/cluster/pod.js';
import { isAtLeast } from '../newer-object.js';
import { maxAgeMs } from '../node-watch/node-cache.js';
import type { CollectionHears } from '../watch/watch-collection.js';
import { type CompactPod, compactPod, podOf } from './compact-pod.js';

/** Characters of all texts of one cluster, about 100,000 pods. With more of them, each diagnosis lists. */
const usualMaxText = 200_000_000;
/**
 * Texts that pods share. With more of them, those so far are held by their pods alone, and not shared any
 * further.
 */
const maxTemplates = 20_000;
/**
 * An event that is on its way arrives within some milliseconds: it is waited for in as many steps of so long.
 */
const steps = 25;
const stepMs = 10;
/** Where pods change seldom, the next event may be long in coming. */
const recentMs = 1_000;

/** The pods on a node; `undefined` where they have to be listed. */
export type PodsOnNode = (node: string) => readonly Pod[] | undefined;

/**
 * The pods of clusters as the watch of the crash history brings them, without what only their owners ask of
 * them.
 */
export interface PodCache {
  /**
   * The pods by node, not older than a resourceVersion that the API server has given for a list of pods.
   * `undefined` where the watch has not brought everything up to then, was interrupted, or is not of all
   * namespaces.
   */
  podsByNode(cluster: string, notOlderThan: string): Promise<PodsOnNode | undefined>;
  /** Receives what the watch of a cluster tells, from its first list to `end`. */
  fill(cluster: string): Required<CollectionHears> & { end(): void };
}

export interface PodCacheOptions {
  /** Monotonic, in milliseconds. */
  readonly elapsed?: () => number;
  readonly maxText?: number;
}

interface Kept {
  readonly byNode: Map<string, Map<string, CompactPod>>;
  readonly templates: Map<string, string>;
  text: number;
  /** Everything up to this resourceVersion is in it; `undefined` before the list is complete. */
  version: string | undefined;
  isWatched: boolean;
  firstSentAt: number;
}

export function createPodCache({
  elapsed = () => performance.now(),
  maxText = usualMaxText,
}: PodCacheOptions = {}): PodCache {
  const known = new Map<string, Kept>();

  /**
   * What has reached the version. A later one counts only while the watch tells something: etcd may have been
   * restored from a backup, which takes its versions back.
   */
  function reached(cluster: string, notOlderThan: string): Kept | undefined {
    const kept = known.get(cluster);
    if (kept?.version === undefined || !kept.isWatched) return undefined;
    if (kept.version === notOlderThan) return kept;
    return isAtLeast(kept.version, notOlderThan) && elapsed() - kept.firstSentAt <= maxAgeMs
      ? kept
      : undefined;
  }

  return {
    async podsByNode(cluster, notOlderThan) {
      for (let step = 0; reached(cluster, notOlderThan) === undefined; step += 1) {
        const { isWatched = false, firstSentAt = 0 } = known.get(cluster) ?? {};
        if (step === steps || !isWatched || elapsed() - firstSentAt > recentMs) return undefined;
        await delay(stepMs);
      }
      return (node) => {
        const kept = reached(cluster, notOlderThan);
        if (kept === undefined) return undefined;
        const pods = [...(kept.byNode.get(node)?.values() ?? [])].map(podOf);
        return pods.includes(undefined) ? undefined : pods.flatMap((pod) => pod ?? []);
      };
    },
    fill(cluster) {
      let listedFrom = 0;
      const end = (): unknown => known.delete(cluster);
      const change = (values: Partial<Kept>): unknown => Object.assign(known.get(cluster) ?? {}, values);
      return {
        listBegins() {
          listedFrom = elapsed();
          known.set(cluster, {
            byNode: new Map(),
            templates: new Map(),
            text: 0,
            version: undefined,
            isWatched: false,
            firstSentAt: 0,
          });
        },
        // The list is as old as its request.
        listEnds: (version) => change({ version, isWatched: true, firstSentAt: listedFrom }),
        /** What is not complete any more is not kept either, until the next list. */
        object(object, gone) {
          const kept = known.get(cluster);
          if (kept !== undefined && (!keep(kept, object, gone) || kept.text > maxText)) end();
        },
        inStep: () => change({ isWatched: true }),
        told(version) {
          if (known.get(cluster)?.version !== undefined) change({ version, firstSentAt: elapsed() });
        },
        trouble: () => change({ isWatched: false }),
        end,
      };
    },
  };
}

/** False for what is no pod: then it is not known what is missing. */
function keep(kept: Kept, object: unknown, gone: boolean): boolean {
  const { byNode, templates } = kept;
  const pod = compactPod(object, (text) => {
    const same = templates.get(text);
    if (same !== undefined) return same;
    if (templates.size >= maxTemplates) templates.clear();
    templates.set(text, text);
    return text;
  });
  if (pod === undefined) return false;
  // Pods without a node are listed by each diagnosis.
  if (pod.node === '') return true;
  const pods = byNode.get(pod.node) ?? new Map<string, CompactPod>();
  const before = pods.get(pod.key);
  if (before !== undefined) kept.text -= lengthOf(before);
  if (gone) {
    pods.delete(pod.key);
    if (pods.size === 0) byNode.delete(pod.node);
    return true;
  }
  byNode.set(pod.node, pods.set(pod.key, pod));
  kept.text += lengthOf(pod);
  return true;
}

/** As if nothing was shared: what others share with the pod may go. */
function lengthOf({ own, origin, spec }: CompactPod): number {
  return own.length + origin.length + spec.length;
}
