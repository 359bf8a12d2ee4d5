import { deadlocks, deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';
import { claimManifest } from './storage-manifests.js';

const messages = ['pod has unbound immediate PersistentVolumeClaims'];

export const unboundVolume: Incident = {
  id: 'unbound-volume',
  title: 'the new template mounts a claim whose StorageClass does not exist',
  known: { cause: 'volume-unbound', never: deadlocks, messages, freedByStrategy: false },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('unbound-volume');
    await cluster.createNodes({ name: 'n-a' });
    const before = await rollOut(cluster, { namespace, name: 'web' });
    await cluster.create(
      claimManifest({ namespace, name: 'cache', accessMode: 'ReadWriteOnce', storageClassName: 'fast-ssd' }),
    );
    await update(cluster, namespace, 'web', {
      volumes: [{ name: 'cache', persistentVolumeClaim: { claimName: 'cache' } }],
    });
    const stuck = await untilUnschedulable(cluster, namespace, 'web', before, messages);
    return { workload: deployment(namespace, 'web'), holders: [], ...stuck };
  },
};
