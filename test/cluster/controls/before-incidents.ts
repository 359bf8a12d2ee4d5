import type { KubernetesObject } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { workloadKinds } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import { allIncidents } from '../incidents/all-incidents.js';
import type { Incident } from '../incidents/incident.js';
import type { Control } from './control.js';
import { settled } from './settled.js';
import { ref } from './workloads.js';

/** Stops the incident right before the change that breaks it. */
class Reached extends Error {}

/** Changes that come before it and break nothing yet: a node is cordoned, a rollout paused. */
const harmlessChanges: Readonly<Record<string, number>> = {
  'cordoned-nodes': 2,
  'tainted-nodes': 2,
  'paused-rollout': 1,
  'pod-security': 1,
  'stateful-set-ordered-ready': 1,
};

/** These never fail, so they have no earlier state. */
const neverBroken: ReadonlySet<string> = new Set(['slow-rollout', 'healthy-rollout']);

/**
 * The next update of these will deadlock, which is worth a note. This does not hold where each pod has its
 * own disk, because the claim of a pod that does not exist yet cannot be read. It does not hold for a
 * StatefulSet, which has no surge pod.
 */
export const fragile = (incident: Incident): readonly CauseId[] =>
  !['surge-csi-volume-limit', 'stateful-set-lower-ordinals'].includes(incident.id) &&
  ['surge-deadlock', 'quota-deadlock', 'volume-attach-deadlock'].includes(incident.known.cause ?? '')
    ? ['fragile-strategy']
    : [];

function before(incident: Incident): Control {
  const informational = fragile(incident);
  return {
    id: `before-${incident.id}`,
    title: `healthy, just before this: ${incident.title}`,
    resembles: incident.known.cause ?? 'surge-deadlock',
    ...(informational.length === 0 ? {} : { informational }),
    reproduce: async (cluster) => {
      const watched = stoppedBefore(cluster, harmlessChanges[incident.id] ?? 0);
      await incident.reproduce(watched.cluster).then(
        () => {
          throw new Error(`${incident.id} came about without a change`);
        },
        (error: unknown) => {
          if (!(error instanceof Reached)) throw error;
        },
      );
      const workload = watched.workload();
      await settled(cluster, workload.namespace);
      return workload;
    },
  };
}

/** The same cluster, without the change that follows `changes` harmless ones. */
function stoppedBefore(
  cluster: Cluster,
  changes: number,
): { readonly cluster: Cluster; readonly workload: () => WorkloadRef } {
  let left = changes;
  let subject: WorkloadRef | undefined;
  const stop = (): Promise<never> => Promise.reject(new Reached());
  return {
    cluster: {
      ...cluster,
      create: async <One extends KubernetesObject>(manifest: One): Promise<One> => {
        const kind = workloadKinds.find((one) => one === manifest.kind);
        const { namespace = '', name = '' } = manifest.metadata ?? {};
        if (kind !== undefined) subject = ref(kind, { namespace, name });
        return cluster.create(manifest);
      },
      patch: async (target, patch) => {
        if (left === 0) return stop();
        left -= 1;
        return cluster.patch(target, patch);
      },
      controlPlane: { ...cluster.controlPlane, setCrashLoops: stop },
    },
    workload: () => {
      if (subject === undefined) throw new Error('no workload was created');
      return subject;
    },
  };
}

export const beforeIncidents: readonly Control[] = allIncidents
  .filter(({ id }) => !neverBroken.has(id))
  .map(before);
