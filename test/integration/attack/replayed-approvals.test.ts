import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '#src/doctor/incidents/approval.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { createApplyRemediation } from '#src/service/change/apply-remediation.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf, type Rig, startRig } from '../../support/remediation-rig.js';
import { api, bringAboutDeadlock, cardOf, createAttacker } from '../../support/stuck-rollout.js';

let rig: Rig;
let attacker: ReturnType<typeof createAttacker>;
let diagnosed: Incident;
/** The time by which the shared clock is ahead of the clock of the worker. */
let aheadMs: () => number;

const db = withRedis();

beforeEach(async () => {
  aheadMs = () => 0;
  rig = await startRig({
    redis: db.redis,
    cluster: { namespaces: ['shop'] },
    sharedClockAhead: () => aheadMs(),
  });
  attacker = createAttacker(rig);
  await bringAboutDeadlock(rig);
  diagnosed = await rig.diagnosed(api);
});

afterEach(() => rig.stop());

const minute = 60_000;
const job = (approval: Approval) => ({ v: 1, incidentId: diagnosed.id, approvalId: approval.id }) as const;
const runs = (approval: Approval, lastAttempt = false) =>
  rig.usecases.remediation(job(approval), { lastAttempt });

/** The records of a change that is approved but not applied. */
async function approved(kind: string): Promise<{ readonly approval: Approval; readonly incident: Incident }> {
  const { approval } = await rig.reviewed(diagnosed, idOf(diagnosed, kind));
  const decided = await rig.usecases.decide({
    approvalId: approval.id,
    by: 'U0MIN',
    decision: 'approve',
    reason: 'stuck',
  });
  if (decided.type !== 'approved') throw new Error(JSON.stringify(decided));
  return decided;
}

describe('an approval whose change was applied', () => {
  it.each(['patch-strategy', 'scale-down-old', 'undo-rollout'])(
    'sends nothing more when its former records are restored (%s)',
    async (kind) => {
      const { approval, incident } = await approved(kind);
      await rig.work();
      const after = rig.writes();
      expect(after.length).toBeGreaterThan(0);
      for (const state of ['approved', 'running'] as const) {
        await attacker.putApproval({ ...approval, state });
        await attacker.putIncident(incident);
        await runs(approval, true);
      }

      expect(rig.writes()).toEqual(after);
    },
  );

  it.each(['patch-strategy', 'undo-rollout'])(
    'sends nothing more when its former records are restored after the undo (%s)',
    async (kind) => {
      const { approval, incident } = await approved(kind);
      await rig.work();
      const undo = await rig.reviewed(await rig.current(diagnosed.id), 'undo');
      await rig.approved(undo);
      const after = rig.writes();
      await attacker.putApproval(approval);
      await attacker.putIncident(incident);
      await runs(approval, true);

      expect(rig.writes()).toEqual(after);
      expect(await cardOf(rig, diagnosed.id)).toMatch(/not applied|diagnosing|diagnosis of/i);
    },
  );
});

describe('an undo', () => {
  const evil = { spec: { template: { spec: { containers: [{ name: 'app', image: 'evil.example/x' }] } } } };

  /** A finished change, and the records of it. */
  async function finished() {
    const { approval } = await approved('patch-strategy');
    await rig.work();
    const incident = await rig.current(diagnosed.id);
    const stored = await rig.approvals.get(approval.id);
    if (stored?.applied === undefined || incident.change === undefined) throw new Error('must be applied');
    return { incident, stored, change: incident.change };
  }
  const reviewUndo = () =>
    rig.usecases.review({ incidentId: diagnosed.id, remediationId: 'undo', by: 'U0MIN' });

  it('restores the signed values, whatever the incident claims', async () => {
    const { incident, change } = await finished();
    const undo = { request: { verb: 'patch', patchType: 'merge', body: evil } as const, expects: [] };
    await attacker.putIncident({ ...incident, change: { ...change, undo } });
    const review = await reviewUndo();

    expect(review).toMatchObject({
      type: 'review',
      approval: {
        undoes: true,
        remediation: { effects: [{ key: expect.stringMatching(/^undo-/u) }, { key: 'undo-next-update' }] },
      },
    });
    expect(JSON.stringify(review)).toContain('"maxSurge"');
    expect(JSON.stringify(review.type === 'review' && review.approval.plan)).not.toContain('evil');
  });

  it.each<[string, (stored: Approval) => Approval]>([
    [
      'the stored undo',
      (stored) => ({
        ...stored,
        plan: {
          ...stored.plan,
          undo: { request: { verb: 'patch', patchType: 'merge', body: evil }, expects: [] },
        },
      }),
    ],
    ['the applied change', ({ applied: _applied, ...stored }) => ({ ...stored, state: 'done' })],
    ['the workload', (stored) => ({ ...stored, workload: { ...stored.workload, name: 'web' } })],
    ['the seal', ({ seal: _seal, ...stored }) => stored],
  ])('is not offered for a record with another value of %s', async (_, forge) => {
    const { stored } = await finished();
    await attacker.putApproval(forge(stored));

    expect(await reviewUndo()).toMatchObject({ type: 'refused', because: { key: 'nothing-to-undo' } });
  });

  it('is not offered for a change that was approved but never applied', async () => {
    const { approval, incident } = await approved('patch-strategy');
    const { change } = incident;
    if (change === undefined) throw new Error('must be changing');
    await attacker.putApproval({ ...approval, state: 'done' });
    const settled = { ...incident, phase: 'settled', change: { ...change, verdict: 'recovered' } } as const;
    await attacker.putIncident(settled);

    expect(await reviewUndo()).toMatchObject({ type: 'refused', because: { key: 'nothing-to-undo' } });
  });
});

