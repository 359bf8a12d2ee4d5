import { setTimeout as delay } from 'node:timers/promises';
import type {
  KubernetesObject,
  V1Deployment,
  V1Pod,
  V1ReplicaSet,
  V1StatefulSet,
} from '@kubernetes/client-node';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { type ApiCall, statusOf } from '#src/edges/kubernetes/api-call.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { PureEngine } from '#src/service/create-engine.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';
import { isRolledOut } from '../incidents/rolling.js';
import { type ContentionCase, gpu, type Tenant } from './contention-case.js';
import type { ObjectMirror } from './object-mirror.js';

/** A real cluster, and the shipped reader and rules. */
export interface Arena {
  readonly cluster: Cluster;
  readonly call: ApiCall;
  readonly mirror: ObjectMirror;
  readonly reader: ClusterReader;
  readonly engine: PureEngine;
}

/** One case in a namespace of its own. */
export interface Scene {
  readonly arena: Arena;
  readonly namespace: string;
  readonly drawn: ContentionCase;
  readonly number: number;
}

export async function furnishCase(scene: Scene): Promise<void> {
  const { namespace, drawn, number } = scene;
  const { cluster } = scene.arena;
  const { nodes, quota } = drawn;
  await cluster.createNodes(
    ...nodes.map((gpus, index) => ({
      name: `c${number}-node-${index}`,
      allocatable: gpus === 0 ? {} : { [gpu]: String(gpus) },
    })),
  );
  if (quota !== undefined) {
    await cluster.create({
      ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace } },
      ...{ spec: { hard: quota } },
    });
  }
  await createTenants(scene, 'first');
}

/** Creates the first workloads, or those that are created while the others are updated. */
export async function createTenants(
  { arena: { cluster }, namespace, drawn }: Scene,
  comes: Tenant['comes'],
): Promise<void> {
  for (const { manifest } of drawn.tenants.filter((each) => each.comes === comes)) {
    const { metadata } = manifest as KubernetesObject;
    await cluster.create({ ...manifest, metadata: { ...metadata, namespace } });
  }
}

const quietMilliseconds = 3_500;

/**
 * Until nothing has changed for longer than the scheduler backs off. The ReplicaSet controller backs off
 * longer after each refusal by a quota; a change of the ReplicaSet makes it try again.
 */
export async function untilAtRest(arena: Arena, namespace: string): Promise<void> {
  const { call, mirror } = arena;
  const mine = (kind: 'Pod' | 'ReplicaSet' | 'Deployment' | 'StatefulSet'): readonly KubernetesObject[] =>
    mirror.all(kind).filter(({ metadata }) => metadata?.namespace === namespace);
  const state = (): string =>
    JSON.stringify([
      ...mine('Pod').map(({ metadata }) => [metadata?.uid, metadata?.resourceVersion]),
      ...mine('Deployment').map((each) => (each as V1Deployment).status),
      ...mine('StatefulSet').map((each) => (each as V1StatefulSet).status),
      ...mine('ReplicaSet').map((each) => [
        (each as V1ReplicaSet).spec?.replicas,
        (each as V1ReplicaSet).status,
      ]),
    ]);
  const expiry = Date.now() + 120_000;
  let nudged: string | undefined;
  while (Date.now() < expiry) {
    const before = state();
    await delay(quietMilliseconds);
    if (state() !== before) continue;
    if (nudged === before) return;
    nudged = before;
    for (const { metadata } of mine('ReplicaSet')) {
      await call({
        method: 'PATCH',
        path: `${collectionPath('ReplicaSet', namespace)}/${metadata?.name}`,
        contentType: 'application/merge-patch+json',
        body: { metadata: { annotations: { 'random.test/nudge': String(Date.now()) } } },
      });
    }
  }
  throw new Error(`${namespace} does not reach a stable state`);
}

/** The diagnosis of one workload, and what was read for it. */
export interface DiagnosedWorkload {
  readonly diagnosis: Diagnosis;
  readonly read: readonly string[];
}

export async function diagnoseAll(
  { arena, namespace, drawn }: Scene,
  later: number,
): Promise<ReadonlyMap<string, DiagnosedWorkload>> {
  const diagnoses = new Map<string, DiagnosedWorkload>();
  for (const { kind, name } of drawn.tenants) {
    const ref = { cluster: 'test', kind, namespace, name };
    const answer = await arena.reader.snapshot(ref, arena.engine.needs);
    if (answer.type !== 'snapshot') throw new Error(JSON.stringify(answer));
    const takenAt = new Date(Date.parse(answer.snapshot.takenAt) + later).toISOString();
    const diagnosis = arena.engine.diagnose({ ...answer.snapshot, takenAt });
    diagnoses.set(name, { diagnosis, read: inBrief(answer.snapshot) });
  }
  return diagnoses;
}

const tenantOf = ({ drawn }: Scene, name: string): Tenant => {
  const tenant = drawn.tenants.find((each) => each.name === name);
  if (tenant === undefined) throw new Error(`no ${name}`);
  return tenant;
};

export function isComplete(scene: Scene, name: string): boolean {
  const { arena, namespace } = scene;
  const { kind } = tenantOf(scene, name);
  const object = arena.mirror
    .all(kind)
    .find(({ metadata }) => metadata?.namespace === namespace && metadata.name === name);
  if (kind === 'Deployment') return isRolledOut(object as V1Deployment);
  const { spec, status, metadata } = object as V1StatefulSet;
  return (
    (status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0) &&
    status?.currentRevision === status?.updateRevision &&
    (status?.availableReplicas ?? 0) === (spec?.replicas ?? 1)
  );
}

