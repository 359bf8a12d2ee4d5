import * as z from 'zod';
import type { Immutable } from '../cluster/wire.js';
import { CauseId } from '../diagnosis/cause-id.js';

/** The person who works on an incident. */
export const Assignee = z.object({
  /** Slack user id. */
  by: z.string(),
  /** RFC3339. */
  at: z.string(),
  /** The cause that the incident had then. */
  cause: CauseId,
});
export type Assignee = Immutable<z.output<typeof Assignee>>;
