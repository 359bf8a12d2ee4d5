import * as z from 'zod';
import type { Pod } from '../../../core/cluster/pod.js';
import { quickSchema } from '../object-schema.js';

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
  const parsed = KeptPod.safeParse(object);
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