describe('a roll back', () => {
  it('restores exactly the reviewed template, or nothing', async () => {
    const { approval } = await approved('undo-rollout');
    const { request } = approval.plan;
    if (request.verb !== 'restore-template') throw new Error('must restore a template');
    const path = `/apis/apps/v1/namespaces/shop/replicasets/${request.from.name}`;
    const containers = [{ name: 'app', env: [{ name: 'DB_PASSWORD', value: 'another-one' }] }];
    const answer = await fetch(`${rig.local.url}${path}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
      body: JSON.stringify({ spec: { template: { spec: { containers } } } }),
    });
    expect(answer.status).toBe(200);
    const before = rig.writes();
    await runs(approval);

    expect(rig.writes()).toEqual(before);
    const { change } = await rig.current(diagnosed.id);
    expect(JSON.stringify(change?.failure)).toContain('another pod template than the one reviewed');
    expect(await rig.approvals.get(approval.id)).toMatchObject({ state: 'failed' });
  });
});

describe('a worker that lost the lock of its job while it sends a change', () => {
  it.each([
    ['makes the change as well, whose mark it finds', false],
    ['finds that the change was undone meanwhile', true],
  ])('%s, and rewrites no record of the worker that took the job up', async (_, isUndone) => {
    const { approval } = await approved('patch-strategy');
    const other = createApplyRemediation({
      ...rig,
      patcher: {
        ...rig.patcher,
        async apply(verified) {
          await rig.work();
          if (isUndone) await rig.approved(await rig.reviewed(await rig.current(diagnosed.id), 'undo'));
          left = {
            writes: rig.writes(),
            entries: await decisions(),
            approval: await rig.approvals.get(approval.id),
          };
          return rig.patcher.apply(verified);
        },
      },
    });
    const decisions = async () => (await rig.audit.decisions(100)).entries;
    let left: object | undefined;
    await other(job(approval), { lastAttempt: true });

    const found = {
      writes: rig.writes(),
      entries: await decisions(),
      approval: await rig.approvals.get(approval.id),
    };
    expect(found).toEqual(left);
    expect(found.approval).toMatchObject({ state: 'done' });
  });
});

describe('the expiry of an approval', () => {
  const conflict = { type: 'status', code: 409, reason: 'Conflict' } as const;

  it('stops the change, also after a worker died in the middle', async () => {
    const { approval, incident } = await approved('patch-strategy');
    const before = rig.writes();
    await attacker.putApproval({ ...approval, state: 'running' });
    await attacker.putIncident(incident);
    aheadMs = () => 15 * minute;
    await runs(approval);

    expect(rig.writes()).toEqual(before);
    expect(await cardOf(rig, diagnosed.id)).toContain('expired after 15 minutes');
    expect(await rig.approvals.get(approval.id)).toMatchObject({ state: 'expired' });
  });

  it('does not hide a change that an earlier attempt made', async () => {
    const { approval } = await approved('patch-strategy');
    const dying = createApplyRemediation({
      ...rig,
      patcher: {
        ...rig.patcher,
        async apply(verified) {
          await rig.patcher.apply(verified);
          throw new Error('the worker ends here');
        },
      },
    });
    await expect(dying(job(approval), { lastAttempt: false })).rejects.toThrow('the worker ends here');
    const after = rig.writes();
    aheadMs = () => 15 * minute;
    await runs(approval);

    expect(rig.writes()).toEqual(after);
    expect(await rig.current(diagnosed.id)).toMatchObject({ phase: 'verifying' });
  });

  it('is checked again after the API server asked to retry later', async () => {
    const { approval } = await approved('patch-strategy');
    const sent = () => rig.writes().filter((write) => write === 'patch deployments').length;
    const first = sent();
    rig.local.faults.add({
      match: { verbs: ['patch'], resources: ['deployments'], dryRun: false },
      effect: { type: 'status', code: 429, retryAfterSeconds: 1 },
      times: 1,
    });
    await expect(runs(approval)).rejects.toMatchObject({ retryAfterMs: 1_000 });
    expect(sent()).toBe(first + 1);
    aheadMs = () => 15 * minute;
    await runs(approval);

    expect(sent()).toBe(first + 1);
    expect(await cardOf(rig, diagnosed.id)).toContain('expired after 15 minutes');
  });

  it('is checked before each request that follows a conflict', async () => {
    const { approval } = await approved('patch-strategy');
    const sent = () => rig.writes().filter((write) => write === 'patch deployments').length;
    const first = sent();
    rig.local.faults.add({
      match: { verbs: ['patch'], resources: ['deployments'], dryRun: false },
      effect: conflict,
    });
    aheadMs = () => (sent() < first + 2 ? 0 : 15 * minute);
    await runs(approval);

    expect(sent()).toBe(first + 2);
    expect(await rig.approvals.get(approval.id)).toMatchObject({ state: 'expired' });
  });

  it.each([
    ['hours ahead of the shared clock', -6 * 60 * minute],
    ['hours behind the shared clock', 6 * 60 * minute],
  ])('does not depend on a machine whose clock is %s', async (_, offset) => {
    aheadMs = () => offset;
    const { approval } = await approved('patch-strategy');
    await runs(approval);
    expect(await rig.current(diagnosed.id)).toMatchObject({ phase: 'verifying' });
  });

  it.each([-6 * 60 * minute, 6 * 60 * minute])(
    'applies on a machine with a wrong clock as well (%s ms)',
    async (offset) => {
      aheadMs = () => offset;
      const { approval } = await approved('patch-strategy');
      const before = rig.writes();
      aheadMs = () => offset + 15 * minute;
      await runs(approval);

      expect(rig.writes()).toEqual(before);
      expect(await cardOf(rig, diagnosed.id)).toContain('expired after 15 minutes');
    },
  );
});
