import { otherFields } from '../../core/remediation/holds.js';
import type { Plan } from '../../core/remediation/plan.js';
import type { ChangeOutcome } from '../../usecases/change/workload-patcher.js';
import { approvalAnnotation } from './change-body.js';
import type { NotMade } from './change-outcome.js';
import type { ApiObject } from './expected-object.js';

/** What reading the object of a plan came to. */
export type TargetRead =
  | { readonly type: 'read'; readonly current: ApiObject; readonly path: string }
  | { readonly type: 'gone' }
  | NotMade;

type Made = Extract<ChangeOutcome, { readonly type: 'accepted' }>;

/** What an earlier request of this approval came to, as the object shows it; `undefined` where none was carried out. */
export function madeOutcome(plan: Plan, read: TargetRead, mark: string): Made | undefined {
  const { request, target } = plan;
  const deletes = request.verb === 'delete';
  if (read.type === 'gone') return deletes ? gone() : undefined;
  if (read.type !== 'read') return undefined;
  const { metadata } = read.current;
  if (metadata.annotations?.[approvalAnnotation] === mark || wasMade(plan, read.current)) {
    return { type: 'accepted', generation: metadata.generation, mutated: [] };
  }
  return deletes && metadata.uid !== target.uid ? gone() : undefined;
}

/**
 * Whether an earlier attempt got through although its answer was lost: the object is the planned one, has moved on
 * since, and holds every planned value. Scale requests cannot carry the mark, so this is how they are recognised.
 */
function wasMade({ target, changes }: Plan, object: ApiObject): boolean {
  const { uid, generation } = object.metadata;
  const movedOn =
    target.generation !== undefined && generation !== undefined && generation > target.generation;
  return uid === target.uid && movedOn && changes.length > 0 && otherFields(changes, object).length === 0;
}

/** Deleting what is gone already is what was wanted. */
function gone(): Made {
  return { type: 'accepted', generation: undefined, mutated: [] };
}
