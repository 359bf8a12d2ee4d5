import { describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { createSwitchChanges } from '#src/service/approve/change-stop.js';
import { withRedis } from '../../support/open-redis.js';
import { approved, createStage, openPolicy, remediationId, type Stage } from '../service/stage.js';

const db = withRedis();

function policyWith(brakes: object): Policy {
  return Policy.parse({ ...openPolicy, brakes: { cancelSeconds: 0, ...brakes } });
}

async function review(stage: Stage, by = 'U0DANA') {
  const incident = await stage.diagnosed();
  return { incident, reviewed: await stage.review({ incidentId: incident.id, remediationId, by }) };
}

const frozen = {
  freezes: [{ reason: 'launch', from: '2026-11-20T00:00:00Z', until: '2026-11-21T00:00:00Z' }],
};

const actionsOf = async (stage: Stage) =>
  (await stage.audit.decisions(100)).entries.map(({ action, details }) =>
    `${action} ${details.because ?? ''}`.trim(),
  );

describe('a brake', () => {
  it.each([
    ['the policy stops changes', { stopped: 'migration' }, 'changes-stopped'],
    ['a freeze holds', frozen, 'changes-frozen'],
  ])(
    'refuses the review when %s, states the reason on the card, and records the refusal',
    async (_, brakes, key) => {
      const stage = createStage(db.redis, policyWith(brakes));
      const { incident, reviewed } = await review(stage);

      expect(reviewed).toMatchObject({ type: 'refused', because: { key } });
      expect(await stage.incidents.get(incident.id)).toMatchObject({ brake: { key } });
      expect((await stage.audit.requests(10)).entries[0]).toMatchObject({
        action: 'review-refused',
        by: 'U0DANA',
      });
    },
  );

  it.each([
    ['click', 'changes-stopped'],
    ['worker', 'changes-stopped'],
  ])('that begins after the review stops the change at the %s', async (where, key) => {
    const stage = createStage(db.redis, policyWith({}));
    const stop = () =>
      stage.stops.put(
        { by: 'U0SAM', at: '2026-11-20T09:31:00Z', reason: 'outage' },
        { at: '2026-11-20T09:31:00Z', action: 'changes-stopped', by: 'U0SAM', details: {} },
      );
    if (where === 'click') {
      const { reviewed } = await review(stage);
      if (reviewed.type === 'refused') throw new Error('must be reviewed');
      await stop();
      const decided = await stage.decide({
        approvalId: reviewed.approval.id,
        by: 'U0DANA',
        decision: 'approve',
        reason: '',
      });
      expect(decided).toMatchObject({ type: 'refused', because: { key } });
      expect(await stage.approvals.get(reviewed.approval.id)).toMatchObject({ state: 'open' });
      return;
    }
    const job = await approved(stage);
    await stop();
    await stage.apply(job, { lastAttempt: false });
    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(job.incidentId)).toMatchObject({ change: { failure: { key } } });
    expect((await actionsOf(stage))[0]).toBe('apply-refused stopped');
    expect(await stage.approvals.get(job.approvalId)).toMatchObject({ state: 'failed' });
  });

  it('limits the changes of one workload to the number per hour', async () => {
    const stage = createStage(db.redis, policyWith({ limits: [{ changesPerHour: 1 }] }));
    const first = await approved(stage);
    await stage.apply(first, { lastAttempt: false });
    expect(stage.world.sent).toHaveLength(1);

    const incident = await stage.diagnosed({ channel: 'C0OTHER' });
    const again = () => stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' });
    expect(await again()).toMatchObject({
      because: { key: 'too-many-changes', values: { changesPerHour: 1 } },
    });
    stage.world.now += 3_600_000;
    expect(await again()).toMatchObject({ type: 'review' });
  });

  it.each([
    ['behind', 7_200_000],
    ['ahead', -7_200_000],
  ])('counts an hour by the clock of Redis where that of the worker is two hours %s', async (_, behindMs) => {
    const stage = createStage(db.redis, policyWith({ limits: [{ changesPerHour: 1 }] }));
    const first = await approved(stage);
    stage.world.clockBehindMs = behindMs;
    await stage.apply(first, { lastAttempt: false });
    stage.world.clockBehindMs = 0;
    const incident = await stage.diagnosed({ channel: 'C0OTHER' });
    const again = () => stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' });
    expect(await again()).toMatchObject({ because: { key: 'too-many-changes' } });
    stage.world.now += 3_600_000;
    expect(await again()).toMatchObject({ type: 'review' });
  });

  it('stops a change while the record of the stop switch is unreadable', async () => {
    const stage = createStage(db.redis, policyWith({}));
    const job = await approved(stage);
    await db.redis.set(`${stage.prefix}:changes-stopped`, '{"half":');
    await expect(stage.apply(job, { lastAttempt: false })).rejects.toMatchObject({
      code: 'record-malformed',
    });
    expect(stage.world.sent).toEqual([]);
  });
});