function podsOf({ arena: { mirror }, namespace }: Scene, name: string): readonly V1Pod[] {
  return mirror
    .all<V1Pod>('Pod')
    .filter(({ metadata }) => metadata?.namespace === namespace && metadata.labels?.app === name);
}

export const readyCount = (scene: Scene, name: string): number =>
  podsOf(scene, name).filter(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined &&
      status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
  ).length;

/**
 * Counts the ready pods at every event from now on; the returned function ends the count and returns the
 * lowest.
 */
export function followReady(scene: Scene, name: string): () => number {
  let fewest = Number.POSITIVE_INFINITY;
  let over = false;
  const recordFewest = (): boolean => {
    fewest = Math.min(fewest, readyCount(scene, name));
    return over;
  };
  scene.arena.mirror.until('the end of the change', recordFewest, 300_000).catch(() => {});
  return () => {
    over = true;
    return fewest;
  };
}

/** Until the controller has seen the last change, as the remediation worker waits before a second step. */
async function untilObserved(scene: Scene, name: string): Promise<void> {
  const { arena, namespace } = scene;
  const { kind } = tenantOf(scene, name);
  const { metadata } = await arena.cluster.read({ kind, namespace, name });
  const isObserved = (): boolean =>
    arena.mirror
      .all<V1StatefulSet>(kind)
      .some(
        (each) =>
          each.metadata?.uid === metadata?.uid &&
          (each.status?.observedGeneration ?? 0) >= (metadata?.generation ?? 0),
      );
  await arena.mirror.until(`${name} to be observed`, isObserved, 60_000);
}

export async function send(scene: Scene, name: string, remediation: Remediation): Promise<void> {
  const { arena, namespace } = scene;
  const { kind } = tenantOf(scene, name);
  const path = `${collectionPath(kind, namespace)}/${name}`;
  const must = async (request: Parameters<ApiCall>[0]): Promise<void> => {
    const answer = await arena.call(request);
    if (answer.status >= 300) throw new Error(`${request.path}: ${statusOf(answer.body).message}`);
  };
  const remove = (pod: string): Promise<void> =>
    must({ method: 'DELETE', path: `${collectionPath('Pod', namespace)}/${pod}` });
  const merge = { method: 'PATCH', contentType: 'application/merge-patch+json' } as const;
  switch (remediation.kind) {
    case 'patch-strategy': {
      const { type, ...rollingUpdate } = remediation.strategy;
      const strategy = { type, rollingUpdate: type === 'Recreate' ? null : rollingUpdate };
      await must({ ...merge, path, body: { spec: { strategy } } });
      return;
    }
    case 'scale-down-old': {
      const scale = `${collectionPath('ReplicaSet', namespace)}/${remediation.replicaSet}/scale`;
      await must({ ...merge, path: scale, body: { spec: { replicas: remediation.to } } });
      return;
    }
    case 'undo-rollout': {
      const revision = arena.mirror.get<V1ReplicaSet & { data?: { spec?: object } }>(
        remediation.from.kind,
        remediation.from.uid,
      );
      const template = (revision?.spec ?? (revision?.data?.spec as V1ReplicaSet['spec']))?.template;
      if (template === undefined) throw new Error(`no template in ${remediation.from.name}`);
      const { 'pod-template-hash': _hash, ...labels } = template.metadata?.labels ?? {};
      const value = { ...template, $patch: undefined, metadata: { ...template.metadata, labels } };
      const body = [{ op: 'replace', path: '/spec/template', value }];
      await must({ method: 'PATCH', path, contentType: 'application/json-patch+json', body });
      const { thenDelete = [] } = remediation;
      if (thenDelete.length > 0) await untilObserved(scene, name);
      for (const pod of thenDelete) await remove(pod);
      return;
    }
    case 'delete-pod':
      await remove(remediation.pod);
      return;
    default:
      throw new Error(`${remediation.kind} is not tried here`);
  }
}

/** The state of each pod, for the message of a disagreement. */
export function podsNow({ arena, namespace }: Scene): readonly string[] {
  return arena.mirror
    .all<V1Pod>('Pod')
    .filter(({ metadata }) => metadata?.namespace === namespace)
    .map(({ metadata, spec, status }) => {
      const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      return `${metadata?.name} on ${spec?.nodeName}, ${spec?.containers[0]?.image}, ready ${ready}`;
    });
}

function inBrief({ takenAt, age, index: { objects } }: Snapshot): readonly string[] {
  return [
    `taken at ${takenAt}, ${JSON.stringify(age)}`,
    ...objects.Deployment.map(
      ({ metadata, status }) =>
        `  ${metadata.name} generation ${metadata.generation}, version ${metadata.resourceVersion}: ${JSON.stringify(status)}`,
    ),
    ...objects.ReplicaSet.map(
      ({ metadata, spec, status }) =>
        `  ${metadata.name} wants ${spec.replicas}, version ${metadata.resourceVersion}: ${JSON.stringify(status)}`,
    ),
    ...objects.Pod.map(({ metadata, spec, status }) => {
      const conditions = status.conditions.map(
        ({ type, status: value, lastTransitionTime }) => `${type} ${value} ${lastTransitionTime}`,
      );
      return `  ${metadata.name} on ${spec.nodeName}, version ${metadata.resourceVersion}, deleted ${metadata.deletionTimestamp}: ${conditions.join(', ')}`;
    }),
  ];
}

/** Whether the quota refuses pods of another Deployment, which may take what a change frees. */
export function othersWantQuota({ arena, namespace }: Scene, name: string): boolean {
  return arena.mirror
    .all<V1Deployment>('Deployment')
    .some(
      ({ metadata, status }) =>
        metadata?.namespace === namespace &&
        metadata.name !== name &&
        status?.conditions?.some(({ type, status: value }) => type === 'ReplicaFailure' && value === 'True'),
    );
}
