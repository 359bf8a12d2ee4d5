import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Pod } from '../../../engine/objects/pod.js';
import type { PodWatcher } from '../../../service/history/crash-history-ports.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { isAtLeast } from '../gathering.js';
import { maxAgeMs } from '../node-watch/node-cache.js';
import { boundedEntries, quickSchema } from '../object-schema.js';
import { collectionPath } from '../resource-paths.js';
import type { CollectionHears, CollectionWatcherOptions } from '../watch/watch-collection.js';
import { createCollectionWatcher } from '../watch/watch-collection.js';

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
/** A renewed watch tells within 2.2 seconds how far it is: as many steps. */
const patientSteps = 300;

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
   *
   * @param isPatient where pods change seldom, the watch is renewed and waited for
   */
  podsByNode(cluster: string, notOlderThan: string, isPatient?: boolean): Promise<PodsOnNode | undefined>;
  /** Receives what the watch of a cluster tells, from its first list to `end`. */
  fill(cluster: string): Required<CollectionHears> & { end(): void };
}

interface PodCacheOptions {
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
  /** Ends the watch for a short one; `undefined` where none can be renewed. */
  renew: (() => void) | undefined;
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
    async podsByNode(cluster, notOlderThan, isPatient = false) {
      for (let step = 0; reached(cluster, notOlderThan) === undefined; step += 1) {
        const kept = known.get(cluster);
        if (kept?.isWatched !== true || step === (isPatient ? patientSteps : steps)) return undefined;
        if (step === steps || elapsed() - kept.firstSentAt > recentMs) {
          if (!isPatient) return undefined;
          kept.renew?.();
          kept.renew = undefined;
        }
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
            renew: undefined,
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
        begins: (renew) => change({ renew }),
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

/** What a cache keeps of a pod on a node, as texts in JSON. */
export interface CompactPod {
  /** '' for a pod that has none: then nothing is kept of it. */
  readonly node: string;
  /** `namespace/name`. */
  readonly key: string;
  readonly own: string;
  /** Labels and owners: the same for pods of one revision in one zone. */
  readonly origin: string;
  /** The same for pods of one revision and often of many, with `nodeMark` where the node's name stands. */
  readonly spec: string;
}

const any = z.unknown().optional();

function fields(names: string): Record<string, typeof any> {
  return Object.fromEntries(names.split(' ').map((name) => [name, any]));
}

const maybeList = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();

const containers = maybeList(
  z.object({
    ...fields('name resources restartPolicy'),
    ports: maybeList(z.looseObject({ hostPort: z.number().optional() })).transform((ports) =>
      ports?.filter(({ hostPort = 0 }) => hostPort > 0),
    ),
  }),
);

/**
 * Volumes that bear on a place; a ConfigMap or a token does not. A directory of the node shows what an agent
 * of the node serves.
 */
const placedVolumes =
  'persistentVolumeClaim ephemeral hostPath csi gcePersistentDisk awsElasticBlockStore iscsi rbd'.split(' ');
const volumes = maybeList(z.looseObject({})).transform((all) =>
  all?.filter((volume) => placedVolumes.some((kind) => kind in volume)),
);

/** Each pod that runs meets these conditions, and no rule asks whether another's pod does. */
const usualConditions = ['Initialized', 'ContainersReady', 'PodReadyToStartContainers'];
const conditions = maybeList(z.looseObject({ type: z.string(), status: z.string() })).transform((all) =>
  all?.filter(({ type, status }) => status !== 'True' || !usualConditions.includes(type)),
);

const containerStatuses = maybeList(
  z.object(
    fields(
      'name ready started restartCount state lastState allocatedResources resources allocatedResourcesStatus',
    ),
  ),
);

/**
 * The fields that the placement and the rules read of pods that are not the workload's own. Neither
 * environment, arguments, probes, images nor annotations are among them.
 */
const KeptPod = z.object({
  metadata: z.object({
    name: z.string().min(1),
    namespace: z.string().min(1),
    uid: z.string().min(1),
    ...fields('resourceVersion creationTimestamp deletionTimestamp deletionGracePeriodSeconds finalizers'),
    labels: any,
    ownerReferences: any,
  }),
  spec: z.object({
    ...fields(
      'nodeSelector affinity tolerations topologySpreadConstraints overhead resources resourceClaims',
    ),
    ...fields('priority priorityClassName preemptionPolicy schedulerName readinessGates hostNetwork'),
    ...fields('restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds'),
    nodeName: z.string().nullish(),
    containers,
    initContainers: containers,
    volumes,
  }),
  status: z
    .object({
      ...fields(
        'phase reason message nominatedNodeName startTime qosClass resize allocatedResources resources',
      ),
      ...fields('resourceClaimStatuses extendedResourceClaimStatus'),
      conditions,
      containerStatuses,
      initContainerStatuses: containerStatuses,
    })
    .nullish(),
});

/**
 * Stands for the quoted name of the node, which DaemonSets write into each pod. JSON never holds this
 * character.
 */
const nodeMark = '\u0000';

/**
 * @param object a pod as the API server gives it
 * @param share gives the same text for equal texts
 * @returns `undefined` where it is no pod
 */
export function compactPod(object: unknown, share: (text: string) => string): CompactPod | undefined {
  const parsed = KeptPod.safeParse(boundedEntries(object));
  if (!parsed.success) return undefined;
  const { metadata, spec, status } = parsed.data;
  const { labels, ownerReferences, ...own } = metadata;
  const node = spec.nodeName ?? '';
  const key = `${metadata.namespace}/${metadata.name}`;
  if (node === '') return { node, key, own: '', origin: '', spec: '' };
  return {
    node,
    key,
    own: JSON.stringify({ metadata: own, status }),
    origin: share(JSON.stringify({ labels, ownerReferences })),
    spec: share(JSON.stringify(spec).replaceAll(JSON.stringify(node), nodeMark)),
  };
}

/** `undefined` where the model cannot read the pod. */
export function podOf({ node, own, origin, spec }: CompactPod): Pod | undefined {
  const { metadata, status } = JSON.parse(own) as { readonly metadata: object; readonly status?: unknown };
  return quickSchema('Pod').safeParse({
    metadata: { ...metadata, ...JSON.parse(origin) },
    spec: JSON.parse(spec.replaceAll(nodeMark, JSON.stringify(node))),
    status,
  }).data;
}

interface PodWatcherOptions extends CollectionWatcherOptions {
  readonly connections: readonly ClusterConnection[];
  /** Is filled by what the watch of all namespaces brings. */
  readonly cache?: Pick<PodCache, 'fill'>;
}

/** Lists and watches all pods. One loop a cluster and namespace: one that is down holds up no other. */
export function createPodWatcher({ connections, cache, ...options }: PodWatcherOptions): PodWatcher {
  const watchCollection = createCollectionWatcher(options);
  const schema = quickSchema('Pod');
  return {
    clusters: connections.map(({ name }) => name),
    async watch(cluster, namespace, hears, signal) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return;
      const watched = { path: collectionPath('Pod', namespace), inProtobuf: true };
      const filling = namespace === '' ? cache?.fill(cluster) : undefined;
      await watchCollection(
        connection,
        watched,
        {
          listBegins() {
            filling?.listBegins();
            hears.listBegins();
          },
          listEnds(version) {
            filling?.listEnds(version);
            hears.listEnds();
          },
          /** A pod that does not look like one is left out: one odd object stops nothing. */
          object(told, gone) {
            filling?.object(told, gone);
            const pod = schema.safeParse(boundedEntries(told));
            if (pod.success) hears.pod(pod.data, gone);
            else hears.trouble('malformed', '');
          },
          inStep() {
            filling?.inStep();
            hears.inStep();
          },
          told: (version) => filling?.told(version),
          begins: (renew) => filling?.begins(renew),
          trouble(because, message) {
            filling?.trouble(because, message);
            hears.trouble(because, message);
          },
        },
        signal,
      );
      filling?.end();
    },
  };
}
