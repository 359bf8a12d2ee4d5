import { describe, expect, it } from 'vitest';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { Change, Verdict } from '#src/doctor/incidents/incident.js';
import { judge } from '#src/doctor/incidents/judge.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';
import { buildPatchStrategy, buildUndoRollout } from '../../../support/records.js';
import { buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';

const change: Change = {
  approvalId: 'a1',
  cause: 'surge-deadlock',
  remediation: buildPatchStrategy(),
  undoes: false,
  approvedBy: ['U0DANA'],
  approvedAt: '2026-11-20T09:31:00Z',
};

interface Look {
  readonly change?: Change;
  /** In place of the cause that the change is meant to end. */
  readonly findings?: readonly Finding[];
  readonly found?: boolean;
  /** The rule failed by itself. */
  readonly failed?: boolean;
  readonly ready?: number;
  readonly workload?: Workload;
  readonly late?: boolean;
  readonly undoes?: boolean;
  readonly stopping?: boolean;
  readonly pods?: readonly Pod[];
}

const complete = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
const halfway = { replicas: 2, updatedReplicas: 1, readyReplicas: 2, availableReplicas: 1 };
const second = { kind: 'ReplicaSet', name: 'web-2', uid: 'web-2-uid' };
const fresh = buildPod({ name: 'web-2-a', owner: second });
const labels = { 'controller-revision-hash': 'web-new', 'pod-template-generation': '2' };
/** A pod of the new revision, for controllers that mark it by a label. */
const labelled = (kind: string) =>
  buildPod({ name: 'web-1', labels, owner: { kind, name: 'web', uid: 'web-uid' } });
const moving = (replaced: number, ready = 2) => ({ replaced, ready, wanted: 2 });
const rollout = (status: object) => buildDeployment({ replicas: 2, status });

function computeVerdict({ found = false, ready = 2, workload = rollout(complete), ...look }: Look) {
  const snapshot: Snapshot = {
    takenAt: '2026-11-20T09:32:00Z',
    cluster: 'prod',
    workload,
    index: indexObjects(
      clusterObjects({
        ReplicaSet: [1, 2].map((revision) => buildReplicaSet({ revision, replicas: 1 })),
        Pod: look.stopping
          ? [
              buildPod({
                name: 'web-old',
                terminating: true,
                owner: second,
              }),
            ]
          : [...(look.pods ?? [])],
      }),
    ),
    logs: [],
    unseen: [],
  };
  return judge({
    change: { ...(look.change ?? change), undoes: look.undoes ?? false },
    before: buildDiagnosis({ ready: { pods: 2, wanted: 2 } }),
    now: buildDiagnosis({
      findings: look.findings ?? (found ? [buildFinding()] : []),
      defects: look.failed ? [{ cause: 'surge-deadlock', message: 'Invalid time value' }] : [],
      ready: { pods: ready, wanted: 2 },
    }),
    snapshot,
    late: look.late ?? false,
  });
}

function onDelete(updated: number) {
  return schemas.StatefulSet.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'web-uid', generation: 1 },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app' }] } },
      updateStrategy: { type: 'OnDelete' },
    },
    status: {
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 2,
      updatedReplicas: updated,
      updateRevision: 'web-new',
    },
  });
}

function daemonSet(updated: number) {
  return schemas.DaemonSet.parse({
    metadata: {
      annotations: { 'deprecated.daemonset.template.generation': '2' },
      name: 'web',
      namespace: 'shop',
      uid: 'web-uid',
      generation: 1,
    },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app' }] } },
    },
    status: {
      observedGeneration: 1,
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      numberReady: 1,
      numberAvailable: 1,
      updatedNumberScheduled: updated,
    },
  });
}

