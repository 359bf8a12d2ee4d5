import { hasNode, type Pod, refOf } from '../../engine/objects/pod.js';
import type { PodTemplate } from '../../engine/objects/pod-spec.js';
import type { Workload } from '../../engine/objects/workload.js';
import { nextArgoRolloutSteps } from '../../engine/workloads/argo-rollout/forecast.js';
import { type Forecast, nextSteps, unknownForecast } from '../../engine/workloads/forecast.js';
import { nextLeaderWorkerSetSteps } from '../../engine/workloads/leader-worker-set/forecast.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { nextDaemonSetSteps, nextStatefulSetSteps } from '../../engine/workloads/revision-forecast.js';
import { nextRevisionedSteps } from '../../engine/workloads/revisioned/forecast.js';
import type { RolloutState, StatefulSetState } from '../../engine/workloads/rollout-state.js';
import { failsToStart, startToReady } from '../../engine/workloads/start-to-ready.js';
import { redact, redactValue } from '../redaction/redact.js';
import { fieldAt } from './field-at.js';
import type { Impact, Prediction } from './offered-fields.js';
import { canonicalJson, type FieldChange } from './plan.js';

/** A change that every kind of workload can have. */
type AnyChange =
  | { readonly kind: 'template'; readonly template: PodTemplate }
  /** Back to the template of that ReplicaSet or ControllerRevision. */
  | { readonly kind: 'undo'; readonly revision: string }
  | { readonly kind: 'restart' }
  | { readonly kind: 'delete-pod'; readonly pod: string };

/**
 * Plays the workload's controllers forward under a change. A pod that had its time to become ready and is
 * not, stays so: no remediation may count on it.
 */
export function forecastChange(state: RolloutState, change: AnyChange, simulator: PodSimulator): Forecast {
  return playChange(state, change, withoutFailedStarts(state, simulator));
}

/** The same with every pod as the simulator has it. */
export function playChange(
  state: RolloutState,
  change: AnyChange | { readonly kind: 'none' },
  simulator: PodSimulator,
): Forecast {
  const ofReplicaSet =
    change.kind === 'undo' ? ({ kind: 'undo', replicaSet: change.revision } as const) : change;
  const ofRevision =
    change.kind === 'undo' ? ({ kind: 'undo', controllerRevision: change.revision } as const) : change;
  switch (state.kind) {
    case 'Deployment':
      return nextSteps(state, ofReplicaSet, simulator);
    case 'Rollout':
      return nextArgoRolloutSteps(state, ofReplicaSet, simulator);
    case 'LeaderWorkerSet': {
      // No other plan changes the templates of its pods.
      const isPlayed = change.kind === 'restart' || change.kind === 'none';
      return isPlayed ? nextLeaderWorkerSetSteps(state, change, simulator) : unknownForecast;
    }
    case 'Revisioned':
      // No plan changes the templates of its pods.
      return change.kind === 'none' ? nextRevisionedSteps(state, simulator) : unknownForecast;
    case 'StatefulSet':
      return nextStatefulSetSteps(state, ofRevision, simulator);
    case 'DaemonSet':
      return nextDaemonSetSteps(state, ofRevision, simulator);
  }
}

/**
 * The same for a StatefulSet that goes back to a ControllerRevision while the pods of these names are
 * deleted.
 */
export function forecastUndoAndDelete(
  state: StatefulSetState,
  controllerRevision: string,
  pods: readonly string[],
  simulator: PodSimulator,
): Forecast {
  const change = { kind: 'undo-and-delete', controllerRevision, pods } as const;
  return nextStatefulSetSteps(state, change, withoutFailedStarts(state, simulator));
}

/** A simulator under which pods of this state that had their time to become ready stay as they are. */
export function withoutFailedStarts(
  state: Pick<RolloutState, 'pods' | 'now'>,
  simulator: PodSimulator,
): PodSimulator {
  const observed = startToReady(state);
  const failed = new Set(
    state.pods.filter((pod) => failsToStart(pod, state.now, observed)).map(({ metadata }) => metadata.uid),
  );
  return {
    ...simulator,
    becomesReady: (pod, node, difference) =>
      !failed.has(pod.metadata.uid) && simulator.becomesReady(pod, node, difference),
  };
}