describe('the stop switch', () => {
  const switchOf = (stage: Stage) => createSwitchChanges(stage);

  const everywhere = { users: [], groups: ['ml-oncall'], clusters: ['*'], namespaces: ['*'], actions: '*' };

  it('requires the right for all clusters and namespaces', async () => {
    const stage = createStage(db.redis, policyWith({}));
    const switchChanges = switchOf(stage);
    for (const by of ['U0DANA', 'U0SAM']) {
      expect(await switchChanges.stop({ by, reason: 'x' })).toMatchObject({
        because: { key: 'may-not-stop-changes' },
      });
      expect(await switchChanges.allow({ by })).toMatchObject({ because: { key: 'may-not-stop-changes' } });
    }
    expect(await stage.stops.get()).toBeUndefined();
    expect(await actionsOf(stage)).toEqual([]);
  });

  it('keeps the first reason, appears on open cards and in the audit, and can be released', async () => {
    const stage = createStage(db.redis, Policy.parse({ ...policyWith({}), grants: [everywhere] }));
    const switchChanges = switchOf(stage);
    const incident = await stage.diagnosed();
    await stage.incidents.replace({
      ...incident,
      version: 3,
      updatedAt: new Date(stage.world.now).toISOString(),
    });

    expect(await switchChanges.stop({ by: 'U0DANA', reason: 'outage' })).toMatchObject({ isNew: true });
    expect(await switchChanges.stop({ by: 'U0MIN', reason: 'other' })).toMatchObject({
      isNew: false,
      stop: { by: 'U0DANA', reason: 'outage' },
    });
    expect(await stage.incidents.get(incident.id)).toMatchObject({ brake: { key: 'changes-stopped' } });
    expect(await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' })).toMatchObject({
      because: { key: 'changes-stopped' },
    });

    expect(await switchChanges.allow({ by: 'U0MIN' })).toMatchObject({ former: { by: 'U0DANA' } });
    expect((await stage.incidents.get(incident.id))?.brake).toBeUndefined();
    expect(await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' })).toMatchObject({
      type: 'review',
    });
    expect(await actionsOf(stage)).toEqual(['changes-allowed', 'changes-stopped']);
    expect(await stage.audit.checkDecisions()).toMatchObject({ type: 'intact' });
  });
});

describe('the cancellation of an approved change', () => {
  it('ends the change before a worker starts it', async () => {
    const stage = createStage(db.redis, policyWith({ cancelSeconds: 5 }));
    const job = await approved(stage);
    expect(await stage.apply(job, { lastAttempt: false })).toEqual({ afterMs: 5_000 });

    expect(await stage.cancel({ approvalId: job.approvalId, by: 'U0MIN' })).toMatchObject({
      type: 'cancelled',
    });
    stage.world.now += 6_000;
    await stage.apply(job, { lastAttempt: false });
    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(job.incidentId)).toMatchObject({
      phase: 'diagnosed',
      change: { failure: { key: 'change-cancelled' } },
    });
    expect(await actionsOf(stage)).toEqual(['cancelled', 'approved']);
  });

  it('is refused when a worker has started the change', async () => {
    const stage = createStage(db.redis, policyWith({ cancelSeconds: 5 }));
    const job = await approved(stage);
    stage.world.now += 5_000;
    await stage.apply(job, { lastAttempt: false });
    expect(await stage.cancel({ approvalId: job.approvalId, by: 'U0DANA' })).toMatchObject({
      because: { key: 'too-late-to-cancel' },
    });
    expect(stage.world.sent).toHaveLength(1);
  });

  it('is allowed to people who may approve the change and to people who approved it', async () => {
    const stage = createStage(db.redis, policyWith({ cancelSeconds: 5 }));
    const job = await approved(stage);
    expect(await stage.cancel({ approvalId: job.approvalId, by: 'U0SAM' })).toMatchObject({
      because: { key: 'not-authorised' },
    });
    stage.world.groups.delete('U0DANA');
    expect(await stage.cancel({ approvalId: job.approvalId, by: 'U0DANA' })).toMatchObject({
      type: 'cancelled',
    });
  });

  it('and the start by a worker never both succeed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const stage = createStage(db.redis, policyWith({}));
      const job = await approved(stage);
      const [cancelled] = await Promise.all([
        stage.cancel({ approvalId: job.approvalId, by: 'U0DANA' }),
        stage.apply(job, { lastAttempt: false }),
      ]);
      expect(stage.world.sent).toHaveLength(cancelled.type === 'cancelled' ? 0 : 1);
    }
  });
});
