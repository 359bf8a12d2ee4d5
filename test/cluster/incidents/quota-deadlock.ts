import { deployment, type Incident } from './incident.js';
import { rollOut, untilNotCreated, update } from './rolling.js';
import { createQuota } from './team-quota.js';

const messages = ['exceeded quota: team', 'requested: requests.cpu=600m', 'limited: requests.cpu=1'];

export const quotaDeadlock: Incident = {
  id: 'quota-deadlock',
  title: 'the old pod uses up the quota, so the surge pod is not even created',
  known: { cause: 'quota-deadlock', resource: 'requests.cpu', messages, freedByStrategy: true },
  reproduce: async (cluster) => {
    const namespace = await cluster.createNamespace('quota-deadlock');
    await cluster.createNodes({ name: 'n-a' });
    await createQuota(cluster, namespace, { 'requests.cpu': '1' });
    const holders = await rollOut(cluster, { namespace, name: 'web', requests: { cpu: '600m' } });
    await update(cluster, namespace, 'web');
    const stuck = await untilNotCreated(cluster, namespace, 'web', messages);
    return { workload: deployment(namespace, 'web'), holders, ...stuck };
  },
};