describe('the verdict after a change', () => {
  it.each<[string, Look, Verdict | undefined]>([
    ['recovered when the rule finds no problem and the rollout is complete', {}, 'recovered'],
    ['open while the rule still finds the problem', { found: true }, undefined],
    ['open while the rule fails by itself', { failed: true }, undefined],
    [
      'not recovered at the deadline when the rule failed by itself',
      { failed: true, late: true },
      'unchanged',
    ],
    ['open while the rollout is half-way', { workload: rollout(halfway) }, undefined],
    [
      'open while the controller has not seen the latest spec',
      { workload: buildDeployment({ replicas: 2, status: { ...complete, observedGeneration: 1 } }) },
      undefined,
    ],
    ['open while fewer pods are ready, which is the price', { found: true, ready: 0 }, undefined],
    [
      'unchanged at the deadline when the rule still finds the problem',
      { found: true, late: true },
      'unchanged',
    ],
    ['progressing at the deadline half-way', { workload: rollout(halfway), late: true }, 'progressing'],
    [
      'worse at the deadline with fewer pods ready than before',
      { found: true, ready: 1, late: true },
      'worse',
    ],
    [
      'recovered where pods are replaced by hand and all wanted ones are ready',
      { workload: onDelete(0) },
      'recovered',
    ],
    [
      'open where pods are replaced by hand and one is not ready',
      { workload: onDelete(0), ready: 1 },
      undefined,
    ],
    ['undone for an undo that the controller has seen', { undoes: true, found: true }, 'undone'],
    [
      'open for an undo that the controller has not seen',
      {
        undoes: true,
        workload: buildDeployment({ replicas: 2, status: { ...complete, observedGeneration: 1 } }),
      },
      undefined,
    ],
    [
      'unchanged for an undo that the controller has not seen at the deadline',
      {
        undoes: true,
        late: true,
        workload: buildDeployment({ replicas: 2, status: { ...complete, observedGeneration: 1 } }),
      },
      'unchanged',
    ],
  ])('is %s', (_, look, verdict) => {
    expect(computeVerdict(look).verdict).toBe(verdict);
  });

  it.each<[string, Look, string, object]>([
    ['that no pod is replaced while the cause is found', { found: true }, 'moving', moving(0)],
    ['the same while old pods are stopping', { found: true, stopping: true }, 'moving', moving(0)],
    ['how many pods are replaced', { workload: rollout(halfway), pods: [fresh] }, 'moving', moving(1)],
    [
      'no pod that is not ready as replaced',
      { workload: rollout(halfway), pods: [buildPod({ name: 'web-2-a', ready: false, owner: second })] },
      'moving',
      moving(0),
    ],
    [
      'a replaced pod by hand',
      { workload: onDelete(1), ready: 1, pods: [labelled('StatefulSet')] },
      'moving',
      moving(1, 1),
    ],
    [
      'a replaced pod of a DaemonSet',
      { workload: daemonSet(1), ready: 1, pods: [labelled('DaemonSet')] },
      'moving',
      moving(1, 1),
    ],
    [
      'no fewer replaced pods than before',
      { workload: rollout(halfway), change: { ...change, replaced: 1 } },
      'moving',
      moving(1),
    ],
    [
      'no more replaced pods than are wanted',
      { workload: rollout(halfway), change: { ...change, replaced: 7 } },
      'moving',
      moving(2),
    ],
    ['that all is complete', {}, 'complete', { ready: 2, wanted: 2 }],
    ['that the previous values are restored', { undoes: true }, 'restored-fields', {}],
    [
      'that they are not back yet',
      {
        undoes: true,
        workload: buildDeployment({ replicas: 2, status: { ...complete, observedGeneration: 1 } }),
      },
      'restored-pending',
      {},
    ],
  ])('names %s', (_, look, key, values) => {
    expect(computeVerdict(look).progress).toEqual({ catalogue: 'verification', key, values });
  });

  describe('the verdict on an undo that needs a second step', () => {
    const undone: Change = { ...change, cause: 'readiness-failing', remediation: buildUndoRollout(['db-2']) };
    const stuck = buildFinding({
      cause: 'ordered-ready-stuck',
      holders: [{ kind: 'Pod', namespace: 'shop', name: 'db-2' }],
    });

    it('is given as soon as the second step is found, and names the pod', () => {
      expect(computeVerdict({ change: undone, findings: [stuck], workload: rollout(halfway) })).toMatchObject(
        {
          verdict: 'progressing',
          progress: { key: 'next-step', values: { pods: ['db-2'] } },
        },
      );
    });

    it('is open until the controller has observed the previous template, and until the step is found', () => {
      const unobserved = rollout({ ...halfway, observedGeneration: 1 });
      expect(
        computeVerdict({ change: undone, findings: [stuck], workload: unobserved }).verdict,
      ).toBeUndefined();
      expect(computeVerdict({ change: undone, workload: rollout(halfway) }).verdict).toBeUndefined();
    });

    it.each([
      ['done', undefined, false, undefined],
      ['done', undefined, true, 'progressing'],
      ['left', { catalogue: 'notices', key: 'second-step-left', values: {} }, false, 'progressing'],
    ])('after the step was %s (%s, at the deadline: %s) is %s', (_, because, late, verdict) => {
      const secondStep = { type: 'ended', at: '', deleted: [], skipped: [], because } as const;
      const judgement = computeVerdict({
        change: { ...undone, secondStep },
        findings: [stuck],
        workload: rollout(halfway),
        late,
      });

      expect(judgement.verdict).toBe(verdict);
    });

    it('is the ordinary one for a change of one step', () => {
      const remediation = buildUndoRollout(undefined);
      expect(computeVerdict({ change: { ...undone, remediation }, findings: [stuck] }).verdict).toBe(
        'recovered',
      );
    });
  });
});

