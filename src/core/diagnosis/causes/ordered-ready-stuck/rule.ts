import { conditionOf } from '../../../cluster/metadata.js';
import { hasNode } from '../../../cluster/pod.js';
import { versionText } from '../../../cluster/server-version.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { unreadOf } from '../../../cluster/unread.js';
import { greatestOf } from '../../../collections/collections.js';
import type { Statement } from '../../../language/statement.js';
import { proposeDeletePod } from '../../../remediation/kinds/delete-pod/propose.js';
import { refOf } from '../../../remediation/price-of.js';
import { restDependsOnRule } from '../../../rollout/fixed-point.js';
import { unavailableBudget } from '../../../rollout/max-unavailable-rule.js';
import type { FactsOf } from '../../facts.js';
import type { Evidence } from '../../finding.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';
import { troubleOf } from '../../pod-trouble.js';
import { readinessOf } from '../../readiness-of.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { type Blocker, blockerOf } from './blocker.js';
import { OrderedReadyStuckFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * A broken pod of a revision that the template has left keeps an OrderedReady StatefulSet from replacing it:
 * the controller first waits for every pod to be ready (kubernetes `stateful_set_control.go: processReplica`,
 * kubernetes/kubernetes#67250). So does a Parallel one in 1.35.0 to 1.35.3. Correcting the template is not
 * enough; the pod has to be deleted by hand.
 */
export const orderedReadyStuck: Rule<typeof OrderedReadyStuckFacts> = {
  id: 'ordered-ready-stuck',
  facts: OrderedReadyStuckFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['StatefulSet'],
  needs: [
    'ControllerRevision',
    'Pod',
    'Node',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'StorageClass',
    'PodDisruptionBudget',
    'HorizontalPodAutoscaler',
  ],
  supersedes: [
    'unsatisfiable-placement',
    'insufficient-capacity',
    'capacity-contention',
    'crash-loop-after-rollout',
    'config-missing',
    'image-pull-failure',
    'bad-command',
    'process-exits-zero',
    'application-crash',
    'readiness-failing',
    'progress-deadline-exceeded',
  ],
  // Pods that are not in the way fail for themselves.
  explains: ({ pods: own = [] }, { failures = [] }) =>
    failures.length === 0 || failures.some(({ pod }) => own.includes(pod)),
  detect(examination) {
    const blocker = blockerOf(examination.snapshot, examination.placement);
    return blocker && findingOf(examination, blocker);
  },
};

function findingOf(
  { snapshot, placement }: Examination,
  blocker: Blocker,
): Detected<typeof OrderedReadyStuckFacts> {
  const { pod, completes, state: rollout, revision } = blocker;
  const { namespace } = snapshot.workload.metadata;
  const ready = readinessOf(snapshot);
  const deletion = proposeDeletePod({
    snapshot,
    state: rollout,
    placement,
    simulator: podSimulatorOf({ snapshot, placement }),
    pod,
    purpose: 'unstick',
  });
  const weakenedBy = weakeningOf(snapshot, blocker);
  const podName = pod.metadata.name;
  const facts = {
    pod: podName,
    revision,
    wantedRevision: blocker.wanted,
    ...troubleOf(pod),
    notReadySeconds: notReadyForSeconds(snapshot, blocker),
    serverVersion: blocker.byVersion && versionText(blocker.byVersion),
    completesOnDeletion: completes,
    readyPods: blocker.well.map(({ metadata }) => metadata.name),
    alikePods: blocker.alike.map(({ metadata }) => metadata.name),
  };
  return {
    confidence: completes && weakenedBy.length === 0 ? 'proven' : 'likely',
    severity: 'critical',
    nodes: hasNode(pod) ? [pod.spec.nodeName ?? ''] : [],
    holders: [refOf(pod)],
    facts,
    summary: state('summary', { workload: workloadName(snapshot), pod: podName }),
    standing: state('standing', {
      forSeconds: facts.notReadySeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    pods: [podName, ...facts.alikePods],
    reasoning: reasoningOf(facts),
    evidence: evidenceOf(snapshot, blocker),
    ruledOut: [
      { cause: 'application-crash', because: state('because-past', { revision }) },
      { cause: 'crash-loop-after-rollout', because: state('because-past', { revision }) },
      { cause: 'stuck-terminating', because: state('because-not-leaving', { pod: podName }) },
    ],
    nextAttempt: { what: state('next-attempt', { pod: podName }) },
    remediations: [...deletion.remediations],
    withheld: [
      ...deletion.withheld,
      { kind: 'restart-rollout', because: state('restart-withheld') },
      { kind: 'undo-rollout', because: state('undo-withheld') },
    ],
    advice: [
      {
        title: state('advice-delete-title'),
        text: state('advice-delete', { pod: podName }),
        snippet: `kubectl -n ${namespace} delete pod ${podName}\n`,
      },
      {
        title: state('advice-parallel-title'),
        text: state(blocker.byVersion === undefined ? 'advice-parallel' : 'advice-upgrade'),
      },
    ],
    weakenedBy,
  };
}

function weakeningOf(
  snapshot: Snapshot,
  { completes, byVersion, state: rollout }: Blocker,
): readonly Statement[] {
  const unread = unreadOf(snapshot, 'Pod');
  return [
    ...(byVersion === undefined || !restDependsOnRule(rollout)
      ? []
      : [state('gate-unsure', { version: versionText(byVersion) })]),
    ...(completes ? [] : [state('not-to-the-end')]),
    ...(unread === undefined ? [] : [state('pods-unread', { because: unread.because })]),
  ];
}

/**
 * Since when the controller waits: the pod is not ready, or the present revision was made, whichever is
 * later.
 */
function notReadyForSeconds(
  snapshot: Snapshot,
  { pod, wanted, state: rollout }: Blocker,
): number | undefined {
  const made = rollout.controllerRevisions.find(({ metadata }) => metadata.name === wanted);
  const times = [
    conditionOf(pod.status, 'Ready')?.lastTransitionTime ?? pod.metadata.creationTimestamp,
    made?.metadata.creationTimestamp,
  ]
    .map((at) => Date.parse(at ?? ''))
    .filter((at) => !Number.isNaN(at));
  return times.length === 0 ? undefined : Math.max(0, (nowOf(snapshot) - greatestOf(times)) / 1000);
}

function reasoningOf({
  pod: name,
  revision,
  wantedRevision: wanted,
  reason,
  container,
  serverVersion: version,
  readyPods,
  alikePods,
}: FactsOf<typeof OrderedReadyStuckFacts>): readonly Statement[] {
  return [
    state('broken', { pod: name, revision, reason, container }),
    state('not-wanted', { revision, wanted }),
    version === undefined
      ? state('waits-first', { pod: name })
      : state('waits-for-outdated', { pod: name, version }),
    state('would-become', { pod: name, wanted }),
    readyPods.length > 0 ? state('runs-well', { wanted, pods: readyPods }) : state('untested', { wanted }),
    ...(alikePods.length === 0 ? [] : [state('more-like-it', { pods: alikePods })]),
  ];
}

function evidenceOf(
  { workload }: Snapshot,
  { pod, revision, wanted, byVersion, state: rollout }: Blocker,
): readonly Evidence[] {
  const { kind, metadata } = workload;
  const set = { kind, namespace: metadata.namespace, name: metadata.name };
  const ready = conditionOf(pod.status, 'Ready');
  const { reason, container } = troubleOf(pod);
  return [
    {
      object: refOf(pod),
      field: 'metadata.labels[controller-revision-hash]',
      value: revision,
      says: state('ev-revision', { wanted }),
    },
    {
      object: refOf(pod),
      field: 'status.conditions[Ready]',
      value: container === undefined ? reason : `${container}: ${reason}`,
      ...(ready?.lastTransitionTime === undefined ? {} : { at: ready.lastTransitionTime }),
      says: state('ev-not-ready'),
    },
    byVersion === undefined
      ? {
          object: set,
          field: 'spec.podManagementPolicy',
          value: rollout.statefulSet.spec.podManagementPolicy,
          says: state('ev-policy'),
        }
      : {
          object: set,
          field: 'spec.updateStrategy',
          value: JSON.stringify(rollout.statefulSet.spec.updateStrategy),
          says: state('ev-budget', { budget: unavailableBudget(rollout.statefulSet) }),
        },
    {
      object: set,
      field: 'status.updateRevision',
      value: rollout.statefulSet.status.updateRevision,
      says: state('ev-wanted'),
    },
  ];
}
