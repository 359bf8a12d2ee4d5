import type { V1Deployment, V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deadlocks, deployment, type Happened, type Incident } from './incident.js';
import { rollOut, update } from './rolling.js';

/** The manager is stopped, and then the template is changed. */
async function changeWithoutManager(cluster: Cluster, prefix: string): Promise<Happened> {
  const namespace = await cluster.createNamespace(prefix);
  await cluster.createNodes({ name: 'n-a' });
  await rollOut(cluster, { namespace, name: 'web' });
  await cluster.controlPlane.stopComponent('kube-controller-manager');
  await update(cluster, namespace, 'web');
  await cluster.until<V1Deployment, true>({
    what: 'a generation that no controller has observed',
    selection: { kind: 'Deployment', namespace },
    check: ([one]) => (one?.metadata?.generation ?? 0) > (one?.status?.observedGeneration ?? 0) || undefined,
  });
  return { workload: deployment(namespace, 'web'), holders: [], blocked: [], messages: [] };
}

/** The new pod names this scheduler, and `before` is done first. */
async function untriedPod(
  cluster: Cluster,
  prefix: string,
  schedulerName: string,
  before: () => Promise<void>,
): Promise<Happened> {
  const namespace = await cluster.createNamespace(prefix);
  await cluster.createNodes({ name: 'n-a' });
  await rollOut(cluster, { namespace, name: 'web' });
  await before();
  await update(cluster, namespace, 'web', { schedulerName });
  const blocked = await cluster.until<V1Pod, string>({
    what: 'a pod that no scheduler has tried',
    selection: { kind: 'Pod', namespace },
    check: (pods) => pods.find(({ spec }) => spec?.nodeName === undefined)?.metadata?.name,
  });
  return { workload: deployment(namespace, 'web'), holders: [], blocked: [blocked], messages: [] };
}

const notActing = { cause: 'control-plane-not-acting', never: deadlocks, messages: [] } as const;
const noFinding = { cause: undefined, never: deadlocks, messages: [] } as const;

/** They end a component for good, so each needs a control plane of its own. */
export const outages: readonly Incident[] = [
  {
    id: 'controller-manager-down',
    title: 'kube-controller-manager is down, and no controller has observed the last change for five minutes',
    known: { ...notActing, stuckAfterSeconds: 300 },
    withManagers: true,
    bringAbout: (cluster) => changeWithoutManager(cluster, 'controller-manager-down'),
  },
  {
    id: 'controller-manager-down-unrecorded',
    title: 'kube-controller-manager is down, and the record does not say when the spec was changed',
    known: { ...notActing, stuckAfterSeconds: 900 },
    bringAbout: (cluster) => changeWithoutManager(cluster, 'controller-manager-down-unrecorded'),
  },
  {
    id: 'healthy-change-of-a-moment-ago',
    title: 'no controller has observed the last change, which is half a minute old',
    known: { ...noFinding, stuckAfterSeconds: 30 },
    withManagers: true,
    bringAbout: (cluster) => changeWithoutManager(cluster, 'healthy-change-of-a-moment-ago'),
  },
  {
    id: 'scheduler-down',
    title: 'kube-scheduler is down, and no scheduler has tried the new pod for five minutes',
    known: { ...notActing, stuckAfterSeconds: 300 },
    bringAbout: (cluster) =>
      untriedPod(cluster, 'scheduler-down', 'default-scheduler', () =>
        cluster.controlPlane.stopComponent('kube-scheduler'),
      ),
  },
  {
    id: 'scheduler-of-nobody',
    title: 'the new pod names a scheduler that does not run',
    known: { ...notActing, stuckAfterSeconds: 300 },
    bringAbout: (cluster) => untriedPod(cluster, 'scheduler-of-nobody', 'batch-scheduler', async () => {}),
  },
  {
    id: 'healthy-pod-not-tried-yet',
    title: 'no scheduler has tried the new pod, which is half a minute old',
    known: { ...noFinding, stuckAfterSeconds: 30 },
    bringAbout: (cluster) =>
      untriedPod(cluster, 'healthy-pod-not-tried-yet', 'batch-scheduler', async () => {}),
  },
];
