import type { Statement } from '../../../../engine/language/statement.js';
import { namesOf } from '../../../../engine/objects/metadata.js';
import { hasNode, isActive, isReady, type Pod, refOf } from '../../../../engine/objects/pod.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import { isUnreadNearby } from '../../../../engine/objects/unread.js';
import {
  hasGroups,
  hasOrdinals,
  hasReplicaSets,
  isPaused,
  isRevisioned,
} from '../../../../engine/objects/workload.js';
import { podRevisionName } from '../../../../engine/workloads/controller-revisions.js';
import type { Forecast } from '../../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import { newReplicaSetOf, podsOfReplicaSet } from '../../../../engine/workloads/revisions.js';
import type { RolloutState } from '../../../../engine/workloads/rollout-state.js';
import { knownNames } from '../../../../engine/workloads/simulated-pods.js';
import { budgetsOn, type Considered, impossible } from '../../considered.js';
import { effect } from '../../effects-text.js';
import { forecastChange, forecastUndoAndDelete, impactOf, predictionOf } from '../../forecast-change.js';
import { notRecommended, type Offer, offered } from '../../offered-fields.js';
import { refusedByOwner } from '../../owner-target.js';
import { tooLarge } from '../../refusals.js';
import {
  currentSource,
  hasFormerRevision,
  isTemplateElsewhere,
  type KeptRevision,
  revisionToGoBackTo,
  templateChanges,
  templateFrom,
} from '../../template-changes.js';
import type { UndoRollout } from './plan.js';
import { state as say } from './text.js';

interface UndoRolloutInput {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly simulator: PodSimulator;
}

const kind = 'undo-rollout';

/**
 * Back to the last healthy revision: the newest former one with available pods, else the newest that is kept.
 * Offered where the engines see the way back end, for an OrderedReady StatefulSet with the deletion of its
 * broken pods as a second step where it does not end without; a Deployment that is paused would not move
 * (kubectl refuses it likewise).
 */
export function proposeUndoRollout(input: UndoRolloutInput): Offer<UndoRollout> {
  const considered = considerUndoRollout(input);
  if (considered.type === 'impossible') return notRecommended(kind, considered.because);
  const { forecast, remediation, against } = considered;
  switch (forecast.ends) {
    case 'complete':
    case 'contested':
      return offered(remediation);
    case 'stuck': {
      const { toRevision: revision } = remediation;
      const stuck = say('withheld-stuck', { revision, pods: knownNames(forecast.waiting) });
      return notRecommended(kind, against ?? stuck);
    }
    case 'too-large':
      return notRecommended(kind, tooLarge(input.snapshot.workload.metadata, forecast));
    case 'unknown':
      return notRecommended(kind, effect('withheld-unknown'));
  }
}

/**
 * The way back and its forecast, however that ends; impossible where the workload is paused or keeps no
 * revision.
 */
export function considerUndoRollout({
  snapshot,
  state,
  simulator,
}: UndoRolloutInput): Considered<UndoRollout> {
  const { metadata } = snapshot.workload;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (isPaused(snapshot.workload)) {
    return impossible(say('withheld-paused', { workload }));
  }
  if (hasGroups(snapshot.workload)) {
    const refused = refusedByOwner('owner-keeps-no-revision', snapshot.workload);
    return impossible(refused?.because ?? effect('withheld-groups', { workload }));
  }
  if (isRevisioned(snapshot.workload)) return impossible(effect('withheld-revisions', { workload }));
  if (isTemplateElsewhere(snapshot.workload)) return impossible(say('withheld-elsewhere', { workload }));
  const kept = revisionToGoBackTo(state);
  if (kept === undefined) {
    const keeper = 'replicaSets' in state ? 'ReplicaSet' : 'ControllerRevision';
    return impossible(
      isUnreadNearby(snapshot, keeper) || hasFormerRevision(state)
        ? say('withheld-unread', { workload, what: keeper })
        : say('withheld-none-kept', { workload }),
    );
  }
  const broken = brokenPods(state, kept);
  const cautious = withoutReadiness(broken, simulator);
  const alone = forecastChange(state, { kind: 'undo', revision: kept.source.name }, cautious);
  const after =
    alone.ends === 'stuck' ? afterSecondStep({ state, kept, broken, simulator: cautious }) : undefined;
  const second = after?.ends === 'complete' ? after : undefined;
  const protectedPod = second && firstProtected(snapshot, broken);
  const isOneStep = second === undefined || protectedPod !== undefined;
  const first: Forecast = after?.ends === 'unknown' ? { ...alone, ends: 'unknown' } : alone;
  const forecast = isOneStep ? first : second;
  const deleted = isOneStep ? [] : broken;
  const impact = impactOf(forecast, 'template');
  const prediction = predictionOf(forecast);
  return {
    type: 'considered',
    forecast,
    remediation: {
      kind,
      id: `${kind}-${kept.source.name}`,
      title: say('title', { revision: kept.revision }),
      effects: effectsOf({ snapshot, state, kept, alone, forecast, deleted }),
      price: {
        ...impact,
        blastRadius: {
          ...impact.blastRadius,
          pods: impact.blastRadius.pods + deleted.filter(hasNode).length,
        },
      },
      prediction: { ...prediction, victims: [...deleted.map(refOf), ...prediction.victims] },
      toRevision: kept.revision,
      from: kept.source,
      ...(deleted.length === 0 ? {} : { thenDelete: namesOf(deleted) }),
      ...(currentSource(state) === undefined ? { hasNoUndo: true } : {}),
    },
    ...(protectedPod === undefined ? {} : { against: say('withheld-protected', protectedPod) }),
  };
}

