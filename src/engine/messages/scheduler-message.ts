import * as z from 'zod';

/**
 * What the scheduler counts nodes under. Two are wider than their name: `node-affinity` also stands for a
 * `spec.nodeName` that names another node, and `plugin` for every refusal of a known plugin or scheduler
 * extender that has no word of its own here (`detail` names it, such as `Coscheduling` or `HAMi`). `unknown`
 * keeps what no known version of the scheduler says.
 */
const reasonIds = [
  'node-affinity',
  'taint',
  'cordoned',
  'cpu',
  'memory',
  'ephemeral-storage',
  'pods',
  'extended-resource',
  'host-port',
  'pod-affinity',
  'topology-spread',
  'volume-affinity',
  'volume-zone',
  'unbound-pvc',
  'no-pv',
  'lost-pv',
  'pvc-missing',
  'rwop',
  'max-volumes',
  'dra',
  'gates',
  'no-node',
  'prebind',
  'plugin',
  'unknown',
] as const;
export const MessageReasonId = z.enum(reasonIds);
export type MessageReasonId = z.output<typeof MessageReasonId>;

/** What became of the attempt to make room by evicting pods of lower priority. */
const preemptionReasonIds = ['no-victims', 'not-helpful', 'not-eligible', 'unknown'] as const;
export const PreemptionReasonId = z.enum(preemptionReasonIds);
export type PreemptionReasonId = z.output<typeof PreemptionReasonId>;

const Count = z.int().nonnegative();

export const MessageReason = z.object({
  reason: MessageReasonId,
  /** Nodes (for an autoscaler: node groups) refused for this. Missing where the sentence gives none. */
  count: Count.optional(),
  /** The sentence's own words, without count and full stop. */
  text: z.string(),
  /** What the words name: taint, resource, claim, device class, driver, gates, plugins. */
  detail: z.string().optional(),
});
export type MessageReason = z.output<typeof MessageReason>;

export const PreemptionReason = z.object({
  reason: PreemptionReasonId,
  count: Count.optional(),
  text: z.string(),
});
export type PreemptionReason = z.output<typeof PreemptionReason>;

/**
 * A scheduler's sentence, taken apart.
 *
 * `nodes` and `feasible` are N and M of `M/N nodes are available`: the nodes the scheduler knows, and those
 * that would do (always 0 in a refusal). Both are 0 for `no nodes available to schedule pods`, and missing
 * where the sentence does not count nodes. A preemption part that stands alone gives its own. Counts may sum
 * to more than `nodes`: a node is refused by one plugin only, but NodeResourcesFit and VolumeBinding may give
 * several reasons.
 *
 * `preemption` is all that follows the list of reasons: `text` verbatim, with what other PostFilter plugins
 * said (`no new claims to deallocate`); empty when nothing follows. Only what speaks of evicting, or is not
 * known, is among its `reasons`.
 */
export const SchedulerMessage = z.object({
  nodes: Count.optional(),
  feasible: Count.optional(),
  reasons: z.array(MessageReason).readonly(),
  preemption: z.object({ reasons: z.array(PreemptionReason).readonly(), text: z.string() }),
});
export type SchedulerMessage = z.output<typeof SchedulerMessage>;
