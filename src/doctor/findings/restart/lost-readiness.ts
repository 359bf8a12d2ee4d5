import { greatestOf, leastOf } from '../../../engine/collections/collections.js';
import { refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { state } from '../../fixes/kinds/restart-rollout/text.js';
import { readinessLostAt } from '../crashes/classify-container.js';
import type { FailureGroup } from '../crashes/failure-group.js';
import { currentRevision } from '../crashes/failure-group.js';
import type { PodFailure } from '../crashes/pod-failure.js';
import type { RestartCase } from './failing-run.js';

/** A program that recovers by itself usually does so sooner. */
const patienceSeconds = 300;
/**
 * A pod that was ready for less may not have been ready in this run: kubelets report the end of a run late.
 */
const settledSeconds = 30;
/** Pods that stop being ready within this time have one reason in common. */
const togetherSeconds = 60;

/** When one container was ready in its present run. Times are seconds. */
interface Loss {
  readonly podFailure: PodFailure;
  readonly at: number;
  readonly readySeconds: number;
  readonly lostSeconds: number;
}

/**
 * Pods that were ready in the present run of their container, have not been ready for minutes, and have no
 * liveness probe that would restart it. `undefined` where one of them never was ready: a new process would
 * not be either. The same for pods of a former revision, which the present rollout replaces.
 */
export function lostReadiness(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  if (failureGroup.cause !== 'readiness-failing' || failureGroup.container === '') return undefined;
  const { podFailures, container, revision, siblings } = failureGroup;
  if (revision !== currentRevision(snapshot)) return undefined;
  const now = nowOf(snapshot);
  const losses = podFailures.flatMap((podFailure) => lossOf(podFailure, now) ?? []);
  if (losses.length < podFailures.length) return undefined;
  const apart = spanOf(losses);
  if (losses.length > 1 && losses.length === siblings.length && apart <= togetherSeconds) {
    return {
      kind: 'in-vain',
      because: state('withheld-together', { pods: losses.length, withinSeconds: Math.max(1, apart) }),
    };
  }
  const lost = state('lost-readiness', {
    pods: losses.map(({ podFailure }) => podFailure.pod.metadata.name),
    container,
    readySeconds: leastOf(losses.map(({ readySeconds }) => readySeconds)),
    lostSeconds: leastOf(losses.map(({ lostSeconds }) => lostSeconds)),
  });
  return {
    kind: 'helps',
    reasoning: [lost, state('nothing-restarts', { container })],
    because: [lost, state('not-proven')],
    evidence: losses.slice(0, 3).map(({ podFailure, at, readySeconds }) => ({
      object: refOf(podFailure.pod),
      field: 'status.conditions[Ready]',
      value: 'False',
      at: new Date(at).toISOString(),
      says: state('ev-lost-readiness', { readySeconds }),
    })),
  };
}

function lossOf(podFailure: PodFailure, now: number): Loss | undefined {
  const { pod, container } = podFailure;
  if (container === undefined || container.spec.livenessProbe !== undefined) return undefined;
  const startedAt = container.status?.state.running?.startedAt;
  const at = readinessLostAt(pod, startedAt);
  if (Number.isNaN(at)) return undefined;
  const readySeconds = (at - Date.parse(startedAt ?? '')) / 1000;
  const lostSeconds = (now - at) / 1000;
  if (readySeconds < settledSeconds || lostSeconds < patienceSeconds) return undefined;
  return { podFailure, at, readySeconds, lostSeconds };
}

function spanOf(losses: readonly Loss[]): number {
  const times = losses.map(({ at }) => at / 1000);
  return greatestOf(times) - leastOf(times);
}
