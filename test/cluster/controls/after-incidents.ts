import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { allIncidents } from '../incidents/all-incidents.js';
import type { Happened, Incident } from '../incidents/incident.js';
import { untilRolledOut } from '../incidents/rolling.js';
import { volumeManifest } from '../incidents/storage-manifests.js';
import { fragile } from './before-incidents.js';
import type { Control } from './control.js';
import { becomeReady } from './kubelet-acts.js';
import { settled } from './settled.js';
import { isStarting, untilPods } from './workloads.js';

/** What ends an incident, in words that follow "ended by", and the deed. */
interface Remedy {
  readonly by: string;
  readonly act: (cluster: Cluster, happened: Happened) => Promise<void>;
}

const patchSpec =
  (spec: object) =>
  (cluster: Cluster, { workload: { kind, namespace, name } }: Happened): Promise<void> =>
    cluster.patch({ kind, namespace, name }, { spec });

const template = (spec: object): object => ({ template: { spec } });
const previous = { containers: [{ name: 'app', image: 'registry.example/app:1' }] };

const oldFirst: Remedy = {
  by: 'letting the old pod go first',
  act: patchSpec({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }),
};

const undo = (reverted: object = {}): Remedy => ({
  by: 'going back to the revision before',
  act: patchSpec({
    template: {
      metadata: { annotations: { [kubeletAnnotation.start]: null } },
      spec: { ...previous, ...reverted },
    },
  }),
});

const onNodes = (spec: object) => async (cluster: Cluster) => {
  for (const name of ['n-a', 'n-b']) await cluster.patch({ kind: 'Node', name }, { spec });
};

const remedies: Readonly<Record<string, Remedy>> = {
  'surge-csi-volume-limit': {
    by: 'letting the old pod go first, and making the waiting pod anew once its disk was detached',
    act: async (cluster, happened) => {
      await oldFirst.act(cluster, happened);
      const { namespace } = happened.workload;
      for (const name of happened.holders) {
        await cluster.until<V1Pod, true>({
          what: `${name} to be gone`,
          selection: { kind: 'Pod', namespace },
          check: (pods) => !pods.some((pod) => pod.metadata?.name === name),
        });
      }
      await cluster.until({
        what: 'its disk to be detached',
        selection: { kind: 'VolumeAttachment' },
        check: (attachments) => attachments.length === 0,
      });
      for (const name of happened.blocked) await cluster.remove({ kind: 'Pod', namespace, name });
    },
  },
  'volume-attach-deadlock': {
    by: 'Recreate',
    act: async (cluster, happened) => {
      await patchSpec({ strategy: { type: 'Recreate', rollingUpdate: null } })(cluster, happened);
      await becomeReadyOnce(cluster, happened, 1);
    },
  },
  'daemon-set-surge': {
    by: 'no surge',
    act: patchSpec({ updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }),
  },
  'stateful-set-ordered-ready': {
    by: 'deleting the broken pod',
    act: (cluster, { workload: { namespace } }) => cluster.remove({ kind: 'Pod', namespace, name: 'db-2' }),
  },
  'selector-without-gpu': undo({ nodeSelector: null }),
  'scale-up': { by: 'scaling back', act: patchSpec({ replicas: 1 }) },
  'foreign-holder': {
    by: 'the other workload scaled to 0',
    act: (cluster, { workload: { namespace } }) =>
      cluster.patch({ kind: 'Deployment', namespace, name: 'training' }, { spec: { replicas: 0 } }),
  },
  'cordoned-nodes': { by: 'uncordoning', act: onNodes({ unschedulable: null }) },
  'tainted-nodes': {
    by: 'a toleration in the template',
    act: patchSpec(template({ tolerations: [{ key: 'dedicated', operator: 'Exists' }] })),
  },
  'paused-rollout': { by: 'resuming it', act: patchSpec({ paused: false }) },
  'gated-pods': {
    by: 'the gate lifted',
    act: async (cluster, { workload: { namespace }, blocked }) => {
      for (const name of blocked) {
        await cluster.patch({ kind: 'Pod', namespace, name }, { spec: { schedulingGates: null } });
      }
    },
  },
  'unbound-volume': {
    by: 'a volume of that class',
    act: async (cluster) => {
      const accessMode = 'ReadWriteOnce';
      await cluster.create(volumeManifest({ name: 'pv-cache', accessMode, storageClassName: 'fast-ssd' }));
    },
  },
  'pod-security': {
    by: 'lifting the label',
    act: (cluster, { workload: { namespace } }) =>
      cluster.patch(
        { kind: 'Namespace', name: namespace },
        { metadata: { labels: { 'pod-security.kubernetes.io/enforce': null } } },
      ),
  },
  'slow-rollout': {
    by: 'the image having come',
    act: (cluster, happened) => becomeReadyOnce(cluster, happened, 1),
  },
  'crash-on-node': {
    by: 'keeping off the node',
    act: patchSpec(
      template({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['n-b'] }],
                },
              ],
            },
          },
        },
      }),
    ),
  },
};

async function becomeReadyOnce(cluster: Cluster, happened: Happened, count: number): Promise<void> {
  const pods = await untilPods(cluster, happened.workload, 'starting', count, isStarting);
  await becomeReady(cluster, ...pods);
}

function after(incident: Incident, remedy: Remedy, prefix: 'after' | 'undone'): Control {
  const informational = prefix === 'undone' ? fragile(incident) : [];
  return {
    id: `${prefix}-${incident.id}`,
    title: `recovered, with its remaining objects: ${incident.title}; ended by ${remedy.by}`,
    resembles: incident.known.cause ?? 'surge-deadlock',
    ...(informational.length === 0 ? {} : { informational }),
    bringAbout: async (cluster) => {
      const happened = await incident.bringAbout(cluster);
      const { workload } = happened;
      await remedy.act(cluster, happened);
      if (workload.kind === 'Deployment') await untilRolledOut(cluster, workload.namespace, workload.name);
      await settled(cluster, workload.namespace);
      return workload;
    },
  };
}

const alsoUndone = [
  'surge-extended-resource',
  'surge-host-port',
  'surge-topology-spread',
  'surge-device-claim',
  'quota-deadlock',
  'volume-attach-deadlock',
  'pod-security',
];

export const afterIncidents: readonly Control[] = allIncidents.flatMap((incident) => {
  const remedy = remedies[incident.id] ?? (incident.known.freedByStrategy ? oldFirst : undefined);
  return [
    ...(remedy === undefined ? [] : [after(incident, remedy, 'after')]),
    ...(alsoUndone.includes(incident.id) ? [after(incident, undo(), 'undone')] : []),
  ];
});
