import * as z from 'zod';
import type { Immutable } from '../cluster/wire.js';
import { WorkloadRef } from '../cluster/workload.js';
import { Severity } from '../diagnosis/cause-id.js';
import { SharedRoot } from './shared-root.js';

/** Where a card is, within the channel of its group. */
export const CardPlace = z.object({
  ts: z.string(),
  /** The thread it is in; absent where it stands in the channel. */
  threadTs: z.string().optional(),
});
export type CardPlace = Immutable<z.output<typeof CardPlace>>;

/** Another incident of the same root, as the leading card tells of it. */
export const GroupMember = z.object({
  /** The incident. */
  id: z.string(),
  workload: WorkloadRef,
  /** `well`: it was looked at, and the root is not its trouble any more. */
  state: z.enum(['sick', 'well']),
  card: CardPlace.optional(),
  /** RFC3339: when the cluster was read for its last diagnosis; absent where there is none. */
  diagnosedAt: z.string().optional(),
  /** As its last diagnosis found it; absent where there is none. */
  severity: Severity.optional(),
  ready: z.object({ pods: z.number(), wanted: z.number() }).optional(),
  /** How often its alerts fired; absent where no alert opened it. */
  alerts: z.number().optional(),
});
export type GroupMember = Immutable<z.output<typeof GroupMember>>;

/**
 * What an incident has in common with others of its channel: one of them leads, the others stand under its
 * card.
 */
export const IncidentGroup = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('leads'),
    root: SharedRoot,
    members: z.array(GroupMember),
    /** Its thread was deleted: it takes nobody in any more. */
    closed: z.boolean().optional(),
    /** RFC3339: when the group began, or took its last member. */
    since: z.string().optional(),
  }),
  z.object({
    role: z.literal('follows'),
    root: SharedRoot,
    /** The incident that leads. */
    lead: z.string(),
    workload: WorkloadRef,
    /** Where its card was when this one joined it. */
    card: CardPlace.optional(),
  }),
]);
export type IncidentGroup = Immutable<z.output<typeof IncidentGroup>>;
