import type { KubernetesObject, V1Pod, V1ReplicaSet } from '@kubernetes/client-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeRequest, Plan } from '#src/doctor/fixes/plan.js';
import { fullSight } from '#src/doctor/policy/view.js';
import { type ClusterConnection, connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createWorkloadPatcher } from '#src/edges/kubernetes/workload-patcher.js';
import { type ResourceKind, resourceKinds } from '#src/engine/objects/cluster-objects.js';
import type { Unseen } from '#src/engine/objects/snapshot.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { WorkloadPatcher } from '#src/service/change/workload-patcher.js';
import type { ClusterReader } from '#src/service/diagnose/cluster-reader.js';
import { buildTrial } from '../support/authority.js';
import { type Cluster, startCluster, type Target } from './harness/cluster.js';
import { nameOf } from './harness/grants.js';
import { resources } from './harness/resources.js';
import { accounts, applyShipped, grantsOf, shippedObjects } from './harness/shipped-rbac.js';
import { machineClock, uncheckedApproval, uncheckedAuthority } from './harness/unchecked-authority.js';
import { watchCandidatesOnce } from './harness/watch-candidates-once.js';
import { watchNodesOnce } from './harness/watch-nodes-once.js';
import { watchOnce } from './harness/watch-once.js';
import { crashOnNode } from './incidents/crash-on-node.js';
import { daemonSetSurge } from './incidents/daemon-set-surge.js';
import { deploymentManifest } from './incidents/deployment-manifest.js';
import { electing, storeIn } from './incidents/every-reading.js';
import { statefulSetOrderedReady } from './incidents/stateful-set-ordered-ready.js';
import {
  surgeDeviceClaim,
  surgeExtendedResource,
  surgeReadWriteOncePod,
} from './incidents/surge-deadlocks.js';
import { unboundVolume } from './incidents/unbound-volume.js';

const everything: ReadonlySet<ResourceKind | 'PodLog'> = new Set([...resourceKinds, 'PodLog']);
const clock = { now: () => new Date() };

async function connect(cluster: Cluster, name: string): Promise<readonly ClusterConnection[]> {
  const kubeconfig = await cluster.kubeconfigFor({ namespace: accounts.namespace, name });
  return connectClusters({ kubeconfig, contexts: [] });
}

async function readerOf(cluster: Cluster, name: string): Promise<ClusterReader> {
  const connections = await connect(cluster, name);
  return createClusterReader({ connections, clock, timeoutMs: 30_000, findTimeoutMs: 10_000 });
}

async function unseenBy(reader: ClusterReader, workload: WorkloadRef): Promise<readonly string[]> {
  const answer = await reader.snapshot(workload, everything);
  if (answer.type !== 'snapshot') throw new Error(`no snapshot: ${JSON.stringify(answer)}`);
  const text = ({ what, namespace, because }: Unseen): string =>
    `${what} of ${namespace || 'all namespaces'}: ${because}`;
  return answer.snapshot.unseen.map(text).sort();
}

/** A plan without a relevant change, because only the right to send it is tested. */
async function planFor(cluster: Cluster, target: Target, request: ChangeRequest): Promise<Plan> {
  const { metadata } = await cluster.read<V1Pod | V1ReplicaSet>(target);
  return {
    type: 'plan',
    remediationId: 'r1',
    target: {
      apiVersion: resources[target.kind].apiVersion,
      kind: target.kind,
      namespace: target.namespace ?? '',
      name: target.name,
      uid: metadata?.uid ?? '',
    },
    request,
    changes: [],
  };
}

const annotate: ChangeRequest = {
  verb: 'patch',
  patchType: 'merge',
  body: { metadata: { annotations: { 'rollout-doctor.test/touched': 'yes' } } },
};
const scale: ChangeRequest = {
  verb: 'patch',
  patchType: 'merge',
  subresource: 'scale',
  body: { spec: { replicas: 0 } },
};

/** It has no pods: no node has its label, and the StatefulSet wants none. */
function idleWorkload(kind: string, namespace: string): KubernetesObject {
  const labels = { app: 'idle' };
  const containers = [{ name: 'app', image: 'registry.example/idle:1' }];
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers, nodeSelector: { pool: 'none' } } },
    ...(kind === 'StatefulSet' ? { replicas: 0, serviceName: 'idle' } : {}),
  };
  return Object.assign({ apiVersion: 'apps/v1', kind, metadata: { namespace, name: 'idle' } }, { spec });
}

async function firstOf(cluster: Cluster, kind: 'Pod' | 'ReplicaSet', namespace: string): Promise<Target> {
  const { items } = await cluster.objects.list(resources[kind].apiVersion, kind, namespace);
  return { kind, namespace, name: items[0]?.metadata?.name ?? '' };
}

