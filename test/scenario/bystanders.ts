import { type ClusterIndex, indexObjects } from '#src/core/cluster/cluster-index.js';
import {
  clusterObjects,
  type ResourceKind,
  resourceKinds,
  schemas,
} from '#src/core/cluster/cluster-objects.js';
import type { Event } from '#src/core/cluster/event.js';
import type { Pod } from '#src/core/cluster/pod.js';
import type { PersistentVolumeClaim } from '#src/core/cluster/storage.js';

const elsewhere = 'namesakes';

/** Everything once more in another namespace, by the same names, with uids of its own; the pods have ended. */
export function withNamesakes({ objects }: ClusterIndex): ClusterIndex {
  const entries = resourceKinds.map((kind) => [kind, [...objects[kind], ...namesakesOf(objects[kind])]]);
  return indexObjects(clusterObjects(Object.fromEntries(entries)));
}

/** Beside each pod one like it, of nobody, that has run to its end. */
export function withEndedPods({ objects }: ClusterIndex): ClusterIndex {
  const ended = objects.Pod.map((pod) => ({
    ...endedPod(pod),
    metadata: {
      ...pod.metadata,
      name: `ended-${pod.metadata.name}`,
      uid: `${pod.metadata.uid}-ended`,
      ownerReferences: [],
    },
  }));
  return indexObjects(clusterObjects({ ...objects, Pod: [...objects.Pod, ...ended] }));
}

type Any = ClusterIndex['objects'][ResourceKind][number];

function namesakesOf(objects: readonly Any[]): readonly Any[] {
  return objects.filter(({ metadata }) => metadata.namespace !== '').map(namesake);
}

function namesake(object: Any): Any {
  const { metadata } = object;
  const owners = metadata.ownerReferences.map((owner) => ({ ...owner, uid: `${owner.uid}-namesake` }));
  return {
    ...contentElsewhere(object),
    metadata: {
      ...metadata,
      namespace: elsewhere,
      uid: `${metadata.uid}-namesake`,
      ownerReferences: owners,
    },
  } as Any;
}

function contentElsewhere(object: Any): Any {
  if (object.kind === 'Pod') return endedPod(object);
  if (object.kind === 'Event') return eventElsewhere(object);
  return object.kind === 'PersistentVolumeClaim' ? boundElsewhere(object) : object;
}

function endedPod(pod: Pod): Pod {
  const nothingRuns = { conditions: [], containerStatuses: [], initContainerStatuses: [] };
  return { ...pod, status: { ...pod.status, ...nothingRuns, phase: 'Succeeded' } };
}

function eventElsewhere(event: Event): Event {
  const { involvedObject: about } = event;
  const namespace = about.namespace === '' ? '' : elsewhere;
  return { ...event, involvedObject: { ...about, namespace, uid: `${about.uid}-namesake` } };
}

function boundElsewhere(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { volumeName } = claim.spec;
  return volumeName === undefined
    ? claim
    : { ...claim, spec: { ...claim.spec, volumeName: `${volumeName}-namesake` } };
}

/** A LimitRange may fill in requests, a NodeClaim brings a node, a class is one to choose from, whatever else they say. */
const telling: readonly ResourceKind[] = ['Node', 'Pod', 'LimitRange', 'NodeClaim', 'StorageClass'];
const bareKinds = resourceKinds.filter((kind) => !telling.includes(kind));

/**
 * One object more of each kind, in that namespace, that says nothing but its name, and a pod of nobody which no node
 * suits. Kinds of which one more always tells something are left out, such as nodes, which every sentence counts, and the
 * pod where a quota counts pods.
 */
export function withBareObjects({ objects }: ClusterIndex, namespace: string): ClusterIndex {
  const metadata = { name: 'bare', namespace, uid: 'bare' };
  const entries = bareKinds.map((kind) => {
    const bare = schemas[kind].safeParse({ metadata, ...least });
    return [kind, bare.success ? [...objects[kind], bare.data] : objects[kind]];
  });
  const waiting = schemas.Pod.parse({
    metadata,
    spec: { nodeSelector: { 'example.com/none': 'such' }, containers: [] },
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  });
  const isCounted = objects.ResourceQuota.some(
    (quota) => quota.metadata.namespace === namespace && 'pods' in quota.spec.hard,
  );
  const Pod = isCounted ? objects.Pod : [...objects.Pod, waiting];
  return indexObjects(clusterObjects({ ...objects, ...Object.fromEntries(entries), Pod }));
}

/** What the schemas demand of one kind or another. */
const least = {
  spec: {
    selector: { matchLabels: { app: 'bare' } },
    template: { spec: { containers: [] } },
    nodeName: 'bare',
    source: {},
    scaleTargetRef: { kind: 'Deployment', name: 'bare' },
    driver: 'example.com/none',
    pool: { name: 'bare' },
  },
};