describe('the verdict on a change that a person requested', () => {
  const requested = { by: 'U0DANA', at: '2026-11-20T09:30:00Z' };
  const { cause: _cause, ...rest } = change;
  const verdictOf = (look: {
    readonly before?: Parameters<typeof buildDiagnosis>[0];
    readonly now?: Parameters<typeof buildDiagnosis>[0];
    readonly status?: object;
    readonly late?: boolean;
  }) =>
    judge({
      change: { ...rest, requested },
      before: buildDiagnosis({ findings: [], ready: { pods: 2, wanted: 2 }, ...look.before }),
      now: buildDiagnosis({ findings: [], ready: { pods: 2, wanted: 2 }, ...look.now }),
      snapshot: {
        takenAt: '2026-11-20T09:32:00Z',
        cluster: 'prod',
        workload: rollout(look.status ?? complete),
        index: indexObjects(clusterObjects({})),
        logs: [],
        unseen: [],
      },
      late: look.late ?? false,
    });
  const note = buildFinding({ severity: 'info' });

  it.each<[string, Parameters<typeof verdictOf>[0], Verdict | undefined]>([
    ['recovered when the rollout is complete', {}, 'recovered'],
    ['open while the rollout is under way', { status: halfway }, undefined],
    ['open while fewer pods are ready than before', { now: { ready: { pods: 1, wanted: 2 } } }, undefined],
    [
      'worse when fewer pods are ready at the deadline',
      { now: { ready: { pods: 1, wanted: 2 } }, late: true },
      'worse',
    ],
    ['open while a rule finds something new', { now: { findings: [buildFinding()] } }, undefined],
    [
      'worse when a rule finds something new at the deadline',
      { now: { findings: [buildFinding()] }, status: halfway, late: true },
      'worse',
    ],
    [
      'recovered when the finding existed before',
      { before: { findings: [buildFinding()] }, now: { findings: [buildFinding()] } },
      'recovered',
    ],
    ['recovered when the new finding is a note', { now: { findings: [note] } }, 'recovered'],
    ['progressing when it has not ended at the deadline', { status: halfway, late: true }, 'progressing'],
  ])('is %s', (_, look, verdict) => {
    expect(verdictOf(look).verdict).toBe(verdict);
  });

  it('names new findings at the deadline only', () => {
    const look = { now: { findings: [buildFinding()] }, status: halfway };
    expect(verdictOf(look).progress.key).toBe('moving');
    expect(verdictOf({ ...look, late: true }).progress).toMatchObject({
      key: 'new-trouble',
      values: { cause: 'surge-deadlock' },
    });
  });
});