/** Back to the one revision that the idle DaemonSet has. */
async function goBack(cluster: Cluster, namespace: string): Promise<ChangeRequest> {
  const kind = 'ControllerRevision' as const;
  const revision = await cluster.until({
    what: 'the revision of the DaemonSet',
    selection: { kind, namespace },
    check: (revisions) =>
      revisions.find(({ metadata }) => metadata?.ownerReferences?.[0]?.kind === 'DaemonSet'),
  });
  const { name = '', uid = '' } = revision.metadata ?? {};
  return { verb: 'restore-template', from: { kind, name, uid } };
}

describe('the shipped accounts', () => {
  let cluster: Cluster;
  let reader: ClusterReader;
  let patcher: WorkloadPatcher;
  beforeAll(async () => {
    cluster = await startCluster({ auditedGroups: [`system:serviceaccounts:${accounts.namespace}`] });
    await applyShipped(cluster, [
      'base/service-accounts.yaml',
      'cluster-wide/reader.yaml',
      'cluster-wide/patcher.yaml',
    ]);
    reader = await readerOf(cluster, accounts.reader);
    patcher = createWorkloadPatcher({
      connections: await connect(cluster, accounts.patcher),
      clock,
      sharedClock: machineClock,
      authority: uncheckedAuthority,
      timeoutMs: 10_000,
    });
  });
  afterEach(async () => {
    await cluster?.clear();
  });
  afterAll(async () => {
    await cluster?.stop();
  });

  it.for([
    surgeExtendedResource,
    surgeReadWriteOncePod,
    surgeDeviceClaim,
    unboundVolume,
    daemonSetSurge,
    statefulSetOrderedReady,
    crashOnNode,
  ])('let the reader see everything about $id', async (incident) => {
    const { workload } = await incident.reproduce(cluster);
    await cluster.create(storeIn(workload.namespace));
    cluster.controlPlane.writePodLogs({ current: 'ready', previous: electing(workload.namespace) });
    expect(await unseenBy(reader, workload)).toEqual([]);
  });

  it('let the reader see the rollout of another Deployment that waits in the namespace', async () => {
    const { workload } = await surgeExtendedResource.reproduce(cluster);
    const { namespace } = workload;
    const waiting = deploymentManifest({ namespace, name: 'other', requests: { 'nvidia.com/gpu': '1' } });
    await cluster.create(waiting);
    await cluster.until<V1Pod, true>({
      what: 'the pod of the other Deployment to be refused',
      selection: { kind: 'Pod', namespace },
      check: (pods) =>
        pods.some(
          ({ metadata, status }) =>
            metadata?.labels?.app === 'other' &&
            status?.conditions?.some(({ reason }) => reason === 'Unschedulable'),
        ) || undefined,
    });
    expect(await unseenBy(reader, workload)).toEqual([]);
  });

  it('let the reader see the NodePools where a pod waits and a node is of Karpenter', async () => {
    const { workload } = await surgeExtendedResource.reproduce(cluster);
    const labels = { 'karpenter.sh/nodepool': 'general' };
    await cluster.patch({ kind: 'Node', name: 'cpu-a' }, { metadata: { labels } });
    expect(await unseenBy(reader, workload)).toEqual([]);
  });

  it('let the reader find the namespace of a workload name', async () => {
    await cluster.createNamespace('shop');
    const found = await reader.find({ namespace: 'shpo', name: 'web' }, fullSight);
    expect(found).toMatchObject({ type: 'not-found', what: 'namespace', nearest: ['shop'] });
  });

  it('let the reader watch pods and events for the crash history and the sentinel, and nodes for diagnoses', async () => {
    const [connection] = await connect(cluster, accounts.reader);
    expect(connection && (await watchOnce(connection, ''))).toBe('in step');
    expect(connection && (await watchNodesOnce(connection))).toBe('in step');
    expect(connection && (await watchCandidatesOnce(connection, ''))).toBe(
      'reason=FailedCreate watched, reason=Unhealthy watched, status.phase=Pending watched',
    );
  });

  it('let the patcher dry-run and apply every kind of change', async () => {
    const { namespace } = (await surgeExtendedResource.reproduce(cluster)).workload;
    for (const kind of ['StatefulSet', 'DaemonSet']) await cluster.create(idleWorkload(kind, namespace));
    const deployment: Target = { kind: 'Deployment', namespace, name: 'inference' };
    const idle: Target = { kind: 'DaemonSet', namespace, name: 'idle' };
    const changes: readonly (readonly [Target, ChangeRequest])[] = [
      [deployment, annotate],
      [idle, annotate],
      [{ kind: 'StatefulSet', namespace, name: 'idle' }, annotate],
      [await firstOf(cluster, 'ReplicaSet', namespace), scale],
    ];
    for (const [target, request] of changes) {
      const outcome = await patcher.dryRun(buildTrial('test', await planFor(cluster, target, request)));
      expect(outcome, `${request.verb} ${target.kind}`).toMatchObject({ type: 'accepted' });
    }
    const back = await planFor(cluster, idle, await goBack(cluster, namespace));
    expect(await patcher.dryRun(buildTrial('test', back))).toMatchObject({ type: 'accepted' });

    const plan = await planFor(cluster, deployment, annotate);
    const approval = {
      id: 'approval-1',
      workload: { cluster: 'test', kind: 'Deployment', namespace, name: 'inference' },
      cause: 'surge-deadlock',
      remediation: { kind: 'patch-strategy' },
      decisions: [],
      plan,
    };
    // What counts here is the request that the patcher sends.
    const outcome = await patcher.apply(uncheckedApproval(approval));
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ type: 'accepted' });
    const { items } = await cluster.objects.list('v1', 'Event', namespace);
    expect(items.some((event) => 'reason' in event && event.reason === 'RemediationApplied')).toBe(true);

    const pod = await planFor(cluster, await firstOf(cluster, 'Pod', namespace), { verb: 'delete' });
    expect(await patcher.dryRun(buildTrial('test', pod))).toMatchObject({ type: 'accepted' });
  });

  it('delete nothing in a dry run', async () => {
    const { workload, holders } = await surgeExtendedResource.reproduce(cluster);
    const { namespace } = workload;
    const holder: Target = { kind: 'Pod', namespace, name: holders[0] ?? '' };
    await patcher.dryRun(buildTrial('test', await planFor(cluster, holder, { verb: 'delete' })));
    const pod = await cluster.read<V1Pod>(holder);
    expect(pod.metadata?.deletionTimestamp).toBeUndefined();
  });

  it('grant each verb on each resource because something above used it', () => {
    const used = (name: string): string[] => {
      const user = `system:serviceaccount:${accounts.namespace}:${name}`;
      const asked = cluster.controlPlane.audit().filter((entry) => entry.user === user && entry.allowed);
      return [...new Set(asked.map(nameOf))].sort();
    };
    expect(used(accounts.reader)).toEqual(grantsOf(shippedObjects('cluster-wide/reader.yaml')));
    const extra = grantsOf(shippedObjects('cluster-wide/patcher.yaml'));
    expect(used(accounts.patcher)).toEqual(expect.arrayContaining(extra));
  });

  it.for([
    { who: accounts.reader, verb: 'read', path: '/api/v1/secrets' },
    { who: accounts.reader, verb: 'read', path: '/api/v1/namespaces/kube-system/secrets/any' },
    { who: accounts.reader, verb: 'read', path: '/api/v1/configmaps' },
    { who: accounts.reader, verb: 'read', path: '/api/v1/serviceaccounts' },
    { who: accounts.patcher, verb: 'read', path: '/api/v1/secrets' },
    { who: accounts.patcher, verb: 'read', path: '/apis/rbac.authorization.k8s.io/v1/clusterroles' },
  ])('deny $who to $verb $path', async ({ who, path }) => {
    const [connection] = await connect(cluster, who);
    const answer = await connection?.call({ path });
    expect(answer?.status).toBe(403);
  });

  it('deny the reader any change', async () => {
    const { namespace } = (await surgeExtendedResource.reproduce(cluster)).workload;
    const asReader = createWorkloadPatcher({
      connections: await connect(cluster, accounts.reader),
      clock,
      sharedClock: machineClock,
      authority: uncheckedAuthority,
      timeoutMs: 10_000,
    });
    const deployment: Target = { kind: 'Deployment', namespace, name: 'inference' };
    const outcome = await asReader.dryRun(buildTrial('test', await planFor(cluster, deployment, annotate)));
    expect(outcome).toMatchObject({ type: 'refused', because: 'forbidden' });
  });

  describe('bound to one namespace', () => {
    beforeAll(async () => {
      for (const name of [accounts.reader, accounts.patcher]) {
        await cluster.objects.delete({
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name },
        });
      }
      await applyShipped(cluster, ['namespaced/cluster-scoped.yaml']);
    });

    it('let the reader read its own namespace and no other', async () => {
      const { workload } = await surgeReadWriteOncePod.reproduce(cluster);
      const files = ['namespaced/reader.yaml', 'namespaced/patcher.yaml'];
      await applyShipped(cluster, files, workload.namespace);
      expect(await unseenBy(reader, workload)).toEqual(['Pod of all namespaces: forbidden']);
      const elsewhere = await cluster.createNamespace('elsewhere');
      const refused = await reader.snapshot({ ...workload, namespace: elsewhere }, everything);
      expect(refused).toMatchObject({ type: 'unreadable', because: 'forbidden' });
    });

    it('let the patcher change that namespace and no other', async () => {
      const { workload } = await surgeExtendedResource.reproduce(cluster);
      const { namespace, name } = workload;
      const plan = await planFor(cluster, { kind: 'Deployment', namespace, name }, annotate);
      expect(await patcher.dryRun(buildTrial('test', plan))).toMatchObject({
        type: 'refused',
        because: 'forbidden',
      });
      await applyShipped(cluster, ['namespaced/reader.yaml', 'namespaced/patcher.yaml'], namespace);
      expect(await patcher.dryRun(buildTrial('test', plan))).toMatchObject({ type: 'accepted' });
    });
  });
});
