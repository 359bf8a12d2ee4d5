import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deployment, type Happened, type Incident } from './incident.js';
import { rollOut, untilRolledOut, update } from './rolling.js';

interface Grouped {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly minCount: number;
  /** Once the new pod waits, an old pod is deleted, as an eviction does. */
  readonly losesOldPod?: true;
}

/** The new template names a PodGroup with this minimum. */
async function updateIntoGroup(
  cluster: Cluster,
  prefix: string,
  { replicas, maxSurge, minCount }: Grouped,
): Promise<string> {
  const namespace = await cluster.createNamespace(prefix);
  await cluster.createNodes({ name: 'n-a' });
  await rollOut(cluster, {
    namespace,
    name: 'web',
    replicas,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 0 } },
  });
  await cluster.create({
    apiVersion: 'scheduling.k8s.io/v1beta1',
    kind: 'PodGroup',
    metadata: { namespace, name: 'ring' },
    spec: { schedulingPolicy: { gang: { minCount } } },
  } as object);
  await update(cluster, namespace, 'web', { schedulingGroup: { podGroupName: 'ring' } });
  return namespace;
}

/** A pod of the group waits, while a pod that was created later has a node. */
const waitForGroup =
  (prefix: string, grouped: Grouped) =>
  async (cluster: Cluster): Promise<Happened> => {
    const namespace = await updateIntoGroup(cluster, prefix, grouped);
    const pods = (what: string, check: (pods: readonly V1Pod[]) => string[] | undefined): Promise<string[]> =>
      cluster.until<V1Pod, string[]>({ what, selection: { kind: 'Pod', namespace }, check });
    const isNew = ({ spec }: V1Pod): boolean => spec?.containers[0]?.image === 'registry.example/app:2';
    const nameOf = ({ metadata }: V1Pod): string => metadata?.name ?? '';
    const blocked = await pods('a pod of the group without a node', (all) => {
      const waiting = all.filter((pod) => isNew(pod) && pod.spec?.nodeName === undefined);
      return waiting.length === 0 ? undefined : waiting.map(nameOf);
    });
    const isOld = (pod: V1Pod): boolean => !isNew(pod) && pod.metadata?.labels?.app === 'web';
    if (grouped.losesOldPod) {
      const [lost = ''] = await pods('an old pod', (all) => all.filter(isOld).map(nameOf));
      await cluster.remove({ kind: 'Pod', namespace, name: lost });
      await pods('the old pod to be created again', (all) => {
        const ready = all.filter((pod) => isOld(pod) && isReady(pod) && nameOf(pod) !== lost);
        return ready.length === grouped.replicas ? ready.map(nameOf) : undefined;
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await rollOut(cluster, { namespace, name: 'other' });
    // Where the workload has fewer pods than the group needs, its old pods hold nothing back.
    const holders =
      grouped.minCount > grouped.replicas
        ? []
        : await pods('the old pods', (all) => all.filter(isOld).map(nameOf));
    return { workload: deployment(namespace, 'web'), holders, blocked, messages: [] };
  };

const isReady = ({ status }: V1Pod): boolean =>
  status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;

/** A Deployment of another name has a pod in the group, which then has enough. */
const groupOfTwoWorkloads =
  (prefix: string, grouped: Grouped) =>
  async (cluster: Cluster): Promise<Happened> => {
    const namespace = await updateIntoGroup(cluster, prefix, grouped);
    const pod: object = { schedulingGroup: { podGroupName: 'ring' } };
    await rollOut(cluster, { namespace, name: 'peer', pod });
    await untilRolledOut(cluster, namespace, 'web');
    return { workload: deployment(namespace, 'web'), holders: [], blocked: [], messages: [] };
  };

const completeGroup =
  (prefix: string, grouped: Grouped) =>
  async (cluster: Cluster): Promise<Happened> => {
    const namespace = await updateIntoGroup(cluster, prefix, grouped);
    await untilRolledOut(cluster, namespace, 'web');
    return { workload: deployment(namespace, 'web'), holders: [], blocked: [], messages: [] };
  };

const gated = {
  featureGates: { GenericWorkload: true },
  notOnVersions: ['1.34', '1.35', '1.36'],
} as const;
const isHealthy = {
  cause: undefined,
  never: ['control-plane-not-acting', 'gang-deadlock'],
  messages: [],
} as const;

/** With the gate off, the API server drops the field. */
export const incompleteGroups: readonly Incident[] = [
  {
    id: 'pod-group-that-a-surge-does-not-complete',
    title: 'the new template names a PodGroup of two pods, and the rollout creates one beside two old ones',
    known: { cause: 'gang-deadlock', messages: [], stuckAfterSeconds: 300 },
    ...gated,
    reproduce: waitForGroup('incomplete-group', { replicas: 2, maxSurge: 1, minCount: 2 }),
  },
  {
    id: 'pod-group-after-an-old-pod-was-evicted',
    title:
      'an old pod was evicted while the new pod waits for its group, and only that pod was created again',
    known: { cause: 'gang-deadlock', messages: [], stuckAfterSeconds: 300 },
    ...gated,
    reproduce: waitForGroup('evicted-group', { replicas: 2, maxSurge: 1, minCount: 2, losesOldPod: true }),
  },
  {
    id: 'healthy-pod-group-of-two-workloads',
    title: 'the new template names a PodGroup of two pods, of which another Deployment created the second',
    known: isHealthy,
    ...gated,
    reproduce: groupOfTwoWorkloads('shared-group', { replicas: 2, maxSurge: 1, minCount: 2 }),
  },
  {
    id: 'pod-group-larger-than-its-workload',
    title: 'the new template names a PodGroup of two pods, and the workload has one',
    known: {
      cause: 'control-plane-not-acting',
      never: ['gang-deadlock'],
      messages: [],
      stuckAfterSeconds: 300,
    },
    ...gated,
    reproduce: waitForGroup('larger-group', { replicas: 1, maxSurge: 1, minCount: 2 }),
  },
  {
    id: 'healthy-pod-group-of-one',
    title: 'the new template names a PodGroup of one pod, and the rollout went through',
    known: isHealthy,
    ...gated,
    reproduce: completeGroup('complete-group', { replicas: 1, maxSurge: 1, minCount: 1 }),
  },
  {
    id: 'healthy-pod-group-that-a-surge-completes',
    title: 'the new template names a PodGroup of two pods, the rollout created both at once and went through',
    known: isHealthy,
    ...gated,
    reproduce: completeGroup('completed-group', { replicas: 2, maxSurge: 2, minCount: 2 }),
  },
];
