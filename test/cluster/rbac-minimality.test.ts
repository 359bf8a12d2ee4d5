import type { V1ClusterRole, V1Role } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeRequest, Plan } from '#src/doctor/fixes/plan.js';
import { fullSight } from '#src/doctor/policy/view.js';
import { type ClusterConnection, connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createWorkloadPatcher } from '#src/edges/kubernetes/workload-patcher.js';
import { type ResourceKind, resourceKinds } from '#src/engine/objects/cluster-objects.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { buildTrial } from '../support/authority.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import { type Cluster, startCluster, type Target } from './harness/cluster.js';
import { isRole, nameOf } from './harness/grants.js';
import { resources } from './harness/resources.js';
import { accounts, applyShipped, shippedObjects } from './harness/shipped-rbac.js';
import { takeAwayEach } from './harness/take-away.js';
import { machineClock, uncheckedApproval, uncheckedAuthority } from './harness/unchecked-authority.js';
import { watchCandidatesOnce } from './harness/watch-candidates-once.js';
import { watchNodesOnce } from './harness/watch-nodes-once.js';
import { watchOnce } from './harness/watch-once.js';
import { everyReading } from './incidents/every-reading.js';
import { define } from './services/played-controllers.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const everything: ReadonlySet<ResourceKind | 'PodLog'> = new Set([...resourceKinds, 'PodLog']);
const clock = { now: () => new Date() };
const namespace = 'shop';

function roleIn(file: string): V1ClusterRole | V1Role {
  const role = shippedObjects(file).find(isRole);
  if (role === undefined) throw new Error(`${file} holds no role`);
  return role;
}

