import * as z from 'zod';
import type { Immutable } from '../cluster/wire.js';
import { Statement } from '../language/statement.js';
import { Remediation } from '../remediation/remediation.js';
import { Owner } from '../survival/field-survival.js';

/** What a change that a person asked for would come to, on the cluster as it was read. */
export const RequestedForecast = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('possible'),
    /** Its id begins with `requested-`. */
    remediation: Remediation,
    /** Why it should not be approved lightly, the gravest first; empty when nothing speaks against it. */
    warnings: z.array(Statement),
    /** Who else writes the workload. */
    owners: z.array(Owner),
  }),
  /** It cannot be planned, or it would change nothing. */
  z.object({ type: z.literal('impossible'), because: Statement }),
]);
export type RequestedForecast = Immutable<z.output<typeof RequestedForecast>>;
