import { beforeEach, describe, expect, it } from 'vitest';
import { canonicalPlan, type Plan } from '#src/doctor/fixes/plan.js';
import type { Approval } from '#src/doctor/incidents/approval.js';
import { Policy } from '#src/doctor/policy/policy.js';
import { PodDisruptionBudget } from '#src/engine/objects/policy.js';
import { digest, testAuthority } from '../../support/authority.js';
import { withRedis } from '../../support/open-redis.js';
import { buildApproval, buildDryRun, buildUndoRollout } from '../../support/records.js';
import { buildSnapshot } from '../../support/remediation-builders.js';
import { buildPod } from '../../support/rollout-builders.js';
import { buildSet } from '../../support/stateful-set-builders.js';
import { approvalTtlMs, createStage, openPolicy } from './stage.js';

const db = withRedis();

let stage: Stage;
beforeEach(() => {
  stage = createStage(db.redis);
});

type Stage = ReturnType<typeof createStage>;

const workload = { cluster: 'prod', kind: 'StatefulSet', namespace: 'ml', name: 'db' } as const;
const remediation = buildUndoRollout(['db-2']);
const plan: Plan = {
  type: 'plan',
  remediationId: remediation.id,
  target: {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    namespace: 'ml',
    name: 'db',
    uid: 'db-uid',
    generation: 2,
  },
  request: { verb: 'restore-template', from: remediation.from },
  changes: [],
  afterwards: { verb: 'delete-pods', pods: [{ name: 'db-2', uid: 'db-2-uid' }] },
};
const broken = buildPod({ name: 'db-2', uid: 'db-2-uid', ready: false });

/** The records of a change in two steps whose first step is applied. */
async function afterFirstStep(stage: Stage, fields: Partial<Approval> = {}) {
  stage.world.read = { type: 'snapshot', snapshot: buildSnapshot(buildSet(), { Pod: [broken] }) };
  const incident = await stage.diagnosed({ workload });
  const at = new Date(stage.world.now).toISOString();
  const stored = await stage.approvals.open(
    testAuthority.seal(
      buildApproval({
        id: `of-${incident.id}`,
        incidentId: incident.id,
        state: 'running',
        workload,
        remediation,
        plan,
        digest: digest(canonicalPlan(plan)),
        dryRun: buildDryRun({ digest: digest(canonicalPlan(plan)) }),
        decisions: [{ by: 'U0DANA', at, decision: 'approve', reason: '' }],
        template: testAuthority.sealTemplate('template'),
        applied: { at, generation: 3 },
        ...fields,
      }),
    ),
  );
  const { cause = 'surge-deadlock', undoes } = stored;
  await stage.incidents.replace({
    ...incident,
    version: 3,
    phase: 'applying',
    approvalId: stored.id,
    change: {
      approvalId: stored.id,
      cause,
      remediation,
      undoes,
      approvedBy: ['U0DANA'],
      approvedAt: at,
      appliedAt: at,
    },
  });
  return { v: 1, incidentId: incident.id, approvalId: stored.id } as const;
}

type Job = Awaited<ReturnType<typeof afterFirstStep>>;

const run = (stage: Stage, job: Job, lastAttempt = false) => stage.apply(job, { lastAttempt });

async function endOf(stage: Stage, { approvalId, incidentId }: Job) {
  const [approval, incident] = await Promise.all([
    stage.approvals.get(approvalId),
    stage.incidents.get(incidentId),
  ]);
  return { state: approval?.state, phase: incident?.phase, secondStep: incident?.change?.secondStep };
}

const left = (because: string) => ({
  state: 'done',
  phase: 'verifying',
  secondStep: { deleted: [], because: { key: 'second-step-left', values: { pods: ['db-2'], because } } },
});

