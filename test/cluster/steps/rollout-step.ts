import type { V1Pod } from '@kubernetes/client-node';
import type { MaxUnavailable } from '#src/engine/workloads/rollout-state.js';
import { argoRolloutSubject } from '../random/argo-rollout-subject.js';
import { daemonSetSubject } from '../random/daemon-set-subject.js';
import { deploymentSubject } from '../random/deployment-subject.js';
import { leaderWorkerSetSubject } from '../random/leader-worker-set-subject.js';
import {
  agree,
  type Done,
  type Predicted,
  type RolloutView,
  type Subject,
} from '../random/rollout-subject.js';
import { statefulSetSubject } from '../random/stateful-set-subject.js';

/** One change of a workload, and what its real controllers had done once nothing changed any more. */
export interface RolloutStep {
  readonly id: string;
  readonly kind: Subject['kind'];
  /** The controllers acted between these, in epoch milliseconds. */
  readonly from: number;
  readonly until: number;
  /** Right after the change, with the revisions that the controller stored for it. */
  readonly before: RolloutView;
  readonly done: Done;
}

export function subjectOf(kind: Subject['kind'], maxUnavailable: MaxUnavailable): Subject {
  switch (kind) {
    case 'Deployment':
      return deploymentSubject;
    case 'DaemonSet':
      return daemonSetSubject;
    case 'StatefulSet':
      return statefulSetSubject(maxUnavailable);
    case 'LeaderWorkerSet':
      return leaderWorkerSetSubject(maxUnavailable);
    case 'Rollout':
      return argoRolloutSubject('canary');
  }
}

/**
 * What the controllers did where the engine predicts just that for some moment of the step, else its
 * prediction.
 */
export function outcomeOf(subject: Subject, { before, from, until, done }: RolloutStep): Done {
  let first: Predicted | undefined;
  for (const moment of [from, ...whenRankingChanges(before.pods, from, until)]) {
    const predicted = subject.predict(before, moment);
    if (agree(predicted, done)) return done;
    first ??= predicted;
  }
  return first ?? done;
}

/**
 * Moments of a choice that may differ from one at `from`, `until` included: controllers compare ages by
 * powers of two, and a slow machine passes several between prediction and choice. Epoch milliseconds.
 */
function whenRankingChanges(pods: readonly V1Pod[], from: number, until: number): readonly number[] {
  const begins = pods.flatMap(({ metadata, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
    return [metadata?.creationTimestamp, ready].flatMap((time) =>
      time === undefined ? [] : [new Date(time).getTime()],
    );
  });
  const moments = begins.flatMap((begin) => {
    const passed: number[] = [];
    for (let age = 2 ** Math.ceil(Math.log2(Math.max(1, from - begin) * 1e6)); ; age *= 2) {
      const moment = Math.ceil(begin + age / 1e6);
      if (moment > until) return passed;
      if (moment > from) passed.push(moment);
    }
  });
  return [...new Set([...moments, until])].sort((a, b) => a - b);
}
