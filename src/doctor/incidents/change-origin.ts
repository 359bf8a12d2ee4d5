import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { type CauseId, CauseId as CauseIdSchema } from '../findings/cause-id.js';

/** A person's request for a change. */
export const ChangeRequester = z.object({
  /** Slack user id. */
  by: z.string(),
  /** RFC3339. */
  at: z.string(),
});
export type ChangeRequester = Immutable<z.output<typeof ChangeRequester>>;

/** What an approver wrote when they approved. */
export const GivenReason = z.object({
  /** Slack user id. */
  by: z.string(),
  reason: z.string(),
});
export type GivenReason = Immutable<z.output<typeof GivenReason>>;

/** Why a change is proposed: a finding offers it against its cause, or a person asked for it. */
export type ChangeOrigin =
  | { readonly type: 'finding'; readonly cause: CauseId }
  | { readonly type: 'request'; readonly requester: ChangeRequester };

/** The fields in which records keep the origin; exactly one is present. */
export const originShape = {
  /** The cause that the change is meant to end; the verdict asks the same rule. */
  cause: CauseIdSchema.optional(),
  /** Who asked for the change, where no finding offers it. */
  requested: ChangeRequester.optional(),
} as const;

type OriginFields = {
  readonly cause?: CauseId | undefined;
  readonly requested?: ChangeRequester | undefined;
};

/** Whether a record states exactly one origin. */
export function hasOneOrigin({ cause, requested }: OriginFields): boolean {
  return (cause === undefined) !== (requested === undefined);
}

/** The origin as a record keeps it. */
export function originFields(origin: ChangeOrigin): OriginFields {
  return origin.type === 'finding' ? { cause: origin.cause } : { requested: origin.requester };
}

/** The origin of a stored change. A record without a request was offered by a finding. */
export function originOf({ cause, requested }: OriginFields): ChangeOrigin {
  if (requested !== undefined) return { type: 'request', requester: requested };
  if (cause === undefined) throw new RangeError('a change without an origin');
  return { type: 'finding', cause };
}
