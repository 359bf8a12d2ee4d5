import type { Statement } from '../../../../engine/language/statement.js';
import { controllerOf } from '../../../../engine/objects/metadata.js';
import { isReady, isTerminating, type Pod } from '../../../../engine/objects/pod.js';
import { podKey, refOf } from '../../../../engine/objects/pod-key.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Placement } from '../../../../engine/scheduler/placement.js';
import { withPodDefaults } from '../../../../engine/scheduler/pod-defaults.js';
import type { Forecast } from '../../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import type { RolloutState } from '../../../../engine/workloads/rollout-state.js';
import { type BudgetAnswer, budgetsOn } from '../../disruption-budgets.js';
import { effect } from '../../effects-text.js';
import { forecastChange } from '../../forecast-change.js';
import { impactOf, predictionOf } from '../../impact-of.js';
import { notRecommended, type Offer, offered } from '../../offer.js';
import { refusalStatement, tooLarge } from '../../refusals.js';
import type { DeletePod } from './plan.js';
import { state as say } from './text.js';

export interface DeletePodInput {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly placement: Placement;
  readonly simulator: PodSimulator;
  readonly pod: Pod;
  readonly purpose: DeletePod['purpose'];
  /** Nodes that the replacement is to get away from; a pod placed there is not expected to become ready. */
  readonly awayFrom?: readonly string[];
  /** For an experiment: longer than the pod ever lived before it failed. */
  readonly mustStayReadySeconds?: number;
}

const kind = 'delete-pod';

/**
 * Deletes one pod of the workload so that its controller makes another. Offered where the engines see a
 * replacement and a node for it, away from the nodes named, and no PodDisruptionBudget is against it,
 * although a DELETE would not ask them. To unstick a StatefulSet, its rollout must then complete.
 */
export function proposeDeletePod(input: DeletePodInput): Offer<DeletePod> {
  const { snapshot, state, pod, awayFrom = [] } = input;
  const { name } = pod.metadata;
  const obstacle = obstacleTo(input);
  if (obstacle !== undefined) return notRecommended(kind, obstacle);
  const budgets = budgetsOn(snapshot, pod);
  if (budgets.type === 'refused') {
    return notRecommended(kind, refusalStatement('pod-protected', { pod: name, budget: budgets.budget }));
  }
  if (budgets.type === 'unread' && isReady(pod)) {
    return notRecommended(kind, refusalStatement('budgets-unread', { pod: name }));
  }
  const forecast = forecastChange(state, { kind, pod: name }, wary(input));
  if (forecast.ends === 'too-large')
    return notRecommended(kind, tooLarge(snapshot.workload.metadata, forecast));
  if (forecast.ends === 'unknown') return notRecommended(kind, effect('withheld-unknown'));
  const replacement = replacementIn(forecast, pod);
  if (replacement === undefined) return notRecommended(kind, say('withheld-not-replaced', { pod: name }));
  const nodes = nodesFor(input, replacement);
  const isPlaced = forecast.placements.some(
    ({ pod: placed }) => placed.metadata.uid === replacement.metadata.uid,
  );
  if (nodes.length === 0 || !isPlaced) return notRecommended(kind, say('withheld-nowhere', { pod: name }));
  if (nodes.every((node) => awayFrom.includes(node))) {
    return notRecommended(kind, say('withheld-same-node', { nodes }));
  }
  const mustComplete = input.purpose === 'unstick' && state.kind === 'StatefulSet';
  if (mustComplete && forecast.ends === 'stuck') {
    return notRecommended(
      kind,
      say('withheld-stuck', { pods: forecast.waiting.map((each) => each.metadata.name) }),
    );
  }
  return offered(remediation(input, { forecast, nodes, budgets }));
}

function obstacleTo({ state, pod }: DeletePodInput): Statement | undefined {
  const { name, uid } = pod.metadata;
  if (controllerOf(pod) === undefined) return say('withheld-bare', { pod: name });
  if (!state.pods.some(({ metadata }) => metadata.uid === uid)) return say('withheld-foreign', { pod: name });
  return isTerminating(pod) ? say('withheld-leaving', { pod: name }) : undefined;
}

function wary({ simulator, awayFrom = [] }: DeletePodInput): PodSimulator {
  return {
    ...simulator,
    becomesReady: (pod, node, difference) =>
      !awayFrom.includes(node) && simulator.becomesReady(pod, node, difference),
  };
}

/** The first pod that the same controller makes; a StatefulSet gives it the same name. */
function replacementIn({ steps }: Forecast, pod: Pod): Pod | undefined {
  const owner = controllerOf(pod);
  const made = steps
    .flatMap(({ created }) => created)
    .filter((each) => controllerOf(each)?.uid === owner?.uid);
  return made.find(({ metadata }) => metadata.name === pod.metadata.name) ?? made[0];
}

/** All nodes that would take the replacement once the pod is gone, by name. */
function nodesFor({ placement, pod }: DeletePodInput, replacement: Pod): readonly string[] {
  const { nodeName: _none, ...spec } = withPodDefaults(replacement.spec);
  const wanted = { ...replacement, spec: { ...spec, nodeName: undefined } };
  return placement.with({ remove: new Set([podKey(pod)]) }).evaluate(wanted).feasible;
}

interface Outlook {
  readonly forecast: Forecast;
  readonly nodes: readonly string[];
  readonly budgets: BudgetAnswer;
}

function remediation(input: DeletePodInput, outlook: Outlook): DeletePod {
  const { pod, purpose, mustStayReadySeconds = 0 } = input;
  const { name, uid } = pod.metadata;
  const price = impactOf(outlook.forecast, 'none');
  const prediction = predictionOf(outlook.forecast);
  return {
    kind,
    id: `${kind}-${name}`,
    title:
      purpose === 'experiment' ? say('title-experiment', { pod: name }) : say('title-unstick', { pod: name }),
    effects: effectsOf(input, outlook),
    price: { ...price, blastRadius: { ...price.blastRadius, pods: price.blastRadius.pods + 1 } },
    prediction: { ...prediction, victims: [refOf(pod), ...prediction.victims] },
    pod: name,
    uid,
    purpose,
    mustStayReadySeconds,
  };
}

function effectsOf(
  { state, pod, purpose, awayFrom = [], mustStayReadySeconds = 0 }: DeletePodInput,
  { forecast, nodes, budgets }: Outlook,
): readonly Statement[] {
  const { name } = pod.metadata;
  const owner = controllerOf(pod);
  const by = { kind: owner?.kind ?? '', name: owner?.name ?? '' };
  const back = nodes.filter((node) => awayFrom.includes(node));
  const { downtime } = forecast;
  return [
    say('deletes', {
      pod: name,
      node: pod.spec.nodeName ?? '',
      graceSeconds: pod.spec.terminationGracePeriodSeconds,
    }),
    state.kind === 'StatefulSet' ? say('replaced-same-name', { ...by, pod: name }) : say('replaced', by),
    say('placed-on', { nodes }),
    ...(back.length === 0 ? [] : [say('may-return', { nodes: back })]),
    isReady(pod)
      ? say('one-less', { ready: downtime?.readyMin ?? 0, wanted: downtime?.ofReplicas ?? 0 })
      : say('not-ready-anyway'),
    ...(budgets.type === 'allowed' ? [say('budget-allows', { budgets: budgets.budgets })] : []),
    ...(budgets.type === 'unread' ? [say('budget-unread')] : []),
    ...(purpose === 'experiment' ? [say('tells', { seconds: mustStayReadySeconds })] : []),
    say('no-undo'),
  ];
}
