import type { CauseId } from '../../../src/core/diagnosis/cause-id.js';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import type { DeploymentOptions } from '../incidents/deployment-manifest.js';
import { rollOut, untilRolledOut } from '../incidents/rolling.js';
import type { Control } from './control.js';
import { settled } from './settled.js';
import { change, isStarting, ref, slowly, untilPods } from './workloads.js';

interface Fitting {
  readonly id: string;
  readonly title: string;
  readonly resembles: CauseId;
  readonly informational?: readonly CauseId[];
  readonly nodes: readonly NodeOptions[];
  readonly options?: Partial<DeploymentOptions>;
  /** What else the namespace needs. */
  readonly first?: (cluster: Cluster, namespace: string) => Promise<void>;
  /** `complete`: the rollout went through. A number: so many surge pods have a place and are starting. */
  readonly at: 'complete' | number;
}

/** A rollout of `web` whose surge pods find a place, at times the last one. */
export function fitting({
  id,
  title,
  resembles,
  informational,
  nodes,
  options,
  first,
  at,
}: Fitting): Control {
  return {
    id,
    title,
    resembles,
    ...(informational === undefined ? {} : { informational }),
    bringAbout: async (cluster) => {
      const namespace = await cluster.createNamespace(id);
      await cluster.createNodes(...nodes);
      await first?.(cluster, namespace);
      await rollOut(cluster, { namespace, name: 'web', ...options });
      const workload = ref('Deployment', { namespace, name: 'web' });
      await change(cluster, workload, at === 'complete' ? {} : slowly.creating);
      if (at === 'complete') await untilRolledOut(cluster, namespace, 'web');
      else await untilPods(cluster, workload, 'starting', at, isStarting);
      await settled(cluster, namespace);
      return workload;
    },
  };
}
