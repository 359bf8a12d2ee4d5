import { revisionAnnotation } from '#src/engine/workloads/deployment-writes.js';
import type { ApiObject } from '../cluster/api-object.js';
import { listAt, numberAt, textAt } from '../cluster/json.js';
import type { LocalCluster } from '../cluster/local-cluster.js';
import type { NodePicture, PodLook, PodPicture } from '../slack/demo-state.js';

/** Nodes and their pods by name, after the pods that have no node. */
export function drawCluster(cluster: Pick<LocalCluster, 'list'>): readonly NodePicture[] {
  const pods = cluster.list('v1', 'Pod');
  const revisions = revisionsOf(cluster.list('apps/v1', 'ReplicaSet'));
  const podsOn = (node: string | undefined): readonly PodPicture[] =>
    pods
      .filter((pod) => (textAt(pod, 'spec', 'nodeName') || undefined) === node)
      .map((pod) => drawPod(pod, revisions))
      .sort((a, b) => (a.workload === b.workload ? 0 : a.workload < b.workload ? -1 : 1));
  const waiting = podsOn(undefined);
  return [
    ...(waiting.length > 0 ? [{ name: undefined, pods: waiting }] : []),
    ...cluster.list('v1', 'Node').map(({ metadata: { name } }) => ({ name, pods: podsOn(name) })),
  ];
}

interface Revision {
  readonly workload: string;
  readonly isNew: boolean;
}

/** By the uid of the ReplicaSet. */
function revisionsOf(replicaSets: readonly ApiObject[]): ReadonlyMap<string, Revision> {
  const numberOf = ({ metadata }: ApiObject) => Number(metadata.annotations?.[revisionAnnotation] ?? 0);
  const ownerOf = ({ metadata }: ApiObject) => metadata.ownerReferences?.[0];
  const newest = new Map<string, number>();
  for (const each of replicaSets) {
    const owner = ownerOf(each)?.uid ?? '';
    newest.set(owner, Math.max(newest.get(owner) ?? 0, numberOf(each)));
  }
  return new Map(
    replicaSets.map((each) => {
      const { uid = '', name = each.metadata.name } = ownerOf(each) ?? {};
      return [each.metadata.uid, { workload: name, isNew: numberOf(each) === newest.get(uid) }];
    }),
  );
}

function drawPod(pod: ApiObject, revisions: ReadonlyMap<string, Revision>): PodPicture {
  const owner = pod.metadata.ownerReferences?.[0];
  const known = revisions.get(owner?.uid ?? '');
  const { workload, isNew } = known ?? { workload: owner?.name ?? pod.metadata.name, isNew: true };
  return { name: pod.metadata.name, workload, isNew, look: lookOf(pod) };
}

function lookOf(pod: ApiObject): PodLook {
  if (pod.metadata.deletionTimestamp !== undefined) return 'stopping';
  if (!textAt(pod, 'spec', 'nodeName')) return 'pending';
  const isReady = listAt(pod, 'status', 'conditions').some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
  if (isReady) return 'ready';
  const isFailing = listAt(pod, 'status', 'containerStatuses').some(
    (container) =>
      (numberAt(container, 'restartCount') ?? 0) > 0 ||
      /BackOff|ErrImagePull/.test(textAt(container, 'state', 'waiting', 'reason') ?? ''),
  );
  return isFailing ? 'crashing' : 'starting';
}
