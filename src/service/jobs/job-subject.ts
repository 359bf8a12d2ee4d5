import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';

/**
 * What a job is about, as far as its payload can be read: enough to tell people that its work was not done,
 * also when the payload fits no schema or is of another version of this program.
 */
export const JobSubject = z.object({
  alertId: z.string().optional().catch(undefined),
  incidentId: z.string().optional().catch(undefined),
  approvalId: z.string().optional().catch(undefined),
  scanId: z.string().optional().catch(undefined),
  look: z.number().optional().catch(undefined),
  ask: z.number().optional().catch(undefined),
  questionId: z.string().optional().catch(undefined),
});
export type JobSubject = Immutable<z.output<typeof JobSubject>>;

/** A payload that a newer version of this program wrote. */
export const FutureJob = z.object({ v: z.number().int().min(2) });

/**
 * Whether a payload differs from its schema only in words that this version does not know: a kind that a
 * newer version added. It may be right, and a newer worker can do it.
 */
export function hasOnlyUnknownWords(data: unknown, { issues }: z.ZodError): boolean {
  return (
    issues.length > 0 &&
    issues.every(({ code, path }) => {
      const isListed = code === 'invalid_value' || code === 'invalid_union';
      return isListed && path[0] !== 'v' && typeof valueAt(data, path) === 'string';
    })
  );
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    data,
  );
}
