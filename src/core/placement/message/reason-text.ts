import { type Prose, say, word } from '../../language/prose.js';
import type { ReasonClauses, ReasonKey, ReasonValues } from './reason-clauses-en.js';

export type ReasonTellers = { readonly [Key in `reason-${ReasonKey}`]: (values: ReasonValues) => Prose };

/** Reasons that concern the pod: written without `Nodes:` when the message counts no nodes. */
const ofThePod: ReadonlySet<ReasonKey> = new Set<ReasonKey>([
  'affinity-conflict',
  'claim-unbound',
  'storage-class-missing',
  'volume-lost',
  'claim-missing',
  'claim-deleting',
  'claim-awaited',
  'device-claim-awaited',
  'device-claim-missing',
  'device-class-missing',
  'gates',
  'gang',
  'no-node',
  'prebind',
  'plugin-conflict',
  'plugin-failed',
  'permit-rejected',
  'preemption-awaited',
  'being-deleted',
  'queue-closed',
  'kubelet-rejects',
  'kubelet-ends',
  'resize-infeasible',
  'quota-exceeded',
  'creation-refused',
  'preempted',
  'timed-out',
  'unknown',
]);

/** Reasons whose count does not count nodes. */
const ofOthers: ReadonlySet<ReasonKey> = new Set<ReasonKey>(['reservation']);

/** Puts the counted nodes before each clause: `2 nodes: not enough free cpu.` */
export function reasonTellers(
  clauses: ReasonClauses,
  subject: (values: ReasonValues) => Prose,
): ReasonTellers {
  const tellers = Object.entries(clauses).map(([key, clause]) => {
    const alone = ofThePod.has(key as ReasonKey);
    const tell = (values: ReasonValues): Prose =>
      ofOthers.has(key as ReasonKey) || (alone && values.count === undefined && values.pool === undefined)
        ? clause(values)
        : say`${subject(values)}${word(': ')}${clause(values)}`;
    return [`reason-${key}`, tell] as const;
  });
  // Object.fromEntries forgets the keys; they are those of the clauses, which the compiler has checked.
  return Object.fromEntries(tellers) as unknown as ReasonTellers;
}
