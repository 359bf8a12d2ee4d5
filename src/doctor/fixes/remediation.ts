import * as z from 'zod';
import { Statement } from '../../engine/language/statement.js';
import type { Immutable } from '../../engine/objects/wire.js';
import { kinds } from './kinds/kinds.js';
import { kindOf } from './plan-remediation.js';

type Each<Kinds extends readonly object[], Field extends keyof Kinds[number]> = {
  -readonly [Index in keyof Kinds]: Kinds[Index][Field];
};

export const remediationKinds = kinds.map(({ kind }) => kind) as Each<typeof kinds, 'kind'>;
export const RemediationKind = z.enum(remediationKinds);
export type RemediationKind = z.output<typeof RemediationKind>;

export const Remediation = z.discriminatedUnion(
  'kind',
  kinds.map(({ schema }) => schema) as unknown as Each<typeof kinds, 'schema'>,
);
export type Remediation = Immutable<z.output<typeof Remediation>>;

/** Whether its purpose is to decide between two causes rather than to end the incident. */
export function isExperiment(remediation: Remediation): boolean {
  return remediation.kind === 'delete-pod' && remediation.purpose === 'experiment';
}

/**
 * Whether no undo exists for it: a stopped pod does not come back, and removing a restart's annotation
 * restarts again.
 */
export function isIrreversible(remediation: Remediation): boolean {
  if ('hasNoUndo' in remediation && remediation.hasNoUndo === true) return true;
  return kindOf(remediation)?.isUndo === undefined;
}

/** A remediation that people would reach for and that must not be offered here, with the reason. */
export const NotRecommended = z.object({ kind: RemediationKind, because: Statement });
export type NotRecommended = Immutable<z.output<typeof NotRecommended>>;

/**
 * Whether a change that a person asked for must be confirmed with the name of the workload: the rollout would
 * not complete, or for a time no pod would be ready. Remediations of findings are offered only where the
 * rollout completes or the deadlock ends.
 */
export function needsConfirmation({ price, prediction }: Pick<Remediation, 'price' | 'prediction'>): boolean {
  return prediction.ends !== 'complete' || price.downtime.kind === 'gap';
}
