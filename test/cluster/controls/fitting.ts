import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import type { DeploymentOptions } from '../incidents/deployment-manifest.js';
import { rollOut } from '../incidents/rolling.js';
import type { Control } from './control.js';
import { control, web } from './neighbourhood.js';
import { beginRollout, completeRollout } from './workloads.js';

interface Fitting {
  readonly id: string;
  readonly title: string;
  readonly resembles: CauseId;
  readonly informational?: readonly CauseId[];
  readonly nodes: readonly NodeOptions[];
  readonly options?: Partial<DeploymentOptions>;
  /** What else the namespace needs. */
  readonly first?: (cluster: Cluster, namespace: string) => Promise<void>;
  /** `complete`: the rollout completed. A number: this many surge pods have a node and are starting. */
  readonly at: 'complete' | number;
}

/** A rollout of `web` whose surge pods fit, in some cases in the last place. */
export function fitting({ nodes, options, first, at, ...one }: Fitting): Control {
  return control(one, nodes, async (cluster, namespace) => {
    await first?.(cluster, namespace);
    await rollOut(cluster, { namespace, name: 'web', ...options });
    if (at === 'complete') await completeRollout(cluster, web(namespace));
    else await beginRollout(cluster, web(namespace), at);
  });
}
