import { fieldAt } from '../../doctor/fixes/field-at.js';
import { isAfter, otherFields } from '../../doctor/fixes/holds.js';
import { canonicalJson, type Plan } from '../../doctor/fixes/plan.js';
import type { AuthenticApproval } from '../../doctor/incidents/approval.js';
import { copiesAnnotations } from '../../engine/parents/parent-resource.js';
import type { ChangeOutcome } from '../../service/change/workload-patcher.js';
import type { ApiObject, NotMade } from './change-body.js';
import { approvalAnnotation } from './change-body.js';

/** What reading the object of a plan came to. */
export type TargetRead =
  | { readonly type: 'read'; readonly current: ApiObject; readonly path: string }
  | { readonly type: 'gone' }
  | NotMade;

type Made = Extract<ChangeOutcome, { readonly type: 'accepted' }>;

/**
 * What an earlier request of this approval came to, as the object shows it; `undefined` where none was
 * carried out.
 *
 * @param mayBeSent an earlier request may have left. The status carries no mark, and others write the same
 *   values
 */
export function madeOutcome(
  approval: AuthenticApproval,
  read: TargetRead,
  mayBeSent: boolean,
): Made | undefined {
  const { request, target } = approval.plan;
  const deletes = request.verb === 'delete';
  if (read.type === 'gone') return deletes ? gone() : undefined;
  if (read.type !== 'read') return undefined;
  const { metadata } = read.current;
  if (
    metadata.annotations?.[approvalAnnotation] === approval.id ||
    wasMade(approval, read.current, mayBeSent)
  ) {
    return { type: 'accepted', generation: metadata.generation, mutated: [] };
  }
  return deletes && metadata.uid !== target.uid ? gone() : undefined;
}

/**
 * Whether an earlier attempt got through although its answer was lost: the object is the planned one, has
 * moved on since, and holds every planned value. Scale requests cannot carry the mark, so this is how they
 * are recognised.
 */
function wasMade({ plan, decisions }: AuthenticApproval, object: ApiObject, mayBeSent: boolean): boolean {
  const { target, changes, request } = plan;
  if (target.mustHold !== undefined) {
    // The controller leaves out what is false.
    const holds = changes.every((change) =>
      isAfter(change, fieldAt(object, change.path) ?? (change.after === false ? false : undefined)),
    );
    return mayBeSent && object.metadata.uid === target.uid && holds;
  }
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

/** How the object is no longer the one that the plan was made for; `undefined` where it still is. */
export function staleness({ target }: Plan, object: ApiObject): string | undefined {
  const { uid, generation } = object.metadata;
  if (uid !== target.uid) return `uid is ${uid}, the plan was made for ${target.uid}`;
  if (target.generation !== undefined && generation !== target.generation) {
    return `generation is ${generation}, the plan was made for ${target.generation}`;
  }
  const other = target.mustHold?.find(
    ({ path, value }) => canonicalJson(fieldAt(object, path) ?? null) !== canonicalJson(value ?? null),
  );
  if (other === undefined) return undefined;
  const found = canonicalJson(fieldAt(object, other.path) ?? null);
  return `${other.path} is ${found}, the plan was made for ${canonicalJson(other.value ?? null)}`;
}

/** Deleting what is gone already is what was wanted. */
function gone(): Made {
  return { type: 'accepted', generation: undefined, mutated: [] };
}
