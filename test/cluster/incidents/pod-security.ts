import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, untilNotCreated, update } from './rolling.js';

const messages = ['violates PodSecurity "restricted:latest"'];

export const podSecurity: Incident = {
  id: 'pod-security',
  title: 'the namespace was put under Pod Security "restricted", which the template does not meet',
  known: { cause: 'admission-denied', never: deadlocks, messages, freedByStrategy: false },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('pod-security');
    await cluster.createNodes({ name: 'n-a' });
    await rollOut(cluster, { namespace, name: 'web' });
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await cluster.patch({ kind: 'Namespace', name: namespace }, { metadata: { labels } });
    await update(cluster, namespace, 'web');
    const stuck = await untilNotCreated(cluster, namespace, 'web', messages);
    return { workload: deployment(namespace, 'web'), holders: [], ...stuck };
  },
};
