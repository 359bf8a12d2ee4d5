import { describe, expect, it } from 'vitest';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import type { Change, Verdict } from '#src/doctor/incidents/incident.js';
import { judge } from '#src/doctor/incidents/judge.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
} from '../../../support/argo-rollout-builders.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';
import { buildPatchStrategy } from '../../../support/records.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';
import { ago, buildPods } from '../../../support/rollout-builders.js';

const { kind: _kind, strategy: _strategy, ...offered } = buildPatchStrategy();
const steps = [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }, { analysis: { templates: [] } }];
const pause = { pauseConditions: [{ reason: 'CanaryPauseStep', startTime: ago(5) }], controllerPause: true };

/** What was seen of `shop/web` after a person had asked for a change of its update. */
function verdictOn(kind: RequestedChange['kind'], seen: Seen) {
  const { newPods = 1, stablePods = 1, missing = 0, ready = 2, readyBefore = 2, ...more } = seen;
  const { late = false, isAborted, ...fields } = more;
  const sets = [
    buildArgoReplicaSet({ hash: 'new', replicas: newPods, available: newPods - missing, desired: 2 }),
    buildArgoReplicaSet({ hash: 'stable', replicas: stablePods, desired: 2 }),
  ];
  const status = {
    replicas: newPods + stablePods,
    updatedReplicas: newPods,
    readyReplicas: ready,
    availableReplicas: ready,
    ...fields.status,
  };
  const workload = buildArgoRollout({ replicas: 2, canary: { steps }, ...fields, status });
  const change: Change = {
    approvalId: 'a1',
    remediation: { ...offered, kind, id: `requested-${kind}` } as Remediation,
    requested: { by: 'U0DANA', at: '2026-11-20T09:30:00Z' },
    undoes: false,
    approvedBy: ['U0DANA'],
    approvedAt: '2026-11-20T09:31:00Z',
    appliedAt: '2026-11-20T09:31:05Z',
  };
  const Pod = sets.flatMap((set) =>
    buildPods(set, set.status.availableReplicas, set.status.replicas - set.status.availableReplicas),
  );
  return judge({
    change,
    before: buildDiagnosis({
      findings: isAborted ? [buildFinding({ cause: 'rollout-aborted' })] : [],
      ready: { pods: readyBefore, wanted: 2 },
    }),
    now: buildDiagnosis({ findings: [], ready: { pods: ready, wanted: 2 } }),
    snapshot: buildSnapshot(workload, { ReplicaSet: sets, Pod }),
    late,
  });
}

interface Seen extends ArgoRolloutFields {
  readonly newPods?: number;
  readonly stablePods?: number;
  /** New pods that are not available. */
  readonly missing?: number;
  readonly ready?: number;
  readonly readyBefore?: number;
  readonly late?: boolean;
  /** The update was aborted before the change. */
  readonly isAborted?: boolean;
}

const unpaused = { status: { currentStepIndex: 1, controllerPause: true } };
const atPause = { status: { currentStepIndex: 1, ...pause } };
const onStable = { newPods: 0, stablePods: 2 };
const onNew = { newPods: 2, stablePods: 0 };
const aborted = { ...onStable, status: { abort: true, abortedAt: ago(1) } };
const abortedSince = { ...aborted, late: true };
const abortedAgain = { ...abortedSince, isAborted: true };

describe('the verdict after a change of an update', () => {
  it.each<[string, Parameters<typeof verdictOn>[0], Seen, Verdict | 'open', string]>([
    ['right after the pause was removed', 'promote-rollout', unpaused, 'open', 'moving'],
    ['at the next pause, with all of its pods', 'promote-rollout', atPause, 'recovered', 'held'],
    [
      'at an analysis, with all of its pods',
      'promote-rollout',
      { ...onNew, status: { currentStepIndex: 3 } },
      'recovered',
      'held',
    ],
    [
      'once the new revision is promoted',
      'promote-rollout',
      { ...onNew, status: { stableRS: 'new', currentStepIndex: 4 } },
      'recovered',
      'complete',
    ],
    [
      'at a pause while a pod is missing',
      'retry-rollout',
      { ...atPause, missing: 1, ready: 1 },
      'open',
      'moving',
    ],
    [
      'after an abort with all stable pods, and not said to be on the new revision',
      'abort-rollout',
      aborted,
      'recovered',
      'on-stable',
    ],
    [
      'until the controller has acted on the abort',
      'abort-rollout',
      { ...onStable, status: { abort: true } },
      'open',
      'returning',
    ],
    [
      'after an abort while pods of the new revision stand in for stable ones',
      'abort-rollout',
      { ...aborted, newPods: 1, stablePods: 1 },
      'open',
      'returning',
    ],
    [
      'at a pause, where a pod more than wanted was ready before',
      'retry-rollout',
      { ...atPause, readyBefore: 3 },
      'recovered',
      'held',
    ],
    [
      'until the controller has acted on the retry',
      'retry-rollout',
      { status: { ...atPause.status, abortedAt: ago(60) } },
      'open',
      'moving',
    ],
    [
      'after an abort while stable pods are missing',
      'abort-rollout',
      { ...aborted, stablePods: 1, ready: 1 },
      'open',
      'returning',
    ],
    ['after a promotion whose update was aborted since', 'promote-rollout', aborted, 'open', 'on-stable'],
    ['at the end of such a promotion', 'promote-rollout', abortedSince, 'unchanged', 'on-stable'],
    ['after a retry that was aborted again', 'retry-rollout', abortedAgain, 'unchanged', 'on-stable'],
    [
      'after a resumption whose update was aborted since',
      'resume-rollout',
      abortedSince,
      'unchanged',
      'on-stable',
    ],
    [
      'after an exclusion whose update was aborted since, although another one was before',
      'exclude-nodes',
      abortedAgain,
      'unchanged',
      'on-stable',
    ],
    [
      'after a restart of the stable pods of an aborted update',
      'restart-rollout',
      { ...aborted, isAborted: true, status: { abort: true, abortedAt: ago(600) } },
      'recovered',
      'on-stable',
    ],
    [
      'while the controller has not seen the end of the pause',
      'resume-rollout',
      { ...atPause, generation: 3 },
      'open',
      'moving',
    ],
    [
      'at a pause while a restart still evicts pods',
      'resume-rollout',
      { ...atPause, spec: { restartAt: ago(60) } },
      'open',
      'moving',
    ],
  ])('%s: %s', (_, kind, seen, verdict, progress) => {
    expect(verdictOn(kind, seen)).toMatchObject({ progress: { key: progress } });
    expect(verdictOn(kind, seen).verdict).toBe(verdict === 'open' ? undefined : verdict);
  });

  it('counts no pod as replaced that is older than the restart of a Rollout', () => {
    const seen = { ...onNew, status: { stableRS: 'new', currentStepIndex: 4 }, spec: { restartAt: ago(1) } };
    expect(verdictOn('restart-rollout', seen).progress).toMatchObject({
      key: 'moving',
      values: { replaced: 0, ready: 2 },
    });
  });
});
