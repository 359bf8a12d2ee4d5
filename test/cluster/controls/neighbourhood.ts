import type { WorkloadRef } from '../../../src/core/cluster/workload.js';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import type { Control } from './control.js';
import { settled } from './settled.js';
import { ref } from './workloads.js';

/** A small cluster of these nodes, and a namespace named after the control; `act` gives the Deployment's name. */
export function control(
  one: Pick<Control, 'id' | 'title' | 'resembles' | 'informational'>,
  nodes: readonly NodeOptions[],
  act: (cluster: Cluster, namespace: string) => Promise<string>,
): Control {
  return {
    ...one,
    bringAbout: async (cluster) => {
      const namespace = await cluster.createNamespace(one.id);
      await cluster.createNodes(...nodes);
      const name = await act(cluster, namespace);
      await settled(cluster, namespace);
      return ref('Deployment', { namespace, name });
    },
  };
}

export const web = (namespace: string): WorkloadRef => ref('Deployment', { namespace, name: 'web' });