describe(`each right that is shipped is needed on ${version}`, () => {
  let cluster: Cluster;
  let workloads: readonly WorkloadRef[];
  let connections: Record<'reader' | 'patcher', ClusterConnection>;
  beforeAll(async () => {
    cluster = await startCluster({ version });
    await cluster.createNamespace(namespace);
    await define(cluster, [
      { group: 'autoscaling.k8s.io', kind: 'VerticalPodAutoscaler', plural: 'verticalpodautoscalers' },
    ]);
    await applyShipped(cluster, ['base/service-accounts.yaml']);
    workloads = await everyReading(cluster, namespace);
    connections = { reader: await connect(accounts.reader), patcher: await connect(accounts.patcher) };
  });
  afterAll(async () => {
    await cluster?.stop();
  });

  async function connect(name: string): Promise<ClusterConnection> {
    const kubeconfig = await cluster.kubeconfigFor({ namespace: accounts.namespace, name });
    const [connection] = connectClusters({ kubeconfig, contexts: [] });
    if (connection === undefined) throw new Error('no connection');
    return connection;
  }

  /** All that the reader can see, find and watch, in one text. */
  async function readings(watchedNamespace: string): Promise<string> {
    const reader = createClusterReader({
      connections: [connections.reader],
      clock,
      timeoutMs: 30_000,
      findTimeoutMs: 10_000,
    });
    const answers = await Promise.all(workloads.map((workload) => reader.snapshot(workload, everything)));
    const found = [
      await reader.find({ namespace: 'shpo', name: 'bound' }, fullSight),
      await reader.find({ namespace, name: 'ordered' }, fullSight),
      await reader.find({ namespace, name: 'everywhere' }, fullSight),
    ];
    const unseen = answers.map((answer) =>
      answer.type === 'snapshot'
        ? answer.snapshot.unseen.map((one) => `${one.what} in ${one.namespace}: ${one.because}`).sort()
        : answer,
    );
    const confirmed = answers.map((answer) =>
      answer.type === 'snapshot' ? answer.snapshot.age?.unconfirmed : undefined,
    );
    return JSON.stringify([
      unseen,
      confirmed,
      found,
      await watchOnce(connections.reader, watchedNamespace),
      await watchCandidatesOnce(connections.reader, watchedNamespace),
      await watchNodesOnce(connections.reader),
    ]);
  }

  let approvals = 0;

  /** A dry run of every kind of change, one real change, and its Event. */
  async function changes(): Promise<string> {
    const patcher = createWorkloadPatcher({
      connections: [connections.patcher],
      clock,
      sharedClock: machineClock,
      authority: uncheckedAuthority,
      timeoutMs: 10_000,
    });
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
    const first = async (kind: 'Pod' | 'ReplicaSet'): Promise<Target> => {
      const { items } = await cluster.objects.list(resources[kind].apiVersion, kind, namespace);
      return { kind, namespace, name: items[0]?.metadata?.name ?? '' };
    };
    const fromRevision = async (): Promise<ChangeRequest> => {
      const { items } = await cluster.objects.list('apps/v1', 'ControllerRevision', namespace);
      const { name = '', uid = '' } =
        items.find(({ metadata }) => metadata?.name?.startsWith('ordered'))?.metadata ?? {};
      return { verb: 'restore-template', from: { kind: 'ControllerRevision', name, uid } };
    };
    const tried: readonly (readonly [Target, ChangeRequest])[] = [
      [{ kind: 'Deployment', namespace, name: 'bound' }, annotate],
      [{ kind: 'StatefulSet', namespace, name: 'ordered' }, annotate],
      [{ kind: 'DaemonSet', namespace, name: 'everywhere' }, annotate],
      [{ kind: 'StatefulSet', namespace, name: 'ordered' }, await fromRevision()],
      [await first('ReplicaSet'), scale],
      [await first('Pod'), { verb: 'delete' }],
    ];
    const outcomes = [];
    for (const [target, request] of tried) {
      const { type } = await patcher.dryRun(buildTrial('test', await planFor(target, request)));
      outcomes.push(`${target.kind} ${type}`);
    }
    const events = async (): Promise<number> =>
      (await cluster.objects.list('v1', 'Event', namespace)).items.filter(
        (event) => 'reason' in event && event.reason === 'RemediationApplied',
      ).length;
    const before = await events();
    approvals += 1;
    const plan = await planFor({ kind: 'Deployment', namespace, name: 'unbound' }, annotate);
    const approval = {
      id: `approval-${approvals}`,
      workload: workloads[1],
      cause: 'surge-deadlock',
      remediation: { kind: 'patch-strategy' },
      decisions: [],
      plan,
    };
    // What counts here is the request that the patcher sends.
    const applied = await patcher.apply(uncheckedApproval(approval));
    return [...outcomes, applied.type, `${(await events()) - before} event`].join(', ');
  }

  async function planFor(target: Target, request: ChangeRequest): Promise<Plan> {
    const { metadata } = await cluster.read(target);
    const { apiVersion } = resources[target.kind];
    const { kind, name } = target;
    return {
      type: 'plan',
      remediationId: 'r1',
      target: { apiVersion, kind, namespace, name, uid: metadata?.uid ?? '' },
      request,
      changes: [],
    };
  }

  /** The grants that no step needs. */
  async function superfluous(
    file: string,
    as: 'reader' | 'patcher',
    outcome: () => Promise<string>,
  ): Promise<readonly string[]> {
    const whole = await outcome();
    const found: string[] = [];
    const account = { name: `${accounts.namespace}:${accounts[as]}`, namespace };
    await takeAwayEach(cluster, roleIn(file), account, async (taken) => {
      if ((await outcome()) === whole) found.push(nameOf(taken));
    });
    return found;
  }

  it('to the reader of a whole cluster', async () => {
    await applyShipped(cluster, ['cluster-wide/reader.yaml']);
    expect(await watchOnce(connections.reader, '')).toBe('in step');
    expect(await superfluous('cluster-wide/reader.yaml', 'reader', () => readings(''))).toEqual([]);
  });

  it('to the patcher of a whole cluster', async () => {
    // Without the reader's rules, so that each missing right to read shows too.
    await cluster.objects.delete({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: accounts.reader },
    });
    await applyShipped(cluster, ['cluster-wide/patcher.yaml']);
    const reads = ['deployments', 'statefulsets', 'daemonsets'];
    await cluster.create<V1ClusterRole>({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reads-workloads' },
      rules: [{ apiGroups: ['apps'], resources: reads, verbs: ['get'] }],
    });
    await cluster.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reads-workloads' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reads-workloads' },
      subjects: [{ kind: 'ServiceAccount', name: accounts.patcher, namespace: accounts.namespace }],
    } as never);
    expect(await superfluous('cluster-wide/patcher.yaml', 'patcher', changes)).toEqual([]);
  });

  it('to the reader of one namespace', async () => {
    await applyShipped(cluster, ['namespaced/cluster-scoped.yaml']);
    await applyShipped(cluster, ['namespaced/reader.yaml'], namespace);
    const read = () => readings(namespace);
    expect(await watchOnce(connections.reader, namespace)).toBe('in step');
    expect(await superfluous('namespaced/cluster-scoped.yaml', 'reader', read)).toEqual([]);
    expect(await superfluous('namespaced/reader.yaml', 'reader', read)).toEqual([]);
  });
});
