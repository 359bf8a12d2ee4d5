import type { Snapshot } from '../../../cluster/snapshot.js';
import { revisionToGoBackTo } from '../../../remediation/template-source.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { currentRevision } from '../../crashes/current-revision.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { isLess, narrower } from './memory-limits.js';

/** A limit that the present revision lowered, or set where there was none. */
export interface LimitCut {
  /** Absent where the former revision had no limit. */
  readonly before: string | undefined;
  /** Number of the former revision. */
  readonly revision: number;
}

/**
 * Whether the former revision gave the container more memory: its own limit and the pod's together, before and now.
 * `undefined` when the failing pods are not of the present revision, or no former revision is kept.
 */
export function limitCutOf(
  snapshot: Snapshot,
  { revision, container }: FailureGroup,
  limit: string,
): LimitCut | undefined {
  if (revision !== currentRevision(snapshot)) return undefined;
  const kept = revisionToGoBackTo(rolloutStateOf(snapshot));
  const spec = kept?.template.spec;
  const former = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].find(
    ({ name }) => name === container,
  );
  if (kept === undefined || former === undefined) return undefined;
  const before = narrower(former.resources.limits.memory, spec?.resources?.limits.memory);
  return before === undefined || isLess(limit, before) ? { before, revision: kept.revision } : undefined;
}
