import { declaredStatementsOf, type Statement } from '../../engine/language/statement.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import { type LimitValues, limitValues } from '../../engine/workloads/limit-words.js';
import type { Refusal } from './plan.js';

type OwnerName = { readonly kind: string; readonly owner: string };

export type RefusalShapes = {
  readonly paused: { readonly workload: string };
  readonly 'waits-at-no-pause': { readonly workload: string };
  readonly 'update-over': { readonly workload: string };
  readonly 'pauses-again': { readonly workload: string };
  readonly 'already-applied': { readonly workload: string };
  readonly drifted: { readonly workload: string; readonly path: string; readonly found: string };
  readonly 'not-applicable': { readonly workload: string; readonly kind: string };
  readonly 'pod-gone': { readonly pod: string };
  readonly 'pod-ready': { readonly pod: string };
  readonly 'pod-protected': { readonly pod: string; readonly budget: string };
  readonly 'budgets-unread': { readonly pod: string };
  readonly 'node-gone': { readonly node: string; readonly hostname: string };
  readonly 'revision-gone': { readonly workload: string; readonly revision: number };
  readonly 'template-gone': { readonly workload: string; readonly from: string };
  readonly 'replica-set-gone': { readonly replicaSet: string };
  readonly 'revision-current': { readonly workload: string; readonly replicaSet: string };
  readonly 'too-large': { readonly workload: string } & LimitValues;
  /** Of an object that people own above the workload. */
  readonly 'owner-unread': OwnerName;
  readonly 'owner-has-no-field': OwnerName;
  readonly 'owner-field-not-served': OwnerName & { readonly field: string };
  readonly 'owner-keeps-no-revision': OwnerName;
  readonly 'owner-has-no-pause': OwnerName;
  readonly 'owner-affinity-elsewhere': OwnerName;
  readonly 'owner-affinity-of-groups': OwnerName;
  readonly 'scaled-already': { readonly replicaSet: string; readonly replicas: number };
};

export const refusalStatement = declaredStatementsOf<RefusalShapes>('refusals');

/** Why the effect of a change is unknown: the simulation reached a limit first. */
export function tooLarge(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  { limit }: Pick<Forecast, 'limit'>,
): Statement {
  return refusalStatement('too-large', { workload: `${namespace}/${name}`, ...limitValues(limit) });
}

/** Why a remediation cannot be done, with the words for it. */
export function refusal<Key extends keyof RefusalShapes>(
  reason: Refusal['reason'],
  key: Key,
  values: RefusalShapes[Key],
): Refusal {
  return { type: 'refusal', reason, because: refusalStatement(key, values) };
}
