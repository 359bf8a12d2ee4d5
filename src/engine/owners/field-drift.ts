import * as z from 'zod';
import type { Immutable } from '../objects/wire.js';

/** A person, tool or controller that writes the workload besides us. */
export const Owner = z.object({
  by: z.enum(['Argo CD', 'Flux', 'Helm', 'operator', 'HorizontalPodAutoscaler', 'kubectl apply', 'other']),
  kind: z.string(),
  /** '' where it is not known. */
  namespace: z.string(),
  /** '' where it is not known; of `other`, the names of the managers. */
  name: z.string(),
});
export type Owner = Immutable<z.output<typeof Owner>>;

/** What keeps an owner from writing although it declares the field. */
const staysWhile = [
  'suspended',
  'reconcile-disabled',
  'not-applied',
  'difference-ignored',
  'drift-ignored',
] as const;

const unknownReasons = [
  /** The last write of the owner lists the field with the value that the API server sets by default. */
  'default-value',
  /** The owner of the field stands only in an entry of another API version. */
  'other-version',
  /** A write of somebody else took the field from its owner, whose own entry no longer lists it. */
  'taken-by-another',
  /** Older entries of `managedFields` were merged, or the field is older than they are. */
  'merged-managers',
  /** The object has no `managedFields` and no last-applied configuration. */
  'no-evidence',
  /** The owner declares the field; when it writes next could not be read. */
  'owner-unread',
  /** The marks of the tool name an object that does not exist. */
  'owner-missing',
  /** A controller of an unknown kind, or one that does not restore every field. */
  'operator',
  /** Tools that are not known to this program. */
  'other-manager',
  /** Rules for differences to ignore that only the owner itself can evaluate. */
  'ignore-rule',
] as const;

/** What becomes of one changed field. */
export const Verdict = z.discriminatedUnion('type', [
  z.object({ type: z.literal('stays'), while: z.enum(staysWhile).optional() }),
  z.object({ type: z.literal('reverted-at-once') }),
  /** `seconds` is the owner's interval; absent where it could not be read. */
  z.object({ type: z.literal('reverted-within'), seconds: z.number().optional() }),
  z.object({ type: z.literal('reverted-at-next'), event: z.enum(['sync', 'upgrade', 'apply']) }),
  /** The next `helm upgrade` or `kubectl apply --server-side` is refused. */
  z.object({ type: z.literal('next-upgrade-conflicts'), event: z.enum(['upgrade', 'apply']) }),
  z.object({ type: z.literal('operator-reverts') }),
  z.object({ type: z.literal('unknown'), because: z.enum(unknownReasons) }),
]);
export type Verdict = Immutable<z.output<typeof Verdict>>;

/** What a verdict was decided by. */
export const RestsOn = z.discriminatedUnion('type', [
  z.object({ type: z.literal('managed-fields'), manager: z.string(), operation: z.string() }),
  z.object({ type: z.literal('last-applied') }),
  z.object({ type: z.literal('marks') }),
  z.object({ type: z.literal('owner-reference') }),
  z.object({ type: z.literal('owner-object'), kind: z.string(), namespace: z.string(), name: z.string() }),
  z.object({ type: z.literal('owner-unread'), kind: z.string(), because: z.string() }),
]);
export type RestsOn = Immutable<z.output<typeof RestsOn>>;

export const FieldDrift = z.object({
  /** As in `FieldChange`. */
  path: z.string(),
  verdict: Verdict,
  /** Who decides it; absent where nobody else writes the field. */
  owner: Owner.optional(),
  restsOn: z.array(RestsOn),
});
export type FieldDrift = Immutable<z.output<typeof FieldDrift>>;

/**
 * The steps of a path as `FieldChange` writes it; what stands in brackets is a key of a map or the name of an
 * item.
 */
export function stepsOf(path: string): readonly string[] {
  return (path.match(/\[[^\][]*\]|[^.[\]]+/gu) ?? []).map((step) =>
    step.startsWith('[') ? step.slice(1, -1) : step,
  );
}

/** Whether all of these fields stay as the change sets them, whatever else happens. */
export function isLasting(drifts: readonly FieldDrift[]): boolean {
  return drifts.every(({ verdict }) => verdict.type === 'stays' && verdict.while === undefined);
}
