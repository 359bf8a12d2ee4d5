import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deployment, type Happened, type Incident } from './incident.js';
import { rollOut, untilRolledOut, update } from './rolling.js';

/** The new template names a PodGroup with this minimum; the rollout creates one new pod. */
async function updateIntoGroup(cluster: Cluster, prefix: string, minCount: number): Promise<string> {
  const namespace = await cluster.createNamespace(prefix);
  await cluster.createNodes({ name: 'n-a' });
  await rollOut(cluster, { namespace, name: 'web' });
  await cluster.create({
    apiVersion: 'scheduling.k8s.io/v1beta1',
    kind: 'PodGroup',
    metadata: { namespace, name: 'ring' },
    spec: { schedulingPolicy: { gang: { minCount } } },
  } as object);
  await update(cluster, namespace, 'web', { schedulingGroup: { podGroupName: 'ring' } });
  return namespace;
}

async function waitForGroup(cluster: Cluster): Promise<Happened> {
  const namespace = await updateIntoGroup(cluster, 'incomplete-group', 2);
  const blocked = await cluster.until<V1Pod, string>({
    what: 'a pod of the group without a node',
    selection: { kind: 'Pod', namespace },
    check: (pods) => pods.find(({ spec }) => spec?.nodeName === undefined)?.metadata?.name,
  });
  return { workload: deployment(namespace, 'web'), holders: [], blocked: [blocked], messages: [] };
}

async function completeGroup(cluster: Cluster): Promise<Happened> {
  const namespace = await updateIntoGroup(cluster, 'complete-group', 1);
  await untilRolledOut(cluster, namespace, 'web');
  return { workload: deployment(namespace, 'web'), holders: [], blocked: [], messages: [] };
}

const gated = {
  featureGates: { GenericWorkload: true },
  notOnVersions: ['1.34', '1.35', '1.36'],
} as const;

/** With the gate off, the API server drops the field. */
export const incompleteGroups: readonly Incident[] = [
  {
    id: 'pod-group-that-a-surge-does-not-complete',
    title: 'the new template names a PodGroup of two pods, and the rollout creates one',
    known: { cause: 'control-plane-not-acting', messages: [], stuckAfterSeconds: 300 },
    ...gated,
    reproduce: waitForGroup,
  },
  {
    id: 'healthy-pod-group-of-one',
    title: 'the new template names a PodGroup of one pod, and the rollout went through',
    known: { cause: undefined, never: ['control-plane-not-acting'], messages: [] },
    ...gated,
    reproduce: completeGroup,
  },
];
