import type { V1Deployment } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deadlocks, deployment, type Incident } from './incident.js';
import { podNames, rollOut, update } from './rolling.js';

/** Only the condition of the controller reports it, so a diagnosis can state only that. */
export const silentKubelet: Incident = {
  id: 'silent-kubelet',
  title:
    'the new pod has a node whose kubelet reports nothing about it, until the progress deadline has passed',
  known: { cause: 'progress-deadline-exceeded', never: deadlocks, messages: ['timed out progressing'] },
  bringAbout: async (cluster) => {
    const namespace = await cluster.createNamespace('silent-kubelet');
    await cluster.createNodes({ name: 'n-a' });
    const before = await rollOut(cluster, { namespace, name: 'web', spec: { progressDeadlineSeconds: 5 } });
    await update(cluster, namespace, 'web', {}, { [kubeletAnnotation.start]: 'container-creating' });
    const message = await cluster.until<V1Deployment, string>({
      what: 'the controller to give up waiting',
      selection: { kind: 'Deployment', namespace },
      check: ([one]) =>
        one?.status?.conditions?.find(({ reason }) => reason === 'ProgressDeadlineExceeded')?.message,
      deadlineMilliseconds: 60_000,
    });
    const blocked = (await podNames(cluster, namespace, 'web')).filter((name) => !before.includes(name));
    return { workload: deployment(namespace, 'web'), holders: [], blocked, messages: [message] };
  },
};