/**
 * Pods of a StatefulSet that are not ready and run another revision than the one to go back to. An
 * OrderedReady StatefulSet waits for them before it replaces any pod (kubernetes
 * `stateful_set_control.go: processReplica`, kubernetes/kubernetes#67250), and nothing says that they become
 * ready: they are why people go back.
 */
function brokenPods(state: RolloutState, { source }: KeptRevision): readonly Pod[] {
  if (!hasOrdinals(state)) return [];
  return state.pods.filter((pod) => isActive(pod) && !isReady(pod) && podRevisionName(pod) !== source.name);
}

function withoutReadiness(pods: readonly Pod[], simulator: PodSimulator): PodSimulator {
  if (pods.length === 0) return simulator;
  const broken = new Set(pods.map(({ metadata }) => metadata.uid));
  return {
    ...simulator,
    becomesReady: (pod, node, difference) =>
      !broken.has(pod.metadata.uid) && simulator.becomesReady(pod, node, difference),
  };
}

interface Blocked {
  readonly state: RolloutState;
  readonly kept: KeptRevision;
  readonly broken: readonly Pod[];
  readonly simulator: PodSimulator;
}

/**
 * What follows when the broken pods are deleted after the template is restored; `undefined` where nobody
 * would delete them.
 */
function afterSecondStep({ state, kept, broken, simulator }: Blocked): Forecast | undefined {
  if (!hasOrdinals(state) || broken.length === 0) return undefined;
  if (state.statefulSet.spec.podManagementPolicy === 'Parallel') return undefined;
  return forecastUndoAndDelete(state, kept.source.name, namesOf(broken), simulator);
}

/** A DELETE would not ask PodDisruptionBudgets; they are respected all the same, as `delete-pod` does. */
function firstProtected(
  snapshot: Snapshot,
  pods: readonly Pod[],
): { readonly pod: string; readonly budget: string } | undefined {
  for (const pod of pods) {
    const answer = budgetsOn(snapshot, pod);
    if (answer.type === 'refused') return { pod: pod.metadata.name, budget: answer.budget };
  }
  return undefined;
}

interface Outlook {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly kept: KeptRevision;
  /** After the template is restored, without a second step. */
  readonly alone: Forecast;
  /** After all steps. */
  readonly forecast: Forecast;
  /** Pods that the second step deletes. */
  readonly deleted: readonly Pod[];
}

function effectsOf({ snapshot, state, kept, alone, forecast, deleted }: Outlook): readonly Statement[] {
  const { workload } = snapshot;
  const { namespace, name } = workload.metadata;
  const { revision, template, evidence } = kept;
  const { victims, steps } = forecast;
  // A Rollout lacks the defaults that its ReplicaSets have, and no pod changes by them.
  const source = currentSource(state);
  const present = (source && templateFrom(state, source)) ?? workload.spec.template;
  const paths = templateChanges(present.raw, template.raw).map(({ path }) => path);
  const removed = victims.filter((pod) => isOfCurrent(state, pod));
  const created = steps.flatMap((step) => step.created).length;
  const pods = namesOf(deleted);
  return [
    say('back', { workload: `${namespace}/${name}`, revision, from: kept.source.name }),
    ...(paths.length === 0 ? [] : [say('differs', { paths })]),
    ...(pods.length === 0
      ? []
      : [
          say('waits-for-broken', { pods, stops: alone.victims.length }),
          say('then-delete', { pods, revision }),
        ]),
    ...(removed.length === 0 ? [] : [say('removes-new', { pods: namesOf(removed) })]),
    ...(victims.length > removed.length ? [say('stops-others', { pods: victims.length })] : []),
    ...(created === 0 ? [] : [say('places-old', { pods: created })]),
    evidence === 'available-pods' ? say('serves-now', { revision }) : say('only-former', { revision }),
    say(source === undefined ? 'update-given-up-for-good' : 'update-given-up'),
  ];
}

/** Only a Deployment's pods can be told by revision before its controller has labelled them anew. */
function isOfCurrent(state: RolloutState, pod: Pod): boolean {
  if (!hasReplicaSets(state)) return true;
  const current = newReplicaSetOf(state);
  return current !== undefined && podsOfReplicaSet(state, current).includes(pod);
}
