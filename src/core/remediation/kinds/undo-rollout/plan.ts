import type { Snapshot } from '../../../cluster/snapshot.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { sameTemplate } from '../../../rollout/template-equality.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import type { RemediationOf } from '../../remediation.js';
import { targetOf } from '../../target-of.js';
import { templateChanges } from '../../template-changes.js';
import { currentSource, templateFrom } from '../../template-source.js';

/**
 * The workload's pod template becomes that of a kept revision, as `kubectl rollout undo` does, but under uid and
 * resourceVersion (kubectl `rollback.go` patches without a precondition). The undo brings the present revision back,
 * as long as the cluster keeps it and nobody changes the template meanwhile.
 *
 * @returns a refusal when the Deployment is paused, the revision is no longer kept, or the template is that one already
 */
export function planUndoRollout(
  { id, from, toRevision }: RemediationOf<'undo-rollout'>,
  snapshot: Snapshot,
): Plan | Refusal {
  const { workload } = snapshot;
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (workload.kind === 'Deployment' && workload.spec.paused) {
    return refusal('paused', 'paused', { workload: name });
  }
  const state = rolloutStateOf(snapshot);
  const template = templateFrom(state, from);
  if (template === undefined) {
    return refusal('gone', 'revision-gone', { workload: name, revision: toRevision });
  }
  if (sameTemplate(template, workload.spec.template)) {
    return refusal('already-applied', 'already-applied', { workload: name });
  }
  const present = currentSource(state);
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: { verb: 'restore-template', from },
    changes: templateChanges(workload.spec.template.raw, template.raw),
    ...(present === undefined
      ? {}
      : {
          undo: {
            request: { verb: 'restore-template', from: present },
            expects: [],
            expectsTemplateOf: from,
          },
        }),
  };
}
