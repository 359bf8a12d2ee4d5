import * as z from 'zod';
import { greatestOf } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { containersInCrashLoop, hasNode, isActive, isReady, refOf } from '../../../engine/objects/pod.js';
import { isAtLeast, type ServerVersion, versionText } from '../../../engine/objects/release-rules.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded, unreadOf } from '../../../engine/objects/unread.js';
import { hasOrdinals } from '../../../engine/objects/workload.js';
import type { Placement } from '../../../engine/scheduler/placement.js';
import { podRevisionName, statefulSetRevisions } from '../../../engine/workloads/controller-revisions.js';
import { restDependsOnRule, restState } from '../../../engine/workloads/fixed-point.js';
import type { StatefulSetState } from '../../../engine/workloads/rollout-state.js';
import { rolloutStateOf, unavailableBudget } from '../../../engine/workloads/rollout-state.js';
import { ordinalOf, syncStatefulSet } from '../../../engine/workloads/stateful-set-model.js';
import { podsOf } from '../../findings/crashes/failure-group.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import { troubleOf } from '../../findings/pod-trouble.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { forecastChange } from '../../fixes/forecast-change.js';
import { proposeDeletePod } from '../../fixes/kinds/delete-pod.js';
import { state, text } from './text.js';

const OrderedReadyStuckFacts = z.strictObject({
  pod: fact.text('The pod that the controller waits for'),
  revision: fact.text('Its revision, which is no longer wanted'),
  wantedRevision: fact.text('The revision that its replacement would have'),
  reason: fact.text('Why it is not ready, as Kubernetes reports it'),
  container: fact.text('Its container that is not ready').optional(),
  notReadySeconds: fact.seconds('How long the controller has waited').optional(),
  serverVersion: fact
    .text('The version of the API server, where only its controller waits for the pod')
    .optional(),
  completesOnDeletion: fact.flag('The rollout completes once the pod is deleted'),
  readyPods: fact.names('Ready pods that have the wanted revision'),
  alikePods: fact.names('Other pods of unwanted revisions that are not ready'),
});

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
  // Text shows the revision of each pod, and not the one that the set wants.
  undecidedBy: (snapshot) =>
    isUnrecorded(snapshot, 'StatefulSet', 'status.updateRevision') &&
    podsOf(snapshot).some((pod) => !isReady(pod))
      ? ['StatefulSet status.updateRevision']
      : [],
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
      ...recreateAdvice(snapshot),
    ],
    weakenedBy,
  };
}

/** Kubernetes has it since 1.37, behind the gate StatefulSetRecreateStrategy: only the server tells. */
function recreateAdvice({ workload, index }: Snapshot): readonly Advice[] {
  const { serverVersion } = index;
  if (serverVersion === undefined || !isAtLeast(serverVersion, 1, 37)) return [];
  const { namespace, name } = workload.metadata;
  const patch = '{"spec":{"updateStrategy":{"type":"Recreate","rollingUpdate":null}}}';
  return [
    {
      title: state('advice-recreate-title'),
      text: state('advice-recreate'),
      snippet: `kubectl -n ${namespace} patch statefulset ${name} --type=merge -p '${patch}' --dry-run=server\n`,
    },
  ];
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

/** The pod that a StatefulSet waits for before it updates any, of a revision that nobody wants any more. */
interface Blocker {
  readonly state: StatefulSetState;
  readonly pod: Pod;
  readonly revision: string;
  /** Set where the controller waits only under the rule of this server's version (`MaxUnavailableRule`). */
  readonly byVersion: ServerVersion | undefined;
  /** What its replacement would be. */
  readonly wanted: string;
  /** The engines see the rollout complete once it is deleted. */
  readonly completes: boolean;
  /** Ready pods that run the wanted revision already. */
  readonly well: readonly Pod[];
  /** Others that are not ready and not of the wanted revision. */
  readonly alike: readonly Pod[];
}

/**
 * In order, the controller waits for every pod. In parallel it does so in 1.35.0 to 1.35.3 only, where old
 * pods that are not ready use `maxUnavailable` up (kubernetes/kubernetes#137409).
 *
 * `undefined` when the controller does not wait for a pod to become ready, that pod may still become so, or
 * deleting it would bring back the same revision (below the partition, or because it is the wanted one): then
 * the revision is the trouble, not the order.
 */
function blockerOf(snapshot: Snapshot, placement: Placement): Blocker | undefined {
  const state = rolloutStateOf(snapshot);
  if (!hasOrdinals(state)) return undefined;
  const { metadata, spec, status } = state.statefulSet;
  if (spec.updateStrategy.type !== 'RollingUpdate') return undefined;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const byVersion = spec.podManagementPolicy === 'Parallel' ? snapshot.index.serverVersion : undefined;
  const { actions, waitsFor } = syncStatefulSet(state);
  if (actions.length > 0 || waitsFor?.until !== 'ready') return undefined;
  const pod = spec.podManagementPolicy === 'Parallel' ? outdatedBlocker(state) : waitsFor.pod;
  if (pod === undefined || !isHopeless(state, pod)) return undefined;
  const forecast = forecastChange(
    state,
    { kind: 'delete-pod', pod: pod.metadata.name },
    podSimulatorOf({ snapshot, placement }),
  );
  const replacement = forecast.steps
    .flatMap(({ created }) => created)
    .find(({ metadata: made }) => made.name === pod.metadata.name);
  const revision = podRevisionName(pod);
  const wanted = replacement === undefined ? '' : podRevisionName(replacement);
  if (wanted === '' || revision === '' || wanted === revision) return undefined;
  const others = state.pods.filter((each) => each !== pod && isActive(each));
  return {
    state,
    pod,
    revision,
    byVersion,
    wanted,
    completes: forecast.ends === 'complete',
    well: others.filter((each) => isReady(each) && podRevisionName(each) === wanted),
    alike: others.filter((each) => !isReady(each) && podRevisionName(each) !== wanted),
  };
}

/**
 * `undefined` where a pod of the wanted revision is not ready either: then that revision may be the trouble.
 */
function outdatedBlocker(state: StatefulSetState): Pod | undefined {
  if (state.maxUnavailable.rule !== 'as-in-1.35') return undefined;
  const update = statefulSetRevisions(state)?.update;
  const partition = state.statefulSet.spec.updateStrategy.rollingUpdate?.partition ?? 0;
  const start = state.statefulSet.spec.ordinals?.start ?? 0;
  const broken = state.pods.filter((pod) => isActive(pod) && !isReady(pod));
  if (broken.some((pod) => podRevisionName(pod) === update)) return undefined;
  return broken
    .filter((pod) => ordinalOf(pod) - start >= partition)
    .sort((a, b) => ordinalOf(a) - ordinalOf(b))[0];
}

/** Waiting reasons of a container that does not start at all. */
const failing: ReadonlySet<string> = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

function isHopeless(state: StatefulSetState, pod: Pod): boolean {
  if (containersInCrashLoop(pod).length > 0) return true;
  const { containerStatuses, initContainerStatuses } = pod.status;
  const statuses = [...initContainerStatuses, ...containerStatuses];
  if (statuses.some(({ state: now }) => failing.has(now.waiting?.reason ?? ''))) return true;
  return restState(state).kind === 'fixed';
}
