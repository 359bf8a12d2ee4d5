import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { compareQuantities, parseQuantity } from '../../../engine/scheduler/quantity.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { type KeptRevision, revisionToGoBackTo } from '../../fixes/template-changes.js';
import type { FailureGroup } from './failure-group.js';
import { currentRevision } from './failure-group.js';

/** A limit that the present revision lowered, or set where there was none. */
export interface LimitCut {
  /** Absent where the former revision had no limit. */
  readonly before: string | undefined;
  /** Number of the former revision. */
  readonly revision: number;
}

/**
 * Whether the former revision gave the container more of that resource: its own limit and the pod's together,
 * before and now. `undefined` when the failing pods are not of the present revision, or no former revision is
 * kept.
 */
export function limitCutOf(
  snapshot: Snapshot,
  { revision, container }: FailureGroup,
  resource: string,
  limit: string,
): LimitCut | undefined {
  const kept = formerRevision(snapshot, revision);
  const spec = kept?.template.spec;
  const former = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].find(
    ({ name }) => name === container,
  );
  if (kept === undefined || former === undefined) return undefined;
  const before = narrower(former.resources.limits[resource], spec?.resources?.limits[resource]);
  return before === undefined || isLess(limit, before) ? { before, revision: kept.revision } : undefined;
}

/** A limit that the API server gave a container which asks for none. */
interface AddedLimit {
  /** The LimitRange that gives it; absent where a webhook or a LimitRange that was not read does. */
  readonly limitRange: string | undefined;
}

/** Whether the template of the failing pods has no such limit. `undefined` where it has, or is not known. */
export function addedLimitOf(
  snapshot: Snapshot,
  { revision, container }: FailureGroup,
  resource: string,
  limit: string,
): AddedLimit | undefined {
  const { index, workload } = snapshot;
  const { spec } = workload.spec.template;
  const declared = [...spec.initContainers, ...spec.containers].find(({ name }) => name === container);
  const isCurrent = revision === currentRevision(snapshot);
  if (!isCurrent || declared === undefined || declared.resources.limits[resource] !== undefined)
    return undefined;
  const giving = index.objects.LimitRange.find(
    (each) =>
      each.metadata.namespace === workload.metadata.namespace &&
      each.spec.limits.some((item) => item.type === 'Container' && item.default[resource] === limit),
  );
  return { limitRange: giving?.metadata.name };
}

/** The revision that a roll back restores, where the failing pods are of the present one. */
export function formerRevision(snapshot: Snapshot, failing: string): KeptRevision | undefined {
  return failing === currentRevision(snapshot) ? revisionToGoBackTo(rolloutStateOf(snapshot)) : undefined;
}

/** The limit that is met first: the container's own or the whole pod's. */
export function narrower(own: string | undefined, ofPod: string | undefined): string | undefined {
  if (own === undefined || ofPod === undefined) return own ?? ofPod;
  return isLess(ofPod, own) ? ofPod : own;
}

/** False where one of them is no quantity. */
export function isLess(one: string, other: string): boolean {
  const [a, b] = [parseQuantity(one), parseQuantity(other)];
  return a !== undefined && b !== undefined && compareQuantities(a, b) < 0;
}
