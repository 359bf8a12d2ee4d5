import type { ObjectRef } from '../../../cluster/metadata.js';
import type { Pod } from '../../../cluster/pod.js';
import type { Workload } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import type { StrategyFacts } from '../../deadlock/facts.js';
import type { Evidence, Fixes } from '../../finding.js';

/** A deadlocked rollout, whatever its kind. */
export interface Stuck {
  readonly workload: Workload;
  /** Old pods with a node that only the controller takes. */
  readonly holding: readonly Pod[];
  /** New pods that the scheduler refuses. */
  readonly waiting: readonly [Pod, ...Pod[]];
  /** Of a group, one pod of the other template: for it, too, nothing else may be about to free a place. */
  readonly alsoWaiting?: readonly Pod[];
  /** Why the controller takes no old pod. */
  readonly strategy: Statement;
  readonly strategyFacts: StrategyFacts | undefined;
  readonly strategyEvidence: readonly Evidence[];
  /** What may let the controller go on after all, though it is likely not so. */
  readonly weakenedBy: readonly Statement[];
  readonly remedies: (node: string, resource: string) => Fixes;
}

export function subjectOf({ kind, metadata }: Stuck['workload']): ObjectRef {
  return { kind, namespace: metadata.namespace, name: metadata.name };
}
