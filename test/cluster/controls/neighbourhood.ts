import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import type { Control } from './control.js';
import { settled } from './settled.js';
import { ref } from './workloads.js';

/** The description of a control, and its Deployment's name where that is not `web`. */
type Told = Pick<Control, 'id' | 'title' | 'resembles' | 'informational'> & { readonly name?: string };

/**
 * A small cluster of these nodes, and a namespace named after the control, in which `act` creates the state.
 */
export function control(
  { name = 'web', ...one }: Told,
  nodes: readonly NodeOptions[],
  act: (cluster: Cluster, namespace: string) => Promise<void>,
): Control {
  return {
    ...one,
    reproduce: async (cluster) => {
      const namespace = await cluster.createNamespace(one.id);
      await cluster.createNodes(...nodes);
      await act(cluster, namespace);
      await settled(cluster, namespace);
      return ref('Deployment', { namespace, name });
    },
  };
}

export const web = (namespace: string): WorkloadRef => ref('Deployment', { namespace, name: 'web' });