/** A forecast as the impact people see before they approve. */
export function impactOf({ downtime, victims }: Forecast, drift: Impact['drift']): Impact {
  return {
    downtime: {
      kind: downtime?.kind ?? 'none',
      ...(downtime?.seconds === undefined ? {} : { seconds: Math.round(downtime.seconds) }),
      ...(downtime === undefined ? {} : { readyAtLeast: downtime.readyMin, replicas: downtime.ofReplicas }),
    },
    drift,
    // A pod without a node is removed, and nothing stops by that.
    blastRadius: { pods: victims.filter(hasNode).length, others: [] },
  };
}

/** Pods of each list of a prediction, the first ones; the impact says how many there are. */
const maxPredicted = 500;

/** A forecast as what the verification compares the cluster with afterwards. */
export function predictionOf(forecast: Forecast): Prediction {
  const { victims, steps, placements, ends, winners = [] } = forecast;
  const orElse = steps.find(({ deleted }) => deleted.length > 0)?.orElse ?? [];
  const refs = (pods: readonly Pod[]) => pods.slice(0, maxPredicted).map(refOf);
  return {
    victims: refs(victims),
    ...(orElse.length === 0 ? {} : { orElse: refs(orElse) }),
    placements: placements.slice(0, maxPredicted).map(({ pod, node }) => ({ pod: refOf(pod), node })),
    ends: ends === 'too-large' ? 'unknown' : ends,
    competitors: [...winners.slice(0, maxPredicted)],
  };
}

/** Seconds; 0 without pods. A list of pods may be longer than a call may have arguments. */
export function longestGrace(pods: readonly Pod[]): number {
  return pods.reduce((longest, { spec }) => Math.max(longest, spec.terminationGracePeriodSeconds), 0);
}

/** Update strategy OnDelete: a new template reaches a pod only when somebody deletes it. */
export function replacesOnlyDeleted(workload: Workload): boolean {
  return 'updateStrategy' in workload.spec && workload.spec.updateStrategy.type === 'OnDelete';
}

/**
 * Whether a value read from the cluster is the one a change wrote, as far as redaction lets it be compared.
 */
export function isAfter({ path, after }: FieldChange, found: unknown): boolean {
  return canonicalJson(shownValue(nameAt(path), found) ?? null) === canonicalJson(after ?? null);
}

/** Planned fields of an object that hold another value, with what was planned and what was found. */
export function otherFields(changes: readonly FieldChange[], object: unknown): readonly FieldChange[] {
  return changes.flatMap((change) => {
    const { path, after } = change;
    const found = fieldAt(object, path);
    return isAfter(change, found) ? [] : [{ path, before: after, after: shownValue(nameAt(path), found) }];
  });
}

/**
 * A field's value as records and people may have it: secrets replaced by markers, the rest as it is. `name`
 * is what the value is called where it stands: the field, the environment variable, the annotation.
 */
export function shownValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return redactValue(name, value);
  if (Array.isArray(value)) return value.map((item, position) => shownItem(name, value[position - 1], item));
  if (typeof value !== 'object' || value === null) return value;
  const called = 'name' in value && typeof value.name === 'string' ? value.name : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      shownValue(key === 'value' && called !== undefined ? called : key, field),
    ]),
  );
}

/** An argument after a flag is called as the flag is. */
function shownItem(list: string, before: unknown, item: unknown): unknown {
  if (typeof item !== 'string') return shownValue(list, item);
  const flag = typeof before === 'string' ? /^--?([\w-]+)$/u.exec(before)?.[1] : undefined;
  return flag === undefined ? redact(item) : redactValue(flag, item);
}

/** What the value at a path is called: the last step, or for `…[NAME].value` the name of the item. */
export function nameAt(path: string): string {
  const item = path.endsWith('].value') ? path.slice(0, -'].value'.length) : '';
  const opening = item.indexOf('[', item.lastIndexOf(']') + 1);
  if (opening >= 0) return item.slice(opening + 1);
  const last = path.endsWith(']') ? path.slice(0, -1) : path;
  const step = Math.max(...['.', '[', ']'].map((mark) => last.lastIndexOf(mark)));
  return last.slice(step + 1) || path;
}
