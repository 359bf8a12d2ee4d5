import { isActive, isReady, type Pod } from '../../../cluster/pod.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { Statement } from '../../../language/statement.js';
import { podRevisionName } from '../../../rollout/controller-revisions.js';
import type { Forecast } from '../../../rollout/forecast.js';
import type { PodOracle } from '../../../rollout/pod-oracle.js';
import { newReplicaSetOf, podsOfReplicaSet } from '../../../rollout/revisions.js';
import type { RolloutState } from '../../../rollout/rollout-state.js';
import { type Considered, impossible } from '../../considered.js';
import { forecastChange, forecastUndoAndDelete } from '../../forecast-change.js';
import { type Offer, offered, withheld } from '../../offer.js';
import { predictionOf, priceOf } from '../../price-of.js';
import { tooLarge } from '../../refusals.js';
import { templateChanges } from '../../template-changes.js';
import { type KeptRevision, revisionToGoBackTo } from '../../template-source.js';
import { state as say } from './statements.js';

export interface UndoRolloutInput {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly oracle: PodOracle;
}

const kind = 'undo-rollout';

/**
 * Back to the last healthy revision: the newest former one with available pods, else the newest that is kept. Offered
 * where the engines see the way back end, for a StatefulSet also where it ends once its broken pods are deleted as a
 * second step; a Deployment that is paused would not move (kubectl refuses it likewise).
 */
export function proposeUndoRollout(input: UndoRolloutInput): Offer<typeof kind> {
  const considered = considerUndoRollout(input);
  if (considered.type === 'impossible') return withheld(kind, considered.because);
  const { forecast, remediation } = considered;
  switch (forecast.ends) {
    case 'complete':
    case 'contested':
      return offered(remediation);
    case 'stuck': {
      const { toRevision: revision, thenDelete } = remediation;
      if (thenDelete !== undefined) return offered(remediation);
      return withheld(kind, say('withheld-stuck', { revision, pods: namesOf(forecast.waiting) }));
    }
    case 'too-large':
      return withheld(kind, tooLarge(input.snapshot.workload.metadata, forecast));
    case 'unknown':
      return withheld(kind, say('withheld-unknown', {}));
  }
}

/** The way back and its forecast, however that ends; impossible where the workload is paused or keeps no revision. */
export function considerUndoRollout({ snapshot, state, oracle }: UndoRolloutInput): Considered<typeof kind> {
  const { metadata } = snapshot.workload;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (state.kind === 'Deployment' && state.deployment.spec.paused) {
    return impossible(say('withheld-paused', { workload }));
  }
  const kept = revisionToGoBackTo(state);
  if (kept === undefined) return impossible(say('withheld-none-kept', { workload }));
  const broken = brokenPods(state, kept);
  const sober = withoutReadiness(broken, oracle);
  const forecast = forecastChange(state, { kind: 'undo', revision: kept.source.name }, sober);
  const thenDelete = forecast.ends === 'stuck' ? podsToDeleteAfter(state, kept, broken, sober) : [];
  return {
    type: 'considered',
    forecast,
    remediation: {
      kind,
      id: `${kind}-${kept.source.name}`,
      title: say('title', { revision: kept.revision }),
      effects: [
        ...effectsOf(snapshot, state, kept, forecast),
        ...(thenDelete.length === 0
          ? []
          : [
              say('waits-for-broken', { pods: thenDelete }),
              say('then-delete', { pods: thenDelete, revision: kept.revision }),
            ]),
      ],
      price: priceOf(forecast, 'template'),
      prediction: predictionOf(forecast),
      toRevision: kept.revision,
      from: kept.source,
      ...(thenDelete.length === 0 ? {} : { thenDelete }),
    },
  };
}

/**
 * Pods of a StatefulSet that are not ready and run another revision than the one to go back to. An OrderedReady
 * StatefulSet waits for them before it replaces any pod (kubernetes `stateful_set_control.go: processReplica`,
 * kubernetes/kubernetes#67250), and nothing says that they become ready: they are why people go back.
 */
function brokenPods(state: RolloutState, { source }: KeptRevision): readonly Pod[] {
  if (state.kind !== 'StatefulSet') return [];
  return state.pods.filter((pod) => isActive(pod) && !isReady(pod) && podRevisionName(pod) !== source.name);
}

function withoutReadiness(pods: readonly Pod[], oracle: PodOracle): PodOracle {
  if (pods.length === 0) return oracle;
  const broken = new Set(pods.map(({ metadata }) => metadata.uid));
  return {
    ...oracle,
    becomesReady: (pod, node, difference) =>
      !broken.has(pod.metadata.uid) && oracle.becomesReady(pod, node, difference),
  };
}

/** The broken pods, where their deletion completes the way back; none where it does not. */
function podsToDeleteAfter(
  state: RolloutState,
  { source }: KeptRevision,
  broken: readonly Pod[],
  oracle: PodOracle,
): readonly string[] {
  if (state.kind !== 'StatefulSet' || broken.length === 0) return [];
  const { ends } = forecastUndoAndDelete(state, source.name, namesOf(broken), oracle);
  return ends === 'complete' ? namesOf(broken) : [];
}

function effectsOf(
  { workload }: Snapshot,
  state: RolloutState,
  { revision, source, template, evidence }: KeptRevision,
  { victims, steps }: Forecast,
): readonly Statement[] {
  const { namespace, name } = workload.metadata;
  const paths = templateChanges(workload.spec.template.raw, template.raw).map(({ path }) => path);
  const removed = victims.filter((pod) => isOfCurrent(state, pod));
  const created = steps.flatMap((step) => step.created).length;
  return [
    say('back', { workload: `${namespace}/${name}`, revision, from: source.name }),
    ...(paths.length === 0 ? [] : [say('differs', { paths })]),
    ...(removed.length === 0 ? [] : [say('removes-new', { pods: namesOf(removed) })]),
    ...(victims.length > removed.length ? [say('stops-others', { pods: victims.length })] : []),
    ...(created === 0 ? [] : [say('places-old', { pods: created })]),
    evidence === 'available-pods' ? say('serves-now', { revision }) : say('only-former', { revision }),
    say('update-given-up', {}),
  ];
}

/** Only a Deployment's pods can be told by revision before its controller has labelled them anew. */
function isOfCurrent(state: RolloutState, pod: Pod): boolean {
  if (state.kind !== 'Deployment') return true;
  const current = newReplicaSetOf(state);
  return current !== undefined && podsOfReplicaSet(state, current).includes(pod);
}

function namesOf(pods: readonly Pod[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.name);
}
