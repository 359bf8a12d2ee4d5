import type { V1LimitRange, V1ResourceQuota } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { rollOut, untilNotCreated, untilRolledOut } from '../incidents/rolling.js';
import type { Control } from './control.js';
import { fitting } from './fitting.js';
import { control, web } from './neighbourhood.js';
import { change } from './workloads.js';

const quota =
  (hard: Readonly<Record<string, string>>) =>
  async (cluster: Cluster, namespace: string): Promise<void> => {
    await cluster.create<V1ResourceQuota>({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { namespace, name: 'team' },
      spec: { hard: { ...hard } },
    });
    await cluster.until<V1ResourceQuota, true>({
      what: 'the quota to be counted',
      selection: { kind: 'ResourceQuota', namespace },
      check: (all) => all.some(({ status }) => status?.used !== undefined),
    });
  };

const limitRange = async (cluster: Cluster, namespace: string): Promise<void> => {
  await cluster.create<V1LimitRange>({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { namespace, name: 'defaults' },
    spec: {
      limits: [
        {
          type: 'Container',
          _default: { memory: '256Mi' },
          defaultRequest: { memory: '128Mi' },
          max: { memory: '1Gi' },
        },
      ],
    },
  });
};

const nodes = [{ name: 'n-a' }];

/** Rollouts that a quota or a LimitRange lets through. */
export const fittingQuotas: readonly Control[] = [
  fitting({
    id: 'quota-nearly-full',
    title: 'two pods of 300m under a quota of 1 cpu: the surge pod fits, and the rollout completed',
    resembles: 'quota-deadlock',
    nodes,
    options: { replicas: 2, requests: { cpu: '300m' } },
    first: quota({ 'requests.cpu': '1' }),
    at: 'complete',
  }),
  fitting({
    id: 'quota-full-to-the-last-milli',
    title: 'old and surge pod together use the whole quota, and the surge pod is starting',
    resembles: 'quota-deadlock',
    nodes,
    options: { requests: { cpu: '500m' } },
    first: quota({ 'requests.cpu': '1', pods: '2' }),
    at: 1,
  }),
  fitting({
    id: 'limit-range-adds-defaults',
    title: 'a LimitRange sets the memory of the containers, and they are created',
    resembles: 'admission-denied',
    nodes,
    first: limitRange,
    at: 'complete',
  }),
  control(
    {
      id: 'quota-raised-in-time',
      title: 'the quota refused the surge pod at first, was raised, and the rollout completed',
      resembles: 'quota-deadlock',
    },
    nodes,
    async (cluster, namespace) => {
      await quota({ pods: '2' })(cluster, namespace);
      await rollOut(cluster, { namespace, name: 'web', replicas: 2 });
      const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
      await cluster.patch(
        { kind: 'Deployment', namespace, name: 'web' },
        { spec: { strategy: { rollingUpdate } } },
      );
      await change(cluster, web(namespace));
      await untilNotCreated(cluster, namespace, 'web', ['exceeded quota: team']);
      const hard = { pods: '4' };
      await cluster.patch({ kind: 'ResourceQuota', namespace, name: 'team' }, { spec: { hard } });
      await untilRolledOut(cluster, namespace, 'web');
    },
  ),
];
