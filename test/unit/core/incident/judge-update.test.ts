import { describe, expect, it } from 'vitest';
import type { Change, Verdict } from '#src/core/incident/incident.js';
import { judge } from '#src/core/incident/judge.js';
import type { Remediation } from '#src/core/remediation/remediation.js';
import type { RequestedChange } from '#src/core/remediation/requested-change.js';
import {
  type ArgoRolloutFields,
  buildArgoReplicaSet,
  buildArgoRollout,
} from '#support/argo-rollout-builders.js';
import { buildDiagnosis, buildFinding } from '#support/diagnosis.js';
import { buildPatchStrategy } from '#support/records.js';
import { buildSnapshot } from '#support/remediation-builders.js';
import { ago, buildPods } from '#support/rollout-builders.js';

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

describe('the verdict after a change of an update', () => {
  it.each<[string, Parameters<typeof verdictOn>[0], Seen, Verdict | undefined, string]>([
    [
      'open right after the pause was removed',
      'promote-rollout',
      { status: { currentStepIndex: 1, controllerPause: true } },
      undefined,
      'moving',
    ],
    [
      'recovered at the next pause, with all of its pods',
      'promote-rollout',
      { status: { currentStepIndex: 1, ...pause } },
      'recovered',
      'held',
    ],
    [
      'recovered at an analysis, with all of its pods',
      'promote-rollout',
      { newPods: 2, stablePods: 0, status: { currentStepIndex: 3 } },
      'recovered',
      'held',
    ],
    [
      'recovered once the new revision is promoted',
      'promote-rollout',
      { newPods: 2, stablePods: 0, status: { stableRS: 'new', currentStepIndex: 4 } },
      'recovered',
      'complete',
    ],
    [
      'open at a pause while a pod is missing',
      'retry-rollout',
      { missing: 1, ready: 1, status: { currentStepIndex: 1, ...pause } },
      undefined,
      'moving',
    ],
    [
      'recovered after an abort with all stable pods, and not said to be on the new revision',
      'abort-rollout',
      { newPods: 0, stablePods: 2, status: { abort: true, abortedAt: ago(1) } },
      'recovered',
      'on-stable',
    ],
    [
      'open until the controller has acted on the abort',
      'abort-rollout',
      { newPods: 0, stablePods: 2, status: { abort: true } },
      undefined,
      'moving',
    ],
    [
      'open after an abort while pods of the new revision stand in for stable ones',
      'abort-rollout',
      { newPods: 1, stablePods: 1, status: { abort: true, abortedAt: ago(1) } },
      undefined,
      'moving',
    ],
    [
      'recovered at a pause, where a pod more than wanted was ready before',
      'retry-rollout',
      { readyBefore: 3, status: { currentStepIndex: 1, ...pause } },
      'recovered',
      'held',
    ],
    [
      'open until the controller has acted on the retry',
      'retry-rollout',
      { status: { currentStepIndex: 1, ...pause, abortedAt: ago(60) } },
      undefined,
      'moving',
    ],
    [
      'open after an abort while stable pods are missing',
      'abort-rollout',
      { newPods: 0, stablePods: 1, ready: 1, status: { abort: true, abortedAt: ago(1) } },
      undefined,
      'moving',
    ],
    [
      'open after a promotion whose update was aborted since',
      'promote-rollout',
      { newPods: 0, stablePods: 2, status: { abort: true, abortedAt: ago(1) } },
      undefined,
      'on-stable',
    ],
    [
      'no success of a promotion whose update was aborted since',
      'promote-rollout',
      { newPods: 0, stablePods: 2, late: true, status: { abort: true, abortedAt: ago(1) } },
      'unchanged',
      'on-stable',
    ],
    [
      'no success of a retry that was aborted again',
      'retry-rollout',
      { isAborted: true, newPods: 0, stablePods: 2, late: true, status: { abort: true, abortedAt: ago(1) } },
      'unchanged',
      'on-stable',
    ],
    [
      'no success of a resumption whose update was aborted since',
      'resume-rollout',
      { newPods: 0, stablePods: 2, late: true, status: { abort: true, abortedAt: ago(1) } },
      'unchanged',
      'on-stable',
    ],
    [
      'no success of an exclusion whose update was aborted since, although another one was before',
      'exclude-nodes',
      { isAborted: true, newPods: 0, stablePods: 2, late: true, status: { abort: true, abortedAt: ago(1) } },
      'unchanged',
      'on-stable',
    ],
    [
      'recovered after a restart of the stable pods of an aborted update',
      'restart-rollout',
      { isAborted: true, newPods: 0, stablePods: 2, status: { abort: true, abortedAt: ago(600) } },
      'recovered',
      'on-stable',
    ],
    [
      'open while the controller has not seen the end of the pause',
      'resume-rollout',
      { generation: 3, status: { currentStepIndex: 1, ...pause } },
      undefined,
      'moving',
    ],
    [
      'open at a pause while a restart still evicts pods',
      'resume-rollout',
      { spec: { restartAt: ago(60) }, status: { currentStepIndex: 1, ...pause } },
      undefined,
      'moving',
    ],
  ])('is %s', (_, kind, seen, verdict, progress) => {
    expect(verdictOn(kind, seen)).toMatchObject({ progress: { key: progress } });
    expect(verdictOn(kind, seen).verdict).toBe(verdict);
  });
});
