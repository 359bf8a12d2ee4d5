import { deployment, type Incident } from './incident.js';
import { rollOut, untilUnschedulable, update } from './rolling.js';
import { claimManifest, volumeManifest } from './storage-manifests.js';

const messages = ['ReadWriteOncePod access mode already in-use by another pod'];

export const surgeReadWriteOncePod: Incident = {
  id: 'surge-read-write-once-pod',
  title: 'the claim admits one pod, wherever it runs, and the old pod is that one',
  known: { cause: 'surge-deadlock', resource: 'ReadWriteOncePod', messages, freedByStrategy: true },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('surge-rwop');
    await cluster.createNodes({ name: 'n-a' }, { name: 'n-b' });
    const accessMode = 'ReadWriteOncePod';
    await cluster.create(volumeManifest({ name: 'pv-ledger', accessMode }));
    await cluster.create(claimManifest({ namespace, name: 'ledger', accessMode, volumeName: 'pv-ledger' }));
    const holders = await rollOut(cluster, {
      namespace,
      name: 'ledger',
      pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'ledger' } }] },
    });
    await update(cluster, namespace, 'ledger');
    const stuck = await untilUnschedulable(cluster, namespace, 'ledger', holders, messages);
    return { workload: deployment(namespace, 'ledger'), holders, ...stuck };
  },
};
