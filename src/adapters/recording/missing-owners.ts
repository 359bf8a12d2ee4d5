import { type ClusterObjects, schemas } from '../../core/cluster/cluster-objects.js';
import { controllerOf, type OwnerReference } from '../../core/cluster/metadata.js';
import type { Pod } from '../../core/cluster/pod.js';
import type { Unseen } from '../../core/cluster/snapshot.js';
import { isObject } from '../../core/cluster/wire.js';
import { groupBy } from '../../core/collections/collections.js';
import { podTemplateHashLabel } from '../../core/rollout/template-equality.js';
import { workloadByName } from '../../core/rollout/tied-pods.js';

type OwnerKind = 'Deployment' | 'StatefulSet' | 'DaemonSet';

interface MissingOwner {
  readonly kind: OwnerKind;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What a recording holds of workloads that are missing from it. */
export interface WithOwners {
  readonly objects: ClusterObjects;
  readonly unseen: readonly Unseen[];
}

/**
 * Diagnoses pods of a namespace of which no workload was recorded: a stand-in wants as many pods as there
 * are, with the template of the newest. Its kind counts as not recorded, so no finding is proven, and no
 * answer is "No problem found".
 */
export function withMissingOwners(objects: ClusterObjects): WithOwners {
  const namespaces = new Set(
    [...objects.Deployment, ...objects.StatefulSet, ...objects.DaemonSet].map(
      ({ metadata }) => metadata.namespace,
    ),
  );
  const owned = groupBy(
    objects.Pod.filter(({ metadata }) => !namespaces.has(metadata.namespace)).flatMap((pod) => {
      const owner = missingOwnerOf(pod, objects);
      return owner === undefined ? [] : [{ pod, owner }];
    }),
    ({ owner: { kind, namespace, name } }) => `${kind}/${namespace}/${name}`,
  );
  if (owned.size === 0) return { objects, unseen: [] };
  const added = {
    Deployment: [...objects.Deployment],
    StatefulSet: [...objects.StatefulSet],
    DaemonSet: [...objects.DaemonSet],
  };
  const unseen: Unseen[] = [];
  for (const group of owned.values()) {
    const [{ owner }] = group;
    const stand = standInFor(
      owner,
      group.map(({ pod }) => pod),
    );
    (added[owner.kind] as unknown[]).push(schemas[owner.kind].parse(stand));
    unseen.push({
      what: owner.kind,
      namespace: owner.namespace,
      because: 'not-recorded',
      message: owner.name,
    });
  }
  return { objects: { ...objects, ...added }, unseen };
}

function missingOwnerOf(pod: Pod, objects: ClusterObjects): MissingOwner | undefined {
  const owner = controllerOf(pod);
  if (owner === undefined) return undefined;
  const { namespace } = pod.metadata;
  const top = owner.kind === 'ReplicaSet' ? deploymentAbove(owner.uid, pod, objects) : owner;
  if (top === undefined || !isOwnerKind(top.kind)) return undefined;
  const isRead = objects[top.kind].some(
    ({ metadata }) => metadata.name === top.name && metadata.namespace === namespace,
  );
  return isRead ? undefined : { kind: top.kind, namespace, name: top.name, uid: top.uid };
}

type Named = Pick<OwnerReference, 'kind' | 'name' | 'uid'>;

function deploymentAbove(uid: string, pod: Pod, { ReplicaSet }: ClusterObjects): Named | undefined {
  const read = ReplicaSet.find((each) => each.metadata.uid === uid);
  if (read !== undefined) return controllerOf(read);
  const named = workloadByName(pod);
  return named && { ...named, uid: `missing:${pod.metadata.namespace}/${named.name}` };
}

function isOwnerKind(kind: string): kind is OwnerKind {
  return kind === 'Deployment' || kind === 'StatefulSet' || kind === 'DaemonSet';
}

/** Labels that controllers add to the pods of one revision. */
const revisionLabels: ReadonlySet<string> = new Set([
  podTemplateHashLabel,
  'controller-revision-hash',
  'pod-template-generation',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
]);

function standInFor({ kind, namespace, name, uid }: MissingOwner, pods: readonly Pod[]): object {
  const newest = [...pods].sort((a, b) =>
    (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''),
  )[0];
  const labels = Object.fromEntries(
    Object.entries(newest?.metadata.labels ?? {}).filter(([label]) => !revisionLabels.has(label)),
  );
  const { nodeName: _node, ...spec } = isObject(newest?.spec) ? newest.spec : {};
  const ready = pods.filter(({ status }) =>
    status.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  ).length;
  const count = pods.length;
  const status =
    kind === 'DaemonSet'
      ? {
          desiredNumberScheduled: count,
          currentNumberScheduled: count,
          updatedNumberScheduled: count,
          numberReady: ready,
          numberAvailable: ready,
        }
      : { replicas: count, updatedReplicas: count, readyReplicas: ready, availableReplicas: ready };
  return {
    kind,
    metadata: { namespace, name, uid },
    spec: {
      ...(kind !== 'DaemonSet' && { replicas: count }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
    status: { observedGeneration: 1, ...status },
  };
}
