import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import type { Remediation } from './remediation.js';

/** Nodes that one request may exclude. */
export const maxExcludedNodes = 10;

/** A change that a person asks for by name, without a finding that offers it. */
export const RequestedChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('restart-rollout') }),
  z.object({ kind: z.literal('undo-rollout') }),
  z.object({ kind: z.literal('resume-rollout') }),
  z.object({ kind: z.literal('abort-rollout') }),
  z.object({ kind: z.literal('promote-rollout') }),
  z.object({ kind: z.literal('retry-rollout') }),
  z.object({
    kind: z.literal('exclude-nodes'),
    /** Names of the nodes. */
    nodes: z.array(z.string()).min(1).max(maxExcludedNodes),
  }),
]);
export type RequestedChange = Immutable<z.output<typeof RequestedChange>>;

const requestedPrefix = 'requested-';

/**
 * The id of a remediation that a person asked for. It differs from the id under which a finding offers the
 * same.
 */
export function requestedId(id: string): string {
  return `${requestedPrefix}${id}`;
}

/** Whether a finding offers the very change that a person asked for. */
export function isSameChange(offered: Remediation, requested: Remediation): boolean {
  return (
    requestedId(offered.id) === requested.id &&
    JSON.stringify(offered.title) === JSON.stringify(requested.title)
  );
}

/** Whether the remediation was made for a person's request. */
export function isRequestedId(id: string): boolean {
  return id.startsWith(requestedPrefix);
}
