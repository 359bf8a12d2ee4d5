import type { Statement } from '../../../engine/language/statement.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Deployment, Workload } from '../../../engine/objects/workload.js';
import type { StableRollout } from '../../findings/deadlock/stable.js';
import type { Fixes } from '../../findings/finding.js';

/** What waits for a place. */
export interface Waiting {
  /** New pods that the scheduler refuses. */
  readonly waiting: readonly [Pod, ...Pod[]];
  /** Of a group, one pod of the other template: for it, too, nothing else may be about to free a place. */
  readonly alsoWaiting?: readonly Pod[];
  /** Where it depends on the pod that waits. */
  readonly strategy?: Statement;
  /** What may let the controller go on after all, though it is likely not so. */
  readonly weakenedBy: readonly Statement[];
}

/** A deadlocked rollout, whatever its kind. */
export interface Stuck
  extends Waiting,
    Pick<StableRollout, 'holding' | 'strategy' | 'strategyFacts' | 'strategyEvidence'> {
  readonly workload: Workload;
  /** Absent of kinds that stop old pods by number. */
  readonly state?: StableRollout['state'];
  /**
   * The Deployment of one revision of the workload whose own rollout is stuck; absent where the workload's
   * is.
   */
  readonly inside?: Deployment;
  /** Why the controller takes no old pod. */
  readonly strategy: Statement;
  readonly remedies: (node: string, resource: string) => Fixes;
}
