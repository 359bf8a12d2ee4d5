import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import { ObjectRef } from '../../engine/objects/metadata.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { FieldDrift } from '../../engine/owners/field-drift.js';

/** What a remediation costs, shown before anyone may approve it. */
export const Impact = z.object({
  downtime: z.object({
    /** `gap`: a time with no ready pod. `reduced`: fewer ready pods than wanted, never none. */
    kind: z.enum(['none', 'reduced', 'gap']),
    /** Estimated length; absent when nothing observed allows an estimate. */
    seconds: z.number().optional(),
    /** Fewest ready pods on the way, of `replicas` wanted. */
    readyAtLeast: z.number().optional(),
    replicas: z.number().optional(),
  }),
  /** Where the cluster then differs from what Git or an owner declares. */
  drift: z.enum(['none', 'strategy', 'template', 'replicas']),
  blastRadius: z.object({
    /** Pods that are stopped. */
    pods: z.number(),
    /** Other workloads that may be touched, by name. */
    others: z.array(ObjectRef),
  }),
});
export type Impact = Immutable<z.output<typeof Impact>>;

/** What the engines say will happen; compared afterwards with what did. */
export const Prediction = z.object({
  /** Pods the controller would delete, first ones first. */
  victims: z.array(ObjectRef),
  /**
   * Pods it may begin with in place of the first victim, since no rule tells them apart; absent when it is
   * certain.
   */
  orElse: z.array(ObjectRef).optional(),
  /** Where the waiting pods would then be placed. */
  placements: z.array(z.object({ pod: ObjectRef, node: z.string() })),
  /** `contested`: it completes unless the competitors get what becomes free. */
  ends: z.enum(['complete', 'progressing', 'contested', 'stuck', 'unknown']),
  /** Waiting pods of others that could take what becomes free, in the order of the scheduling queue. */
  competitors: z.array(ObjectRef),
});
export type Prediction = Immutable<z.output<typeof Prediction>>;

/** What every kind has beside its own arguments. */
export const offeredFields = {
  /** Stable within an incident: kind and arguments. Travels in button values. */
  id: z.string(),
  /** What it does, in a few words. */
  title: Statement,
  /** What will happen, step by step. */
  effects: z.array(Statement),
  price: Impact,
  prediction: Prediction,
  /** The field of the change that lasts shortest; absent where nobody else writes the changed fields. */
  survival: FieldDrift.optional(),
  /** Waiting may end the incident, and this leaves no pod ready for a time: nothing recommends it first. */
  afterWaiting: z.literal(true).optional(),
};

const Offered = z.object({ kind: z.string(), ...offeredFields });

/** A remediation of whatever kind, without its arguments. */
export type OfferedRemediation = Immutable<z.output<typeof Offered>>;

/**
 * What a kind has to say for a finding: remediations to offer, best first, or why it must not be used here.
 */
export interface Offer<Remediation extends OfferedRemediation> {
  readonly remediations: readonly Remediation[];
  readonly withheld: readonly { readonly kind: Remediation['kind']; readonly because: Statement }[];
}

export function offered<Remediation extends OfferedRemediation>(
  remediation: Remediation,
): Offer<Remediation> {
  return { remediations: [remediation], withheld: [] };
}

/** Neither an offer nor a reason that is worth a line. */
export const nothingOffered = { remediations: [], withheld: [] } as const;

export function notRecommended<Remediation extends OfferedRemediation>(
  kind: Remediation['kind'],
  because: Statement,
): Offer<Remediation> {
  return { remediations: [], withheld: [{ kind, because }] };
}
