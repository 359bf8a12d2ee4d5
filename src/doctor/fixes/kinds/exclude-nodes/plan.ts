import * as z from 'zod';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable, JsonObject } from '../../../../engine/objects/wire.js';
import { isPaused } from '../../../../engine/objects/workload.js';
import type { OwnerFields } from '../../../../engine/parents/parent-resource-kind.js';
import { fieldAt, fieldOf } from '../../field-at.js';
import { offeredFields } from '../../offered-fields.js';
import { nested, type OwnerTarget, ownerRefusal, ownerTargetOf } from '../../owner-target.js';
import type { Plan, Refusal } from '../../plan.js';
import { isSame } from '../../plan-shape.js';
import { refusal } from '../../refusals.js';
import { targetOf } from '../../target-of.js';
import { isTemplateElsewhere } from '../../template-source.js';
import { exclusionOf, hostnameLabel, requiredPath, requiredSteps } from './node-exclusion.js';

/** The record of one remediation of this kind. */
export const ExcludeNodes = z.object({
  kind: z.literal('exclude-nodes'),
  ...offeredFields,
  nodes: z.array(z.object({ name: z.string(), hostname: z.string() })),
  remindAfterHours: z.number(),
});
export type ExcludeNodes = Immutable<z.output<typeof ExcludeNodes>>;

/**
 * A merge patch of the required node affinity, merged with what is there: its list is replaced as a whole,
 * everything beside it stays. Undo puts the former value back, and removes what had to be made.
 *
 * @returns a refusal when the Deployment is paused, a node is gone or labelled otherwise, or all are excluded
 *   already
 */
export function planExcludeNodes({ id, kind, nodes }: ExcludeNodes, snapshot: Snapshot): Plan | Refusal {
  const { workload, index } = snapshot;
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
  const owner = ownerTargetOf(snapshot);
  if (owner !== undefined) return 'type' in owner ? owner : planInOwner(id, owner, workload, hostnames);
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

/** The same in the owner's affinity of these pods, where that is all of their required affinity. */
function planInOwner(
  id: string,
  { object, fields }: OwnerTarget,
  workload: Snapshot['workload'],
  hostnames: readonly string[],
): Plan | Refusal {
  const { namespace, name } = object.metadata;
  const path = [...fields.affinity, ...requiredSteps];
  const declared = fieldAt(object, path.join('.'));
  if (!isSame(declared, fieldOf(workload, requiredPath))) {
    return ownerRefusal('owner-affinity-elsewhere', { kind: object.kind, namespace, name });
  }
  const { before, after, changes } = exclusionOf(templateRequiring(declared), hostnames);
  if (!changes) {
    return refusal('already-applied', 'already-applied', { workload: `${namespace}/${name}` });
  }
  const target = targetOf(object);
  const { apiVersion, kind, uid } = target;
  const patch = (value: unknown, at: readonly string[] = path) =>
    ({ verb: 'patch', patchType: 'merge', body: nested(at, value) }) as const;
  const made = pathsMade(fields).find((each) => fieldAt(object, each.join('.')) === undefined);
  const change = { path: path.join('.'), before, after };
  return {
    type: 'plan',
    remediationId: id,
    target,
    request: patch(after),
    changes: [change],
    undo: { request: patch(before ?? null, made), expects: [change], of: { apiVersion, kind, name, uid } },
  };
}

/** What may have to be made for an exclusion in an owner, the highest object first. */
export function pathsMade({ affinity }: OwnerFields): readonly (readonly string[])[] {
  return requiredSteps
    .map((_, at) => [...affinity, ...requiredSteps.slice(0, at)])
    .concat([[...affinity, ...requiredSteps]]);
}

/** The part of a pod template that decides about an exclusion. */
export function templateRequiring(required: unknown): JsonObject {
  return {
    spec: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } },
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
