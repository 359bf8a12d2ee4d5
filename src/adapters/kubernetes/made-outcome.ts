import type { AuthenticApproval } from '../../core/incident/approval.js';
import { fieldAt } from '../../core/remediation/field-at.js';
import { otherFields } from '../../core/remediation/holds.js';
import { copiesAnnotations } from '../../core/top-owner/top-owner.js';
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
export function madeOutcome(approval: AuthenticApproval, read: TargetRead): Made | undefined {
  const { request, target } = approval.plan;
  const deletes = request.verb === 'delete';
  if (read.type === 'gone') return deletes ? gone() : undefined;
  if (read.type !== 'read') return undefined;
  const { metadata } = read.current;
  if (metadata.annotations?.[approvalAnnotation] === approval.id || wasMade(approval, read.current)) {
    return { type: 'accepted', generation: metadata.generation, mutated: [] };
  }
  return deletes && metadata.uid !== target.uid ? gone() : undefined;
}

/**
 * Whether an earlier attempt got through although its answer was lost: the object is the planned one, has moved on
 * since, and holds every planned value. Scale requests cannot carry the mark, so this is how they are recognised.
 */
function wasMade({ plan, decisions }: AuthenticApproval, object: ApiObject): boolean {
  const { target, changes, request } = plan;
  const { uid, generation } = object.metadata;
  const movedOn =
    target.generation !== undefined && generation !== undefined && generation > target.generation;
  if (uid !== target.uid || !movedOn || changes.length === 0) return false;
  if (request.verb !== 'restart' || !copiesAnnotations(target.kind))
    return otherFields(changes, object).length === 0;
  // The plan of a restart does not know the moment, which is stored in whole seconds.
  const approvedAt = Date.parse(decisions.at(-1)?.at ?? '');
  const restartedAt = Date.parse(String(fieldAt(object, changes[0]?.path ?? '')));
  return restartedAt > approvedAt - 1_000;
}

/** Deleting what is gone already is what was wanted. */
function gone(): Made {
  return { type: 'accepted', generation: undefined, mutated: [] };
}
