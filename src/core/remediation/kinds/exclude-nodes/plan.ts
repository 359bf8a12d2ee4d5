import * as z from 'zod';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { Immutable } from '../../../cluster/wire.js';
import { isPaused } from '../../../cluster/workload.js';
import { fieldOf } from '../../field-at.js';
import { offeredFields } from '../../offered-fields.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { targetOf } from '../../target-of.js';
import { isTemplateElsewhere } from '../../template-source.js';
import { exclusionOf, hostnameLabel, requiredPath } from './node-exclusion.js';

/** The record of one remediation of this kind. */
export const ExcludeNodes = z.object({
  kind: z.literal('exclude-nodes'),
  ...offeredFields,
  nodes: z.array(z.object({ name: z.string(), hostname: z.string() })),
  remindAfterHours: z.number(),
});
export type ExcludeNodes = Immutable<z.output<typeof ExcludeNodes>>;

/**
 * A merge patch of the required node affinity, merged with what is there: its list is replaced as a whole, everything
 * beside it stays. Undo puts the former value back, and removes what had to be made.
 *
 * @returns a refusal when the Deployment is paused, a node is gone or labelled otherwise, or all are excluded already
 */
export function planExcludeNodes(
  { id, kind, nodes }: ExcludeNodes,
  { workload, index }: Snapshot,
): Plan | Refusal {
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (isPaused(workload)) {
    return refusal('paused', 'paused', { workload: name });
  }
  if (isTemplateElsewhere(workload)) {
    return refusal('not-applicable', 'not-applicable', { workload: name, kind });
  }
  const gone = nodes.find(
    (node) => index.nodes.get(node.name)?.metadata.labels[hostnameLabel] !== node.hostname,
  );
  if (gone !== undefined) return refusal('gone', 'node-gone', { node: gone.name, hostname: gone.hostname });
  const hostnames = nodes.map(({ hostname }) => hostname);
  const { before, after, changes } = exclusionOf(workload.spec.template.raw, hostnames);
  if (!changes) return refusal('already-applied', 'already-applied', { workload: name });
  const change = { path: requiredPath, before, after };
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: patchOf({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: after } }),
    changes: [change],
    undo: { request: patchOf(formerAffinity(workload, before)), expects: [change] },
  };
}

function patchOf(affinity: object | null) {
  return { verb: 'patch', patchType: 'merge', body: affinityBody(affinity) } as const;
}

/** The body of a patch of the template's affinity. */
export function affinityBody(affinity: object | null): object {
  return { spec: { template: { spec: { affinity } } } };
}

/** `null` for the highest object that was not there before. */
function formerAffinity(workload: Snapshot['workload'], required: unknown): object | null {
  if (fieldOf(workload, 'spec.template.spec.affinity') === undefined) return null;
  if (fieldOf(workload, 'spec.template.spec.affinity.nodeAffinity') === undefined)
    return { nodeAffinity: null };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required ?? null } };
}
