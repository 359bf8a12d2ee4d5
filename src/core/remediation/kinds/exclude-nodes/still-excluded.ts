import type { Snapshot } from '../../../cluster/snapshot.js';
import type { RemediationOf } from '../../remediation.js';
import { exclusionOf } from './node-exclusion.js';

/** Whether the workload's template keeps all these nodes out still, by this change or by whatever became of it. */
export function stillExcluded({ nodes }: RemediationOf<'exclude-nodes'>, { workload }: Snapshot): boolean {
  const hostnames = nodes.map(({ hostname }) => hostname);
  return !exclusionOf(workload.spec.template.raw, hostnames).changes;
}
