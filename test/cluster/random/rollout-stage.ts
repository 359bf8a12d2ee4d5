import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { type ApiCall, type ApiRequest, statusOf } from '#src/edges/kubernetes/api-call.js';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath, type Kind } from '../harness/resources.js';
import { type Delays, mirrorObjects, type ObjectMirror } from './object-mirror.js';
import type { RolloutView, Subject } from './rollout-subject.js';

/** A control plane in which the trials act as scheduler and kubelets. */
export interface Stage {
  readonly cluster: Cluster;
  readonly call: ApiCall;
  readonly mirror: ObjectMirror;
}

/** What the controllers of workloads write. */
const written = ['ReplicaSet', 'ControllerRevision', 'Pod'] as const;

/**
 * @param delays of the watches by which the trials see the cluster
 * @param workloads kinds that are compared
 */
export async function openStage(
  cluster: Cluster,
  delays?: Delays,
  workloads: readonly Kind[] = ['Deployment', 'StatefulSet', 'DaemonSet'],
): Promise<Stage> {
  const mirror = await mirrorObjects(cluster, ['Node', ...workloads, ...written], delays);
  return { cluster, call: createApiCall(cluster.config), mirror };
}

export function viewOf({ mirror }: Stage, namespace: string, subject: Subject): RolloutView {
  const mine = <One extends KubernetesObject>(kind: Parameters<ObjectMirror['all']>[0]): One[] =>
    mirror.all<One>(kind).filter(({ metadata }) => metadata?.namespace === namespace);
  const [workload = {}] = mine(subject.kind);
  return {
    workload,
    replicaSets: mine('ReplicaSet'),
    controllerRevisions: mine('ControllerRevision'),
    pods: mine<V1Pod>('Pod'),
    ...(subject.kind === 'Rollout' ? { services: mine('Service') } : {}),
    ...(subject.kind === 'LeaderWorkerSet' ? { statefulSets: mine('StatefulSet') } : {}),
    nodes: mirror.all('Node'),
  };
}

export async function sent({ call }: Stage, request: ApiRequest): Promise<unknown> {
  const answer = await call(request);
  if (answer.status >= 300) throw new Error(`${request.path}: ${statusOf(answer.body).message}`);
  return answer.body;
}

let marks = 0;

/**
 * The controllers of Deployments and Rollouts copy annotations to the newest ReplicaSet in every sync: when a
 * fresh one arrives there, a sync has begun and ended after everything that was seen so far.
 */
export async function barrier(
  stage: Stage,
  subject: Subject,
  { workload, replicaSets }: RolloutView,
): Promise<void> {
  if (subject.kind === 'LeaderWorkerSet') return reconcileAgain(stage, workload);
  if (subject.kind === 'StatefulSet' || subject.kind === 'DaemonSet' || replicaSets.length === 0) return;
  marks += 1;
  const mark = String(marks);
  const { namespace, name } = workload.metadata ?? {};
  await sent(stage, {
    method: 'PATCH',
    path: `${collectionPath(subject.kind, namespace)}/${name}`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { annotations: { 'random.test/mark': mark } } },
  });
  const uids = replicaSets.map(({ metadata }) => metadata?.uid ?? '');
  const isMarked = (): boolean =>
    uids.some(
      (uid) => stage.mirror.get('ReplicaSet', uid)?.metadata?.annotations?.['random.test/mark'] === mark,
    );
  // A paused or recreating Deployment may have no newest ReplicaSet yet.
  await waitedFor(stage.mirror, isMarked, 300);
}

/**
 * The controller of LeaderWorkerSets reads leaders, and is woken by StatefulSets and its own object only. A
 * change of its object makes it read everything again; nothing shows when it has.
 */
async function reconcileAgain(stage: Stage, { metadata }: KubernetesObject): Promise<void> {
  marks += 1;
  await sent(stage, {
    method: 'PATCH',
    path: `${collectionPath('LeaderWorkerSet', metadata?.namespace)}/${metadata?.name}`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { annotations: { 'random.test/mark': String(marks) } } },
  });
  await delay(250);
}

/** Whether the state was reached in time; otherwise the present state is compared. */
export async function waitedFor(
  mirror: ObjectMirror,
  check: () => boolean,
  milliseconds: number,
): Promise<void> {
  const expiry = Date.now() + milliseconds;
  await mirror
    .until('a state', () => check() || Date.now() >= expiry, milliseconds + 1_000)
    .catch((error) => {
      if (Date.now() < expiry) throw error;
    });
}

const besides: Readonly<Record<string, readonly Kind[]>> = {
  Rollout: ['Service'],
  LeaderWorkerSet: ['StatefulSet'],
};

/** All that the API server stored of this namespace until now is in the mirror. */
export function untilCaughtUp({ mirror }: Stage, subject: Subject, namespace: string): Promise<void> {
  return mirror.catchUp([...written, ...(besides[subject.kind] ?? []), subject.kind], namespace);
}

/** The controllers must have seen the changes of the trial before their state is compared. */
export async function untilMirrored(
  { mirror }: Stage,
  subject: Subject,
  change: ApiRequest,
  { metadata }: KubernetesObject,
): Promise<void> {
  const kind = change.path.includes('/pods/') ? 'Pod' : subject.kind;
  await mirror.until('the change itself', () => {
    const now = mirror.get(kind, metadata?.uid ?? '')?.metadata;
    return now === undefined || Number(now.resourceVersion) >= Number(metadata?.resourceVersion);
  });
}

export async function clear(stage: Stage, subject: Subject, namespace: string): Promise<void> {
  const { call, mirror } = stage;
  const force = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
  const remove = async (): Promise<void> => {
    for (const kind of [subject.kind, 'ReplicaSet'] as const) {
      await call({
        method: 'DELETE',
        path: collectionPath(kind, namespace),
        body: { ...force, propagationPolicy: 'Background' },
      });
    }
    await call({ method: 'DELETE', path: collectionPath('Pod', namespace), body: force });
  };
  await remove();
  const isEmpty = (): boolean => mirror.all('Pod').every(({ metadata }) => metadata?.namespace !== namespace);
  const gone = `the pods of ${namespace} to be gone`;
  // A controller that has not seen the deletion yet may make a ReplicaSet again.
  await mirror.until(gone, isEmpty, 5_000).catch(async () => {
    await remove();
    await mirror.until(gone, isEmpty);
  });
}