describe('the second step of an approved change', () => {
  it('is sent once, recorded before and after, and verified', async () => {
    const job = await afterFirstStep(stage);
    await run(stage, job);
    await run(stage, job);

    expect(stage.world.secondSteps).toEqual([job.approvalId]);
    expect(stage.world.sent).toEqual([]);
    expect(await endOf(stage, job)).toMatchObject({
      state: 'done',
      phase: 'verifying',
      secondStep: { deleted: ['db-2'], skipped: [] },
    });
    const { entries } = await stage.audit.decisions(10);
    expect(entries.map(({ action }) => action)).toEqual(['second-step-ended', 'second-step-started']);
    expect(stage.jobsOf('verification')).toHaveLength(1);
  });

  it('waits for the controller, and is given up after a minute', async () => {
    const job = await afterFirstStep(stage);
    stage.world.firstStep = { type: 'waiting' };

    expect(await run(stage, job)).toEqual({ afterMs: 1_000 });
    stage.world.now += 60_000;
    expect(await run(stage, job)).toBeUndefined();
    expect(stage.world.secondSteps).toEqual([]);
    expect(await endOf(stage, job)).toMatchObject(left('not-observed'));
  });

  it('is continued by another worker when the first one died while it sent it', async () => {
    const job = await afterFirstStep(stage);
    stage.world.onSend = async () => {
      throw new Error('the worker is killed');
    };
    await expect(run(stage, job)).rejects.toThrow('killed');
    expect((await stage.approvals.get(job.approvalId))?.secondStep).toMatchObject({ type: 'started' });
    expect(await stage.approvals.underway()).toContain(job.approvalId);
    stage.world.onSend = async () => undefined;
    stage.world.secondStep = { deleted: [], skipped: [{ pod: 'db-2', because: 'gone' }] };
    await run(stage, job);

    expect(await endOf(stage, job)).toMatchObject({
      state: 'done',
      secondStep: { skipped: [{ pod: 'db-2', because: 'gone' }] },
    });
    const { entries } = await stage.audit.decisions(10);
    expect(entries.map(({ action }) => action)).toEqual(['second-step-ended', 'second-step-started']);
  });

  it('is tried again while the cluster does not answer, and then has an unknown outcome', async () => {
    const job = await afterFirstStep(stage);
    const failed = { type: 'unreadable', because: 'timeout', message: '' } as const;
    stage.world.secondStep = { deleted: [], skipped: [], failed };

    await expect(run(stage, job)).rejects.toMatchObject({ code: 'cluster-unavailable' });
    await run(stage, job, true);
    expect(await endOf(stage, job)).toMatchObject(left('interrupted'));
  });

  it.each<[string, string, (stage: Stage, job: Job) => unknown]>([
    [
      'changes are stopped',
      'stopped',
      ({ stops, world }) => {
        const at = new Date(world.now).toISOString();
        const entry = { at, action: 'changes-stopped', by: 'U0MIN', details: {} } as const;
        return stops.put({ by: 'U0MIN', at, reason: 'incident' }, entry);
      },
    ],
    [
      'the approval expires',
      'expired',
      ({ world }) => {
        world.now += approvalTtlMs;
      },
    ],
    ['the approver loses the right', 'approvers', ({ world }) => world.groups.delete('U0DANA')],
    [
      'a PodDisruptionBudget protects the pod',
      'protected',
      ({ world }) => {
        const budget = PodDisruptionBudget.parse({
          metadata: { name: 'db', namespace: 'shop' },
          spec: { selector: { matchLabels: {} } },
          status: { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 3 },
        });
        const held = { Pod: [broken], PodDisruptionBudget: [budget] };
        world.read = { type: 'snapshot', snapshot: buildSnapshot(buildSet(), held) };
      },
    ],
    [
      'somebody changed the workload',
      'stale',
      ({ world }) => {
        world.firstStep = { type: 'refused', because: 'stale', message: '' };
      },
    ],
  ])('is not sent when %s after the first step', async (_, because, happens) => {
    const job = await afterFirstStep(stage);
    await happens(stage, job);
    await run(stage, job);

    expect(stage.world.secondSteps).toEqual([]);
    expect(await endOf(stage, job)).toMatchObject(left(because));
  });

  it('is not sent during a freeze, and is not stopped by the limit of changes', async () => {
    const freezes = [{ reason: 'launch', from: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z' }];
    const limits = [{ changesPerHour: 1 }];
    for (const [brakes, sent] of [
      [{ freezes }, 0],
      [{ limits }, 1],
    ] as const) {
      const stage = createStage(db.redis, policyWith(brakes));
      const job = await afterFirstStep(stage);
      await stage.audit.append({
        at: new Date(stage.world.now).toISOString(),
        incidentId: job.incidentId,
        approvalId: job.approvalId,
        action: 'started',
        workload,
        details: {},
      });
      await run(stage, job);
      expect(stage.world.secondSteps).toHaveLength(sent);
    }
  });

  it('can be cancelled until it is started', async () => {
    const job = await afterFirstStep(stage);
    const cancel = () => stage.cancel({ approvalId: job.approvalId, by: 'U0DANA' });

    expect(await cancel()).toMatchObject({ type: 'cancelled' });
    await run(stage, job);
    expect(stage.world.secondSteps).toEqual([]);
    expect(await endOf(stage, job)).toMatchObject({
      state: 'done',
      phase: 'verifying',
      secondStep: { because: { key: 'second-step-cancelled' } },
    });

    const other = await afterFirstStep(stage, { secondStep: { type: 'started', at: '' } });
    expect(await stage.cancel({ approvalId: other.approvalId, by: 'U0DANA' })).toMatchObject({
      because: { key: 'too-late-to-cancel' },
    });
  });

  it('is not signed by a cancellation of a forged record', async () => {
    const job = await afterFirstStep(stage);
    const stored = await stage.approvals.get(job.approvalId);
    if (stored === undefined) throw new Error('must be there');
    await stage.approvals.replace({
      ...stored,
      version: stored.version + 1,
      workload: { ...workload, name: 'db' },
      look: 7,
    });

    expect(await stage.cancel({ approvalId: job.approvalId, by: 'U0DANA' })).toMatchObject({
      because: { key: 'too-late-to-cancel' },
    });
  });

  it.each<[string, (stored: Approval) => Approval]>([
    [
      'another pod',
      (stored) => ({
        ...stored,
        plan: {
          ...plan,
          afterwards: { verb: 'delete-pods', pods: [{ name: 'db-0', uid: 'db-0-uid' }] },
        },
      }),
    ],
    [
      'another uid',
      (stored) => {
        const forged: Plan = {
          ...plan,
          afterwards: { verb: 'delete-pods', pods: [{ name: 'db-2', uid: 'another' }] },
        };
        return { ...stored, plan: forged, digest: digest(canonicalPlan(forged)) };
      },
    ],
    ['no first step', ({ applied: _none, ...stored }) => ({ ...stored, applied: { at: '', generation: 9 } })],
    ['a later expiry', (stored) => ({ ...stored, expiresAt: '2099-01-01T00:00:00Z' })],
  ])('is not sent for a record that was altered to %s', async (_, forge) => {
    const job = await afterFirstStep(stage);
    const stored = await stage.approvals.get(job.approvalId);
    if (stored === undefined) throw new Error('must be there');
    await stage.approvals.replace({ ...forge(stored), version: stored.version + 1 });
    await run(stage, job, true);

    expect(stage.world.secondSteps).toEqual([]);
    expect(await stage.incidents.get(job.incidentId)).toMatchObject({
      distrusted: { approvalId: job.approvalId },
    });
  });

  it('is not sent again when its former record is restored after the verification began', async () => {
    const job = await afterFirstStep(stage);
    const before = await stage.approvals.get(job.approvalId);
    await run(stage, job);
    const after = await stage.approvals.get(job.approvalId);
    if (before === undefined || after === undefined) throw new Error('must be there');
    await stage.approvals.replace({ ...before, version: after.version + 1 });
    await run(stage, job);

    expect(stage.world.secondSteps).toHaveLength(1);
  });
});

function policyWith(brakes: object) {
  return Policy.parse({ ...openPolicy, brakes: { cancelSeconds: 0, ...brakes } });
}
