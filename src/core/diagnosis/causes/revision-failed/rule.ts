import { type Condition, conditionOf } from '../../../cluster/metadata.js';
import { isActive } from '../../../cluster/pod.js';
import { nowOf } from '../../../cluster/snapshot.js';
import { isUnread } from '../../../cluster/unread.js';
import type { Workload } from '../../../cluster/workload.js';
import { newRevisionPods } from '../../../rollout/revisioned/revision-pods.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { RevisionFailedFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * Knative has marked a new revision as failed (knative serving
 * `configuration_lifecycle.go: MarkLatestCreatedFailed`), and no pod of it is left to show the reason. It was
 * scaled to zero after its progress deadline, or was never started: the condition is the same for an image
 * that was not found (`reconciler/revision/revision.go: reconcileDigest`), which Knative looks for again.
 * Only Knative's message tells them apart. It may repeat what a container wrote and is not repeated.
 */
export const revisionFailed: Rule<typeof RevisionFailedFacts> = {
  id: 'revision-failed',
  facts: RevisionFailedFacts,
  text,
  origin: 'rollout',
  appliesTo: ['KnativeService'],
  needs: ['Pod'],
  supersedes: [],
  detect(examination) {
    const rollout = rolloutStateOf(examination.snapshot);
    if (rollout.kind !== 'Revisioned') return undefined;
    const { next } = rollout.service.revisions;
    const failed = failureOf(rollout.service);
    if (next === undefined || failed === undefined || isUnread(examination.snapshot, 'Pod')) return undefined;
    return newRevisionPods(rollout).some(isActive) ? undefined : findingOf(examination, next, failed);
  },
};

/** The condition, where it is about the present spec. */
function failureOf(workload: Workload): Condition | undefined {
  if (workload.kind !== 'KnativeService' || workload.metadata.deletionTimestamp !== undefined)
    return undefined;
  if (workload.status.observedGeneration < (workload.metadata.generation ?? 0)) return undefined;
  const condition = conditionOf(workload.status, 'ConfigurationsReady');
  return condition?.status === 'False' && condition.reason === 'RevisionFailed' ? condition : undefined;
}

function findingOf(
  { snapshot }: Examination,
  revision: string,
  { status, reason, lastTransitionTime }: Condition,
): Detected<typeof RevisionFailedFacts> {
  const { workload } = snapshot;
  const { namespace, name } = workload.metadata;
  const serving = 'revisions' in workload ? [...workload.revisions.former, ...workload.revisions.kept] : [];
  const since = Date.parse(lastTransitionTime ?? '');
  const failedSeconds = Number.isNaN(since) ? undefined : Math.max(0, (nowOf(snapshot) - since) / 1000);
  return {
    confidence: 'proven',
    facts: { revision, serving, failedSeconds },
    summary: state('summary', { workload: workloadName(snapshot), revision }),
    standing: state('standing', { revision, forSeconds: failedSeconds }),
    reasoning: [
      state('given-up', { revision }),
      serving.length === 0 ? state('none-serves') : state('serves', { revisions: serving }),
    ],
    evidence: [
      {
        object: { kind: workload.kind, namespace, name },
        field: 'status.conditions[ConfigurationsReady]',
        value: `${status} ${reason}`,
        ...(lastTransitionTime === undefined ? {} : { at: lastTransitionTime }),
        says: state('ev-failed', { revision }),
      },
    ],
    ruledOut: [],
    nextAttempt: { what: state('next-attempt') },
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
    advice: [
      {
        title: state('advice-read-title'),
        text: state('advice-read', { revision }),
        snippet: `kubectl -n ${namespace} get revision ${revision} -o yaml\n`,
      },
      { title: state('advice-again-title'), text: state('advice-again', { revision }) },
    ],
    weakenedBy: [],
  };
}
