import { beforeEach, describe, expect, it } from 'vitest';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Plan } from '#src/doctor/fixes/plan.js';
import type { Verdict } from '#src/engine/owners/field-drift.js';
import { buildDiagnosis, buildFinding } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { startEntry } from '../../support/redis-records.js';
import { approvalTtlMs, approve, approved, createStage, remediationId, reviewed } from './stage.js';

const db = withRedis();

let stage: ReturnType<typeof createStage>;
beforeEach(() => {
  stage = createStage(db.redis);
});
const unreadPods = {
  what: 'Pod',
  namespace: 'ml',
  because: 'timeout',
  message: '',
  weakens: ['surge-deadlock'],
} satisfies Diagnosis['unseen'][number];

describe('the review of a fix', () => {
  it('opens an approval, and sends nothing', async () => {
    const { approval } = await reviewed(stage);

    expect(approval).toMatchObject({
      state: 'open',
      needs: 1,
      cause: 'surge-deadlock',
      initiators: ['U0DANA'],
    });
    expect(Date.parse(approval.expiresAt) - stage.world.now).toBe(approvalTtlMs);
    expect(stage.world.sent).toEqual([]);
  });

  it('is refused to a person without the right, with the groups that have it', async () => {
    const { id } = await stage.diagnosed();

    expect(await stage.review({ incidentId: id, remediationId, by: 'U0SAM' })).toMatchObject({
      type: 'refused',
      because: { key: 'not-authorised', values: { groups: ['ml-oncall'] } },
    });
  });

  it('shows the plan to a person without the right, without a dry run or a record', async () => {
    const { id } = await stage.diagnosed();
    const refused = await stage.review({ incidentId: id, remediationId, by: 'U0SAM' });

    expect(refused).toMatchObject({
      readable: { incident: { id }, proposal: { remediation: { id: remediationId }, undoes: false } },
    });
    expect(refused).not.toHaveProperty('approval');
    expect(stage.world.tried).toEqual([]);
  });

  it('shows no plan to a person without the right when the cluster is unreadable', async () => {
    const { id } = await stage.diagnosed();
    stage.world.read = { type: 'unreadable', because: 'unavailable', message: '' };
    const refused = await stage.review({ incidentId: id, remediationId, by: 'U0SAM' });

    expect(refused).toMatchObject({ because: { key: 'not-authorised' } });
    expect(refused).not.toHaveProperty('readable');
  });

  it('is refused to guests and bots even when one of their groups has the right', async () => {
    stage.world.members.delete('U0DANA');
    const { id } = await stage.diagnosed();

    expect(await stage.review({ incidentId: id, remediationId, by: 'U0DANA' })).toMatchObject({
      because: { key: 'not-a-member' },
    });
  });

  it.each([
    ['the generation changed', { generation: 3 }, 'workload-changed'],
    ['the object was replaced', { uid: 'u2' }, 'workload-replaced'],
    ['the rule finds nothing any more', { findings: [] }, 'finding-gone'],
  ])('is refused, and the workload diagnosed again, when %s since the card', async (_, fields, key) => {
    const incident = await stage.diagnosed();
    stage.world.diagnosis = buildDiagnosis(fields);

    expect(await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' })).toMatchObject({
      because: { key },
    });
    expect(await stage.incidents.get(incident.id)).toMatchObject({ phase: 'diagnosing', look: 2 });
    expect(stage.jobsOf('diagnosis')).toHaveLength(1);
  });

  it.each<[string, Partial<Diagnosis>]>([
    ['the cause is not found', { findings: [] }],
    ['the cause has another fix', { findings: [buildFinding({ remediations: [] })] }],
  ])('names what could not be read this time when %s without it', async (_, fields) => {
    const incident = await stage.diagnosed();
    stage.world.diagnosis = buildDiagnosis({ ...fields, unseen: [unreadPods] });

    expect(await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' })).toMatchObject({
      because: { key: 'read-in-part', values: { kinds: ['Pod'] } },
    });
    expect(stage.jobsOf('diagnosis')).toEqual([]);
  });

  it('finds the cause gone when nobody could read those objects before either', async () => {
    stage.world.diagnosis = buildDiagnosis({ unseen: [unreadPods] });
    const incident = await stage.diagnosed();
    stage.world.diagnosis = buildDiagnosis({ findings: [], unseen: [unreadPods] });

    expect(await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' })).toMatchObject({
      because: { key: 'finding-gone' },
    });
  });

  it('shows the answer of the API server to the dry run', async () => {
    stage.world.dryRun = { type: 'refused', because: 'admission', message: 'denied by policy' };
    const { id } = await stage.diagnosed();

    const values = { because: 'admission', message: 'denied by policy' };
    expect(await stage.review({ incidentId: id, remediationId, by: 'U0DANA' })).toMatchObject({
      dryRun: { type: 'refused', because: { key: 'dry-run-refused', values } },
    });
  });

  it.each([
    ['a remediation that the card does not offer', {}, 'delete-everything', 'remediation-unknown'],
    [
      'an incident that does not exist',
      { incidentId: 'f'.repeat(20) },
      'patch-strategy-in-place',
      'incident-unknown',
    ],
  ])('is refused for %s', async (_, asked, remediationId, key) => {
    const { id } = await stage.diagnosed();

    expect(await stage.review({ incidentId: id, remediationId, by: 'U0DANA', ...asked })).toMatchObject({
      because: { key },
    });
  });
});

describe('a decision about an approval', () => {
  it('results in exactly one change for a hundred clicks of two people', async () => {
    const { approval, job } = await reviewed(stage);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => approve(stage, approval.id, n % 2 === 0 ? 'U0DANA' : 'U0MIN')),
    );

    expect(outcomes.filter(({ type }) => type === 'approved')).toHaveLength(1);
    expect(stage.jobsOf('remediation')).toHaveLength(1);
    await Promise.all(Array.from({ length: 10 }, () => stage.apply(job, { lastAttempt: false })));
    expect((await stage.approvals.get(approval.id))?.state).toBe('done');
    expect((await stage.incidents.get(job.incidentId))?.phase).toBe('verifying');
    expect(new Set(stage.world.sent)).toEqual(new Set([approval.id]));
  });

  it('reports the first person to the second one', async () => {
    const { approval } = await reviewed(stage);
    await approve(stage, approval.id, 'U0MIN');
    stage.world.now += 3_000;

    expect(await approve(stage, approval.id)).toMatchObject({
      because: { key: 'already-decided', values: { by: 'U0MIN', secondsAgo: 3, state: 'approved' } },
    });
  });

  it('does not count while objects are unread that were read for the review, and may be made again', async () => {
    const { approval } = await reviewed(stage);
    stage.world.diagnosis = buildDiagnosis({ findings: [], unseen: [unreadPods] });

    expect(await approve(stage, approval.id)).toMatchObject({
      because: { key: 'read-in-part', values: { kinds: ['Pod'] } },
    });
    expect((await stage.approvals.get(approval.id))?.state).toBe('open');
    stage.world.diagnosis = buildDiagnosis();
    expect(await approve(stage, approval.id)).toMatchObject({ type: 'approved' });
  });

  it('does not count after fifteen minutes', async () => {
    const { approval } = await reviewed(stage);
    stage.world.now += approvalTtlMs;

    expect(await approve(stage, approval.id)).toMatchObject({ because: { key: 'approval-expired' } });
    expect((await stage.approvals.get(approval.id))?.state).toBe('expired');
    expect(stage.jobsOf('remediation')).toHaveLength(0);
  });

  it('does not count when the workload was diagnosed again since the review', async () => {
    const { incident, approval } = await reviewed(stage);
    expect(await stage.diagnoseAgain({ incidentId: incident.id, by: 'U0DANA' })).toMatchObject({
      type: 'queued',
    });

    expect(await approve(stage, approval.id)).toMatchObject({ because: { key: 'plan-changed' } });
    expect((await stage.approvals.get(approval.id))?.state).toBe('superseded');
    expect(stage.jobsOf('remediation')).toEqual([]);
  });

  it('does not count when the plan has changed', async () => {
    const { incident, approval } = await reviewed(stage);
    if (stage.world.plan.type !== 'plan') throw new Error('must be a plan');
    stage.world.plan = {
      ...stage.world.plan,
      request: { verb: 'patch', patchType: 'merge', body: { spec: { x: 1 } } },
    };

    expect(await approve(stage, approval.id)).toMatchObject({ because: { key: 'plan-changed' } });
    expect((await stage.approvals.get(approval.id))?.state).toBe('superseded');
    expect((await stage.incidents.get(incident.id))?.phase).toBe('diagnosing');
  });

  it.each<[string, Verdict, Verdict, 'plan-changed' | undefined]>([
    [
      'does not count when the owner began to heal itself since the review',
      { type: 'stays' },
      { type: 'reverted-at-once' },
      'plan-changed',
    ],
    [
      'does not count when the interval of the owner changed since the review',
      { type: 'reverted-within', seconds: 600 },
      { type: 'reverted-within', seconds: 60 },
      'plan-changed',
    ],
    [
      'counts when the owner does the same by other evidence',
      { type: 'reverted-at-once' },
      { type: 'reverted-at-once' },
      undefined,
    ],
  ])('%s', async (_, before, after, refused) => {
    const { plan } = stage.world;
    if (plan.type !== 'plan') throw new Error('must be a plan');
    const predicting = (verdict: Verdict, manager: string): Plan => ({
      ...plan,
      survival: plan.changes.map(({ path }) => ({
        path,
        verdict,
        restsOn: [{ type: 'managed-fields', manager, operation: 'Apply' }],
      })),
    });
    stage.world.plan = predicting(before, 'before');
    const { incident, approval } = await reviewed(stage);
    stage.world.plan = predicting(after, 'after');
    const outcome = await approve(stage, approval.id);

    if (refused === undefined) {
      expect(outcome).toMatchObject({ type: 'approved' });
      return;
    }
    expect(outcome).toMatchObject({ because: { key: refused } });
    expect((await stage.approvals.get(approval.id))?.state).toBe('superseded');
    expect((await stage.incidents.get(incident.id))?.phase).toBe('diagnosing');
    expect(stage.jobsOf('remediation')).toEqual([]);
  });

  it('changes nothing while the cluster is unreadable, and can be made again', async () => {
    const { approval } = await reviewed(stage);
    const readable = stage.world.read;
    stage.world.read = { type: 'unreadable', because: 'timeout', message: '' };
    expect(await approve(stage, approval.id)).toMatchObject({ because: { key: 'unreadable' } });
    stage.world.read = readable;

    expect(await approve(stage, approval.id)).toMatchObject({ type: 'approved' });
  });

  it('closes the approval when it is a rejection, and the next review opens a new one', async () => {
    const { incident, approval } = await reviewed(stage);
    const rejected = await stage.decide({
      approvalId: approval.id,
      by: 'U0MIN',
      decision: 'reject',
      reason: 'later',
    });
    expect(rejected.type).toBe('rejected');

    const again = await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' });
    expect(again).toMatchObject({ type: 'review', approval: { state: 'open' } });
    expect(again.type === 'review' && again.approval.id).not.toBe(approval.id);
  });
});

describe('the application of an approved change', () => {
  it('keeps the approval for another attempt while the cluster does not answer', async () => {
    const job = await approved(stage);
    stage.world.apply = { type: 'unreadable', because: 'timeout', message: '' };
    await expect(stage.apply(job, { lastAttempt: false })).rejects.toMatchObject({
      code: 'cluster-unavailable',
    });
    expect((await stage.approvals.get(job.approvalId))?.state).toBe('running');
    stage.world.apply = { type: 'accepted', generation: 3, mutated: [] };
    await stage.apply(job, { lastAttempt: false });

    expect((await stage.approvals.get(job.approvalId))?.state).toBe('done');
  });

  it('states on the card why the API server refused it, and diagnoses again when the object has changed', async () => {
    const job = await approved(stage);
    stage.world.apply = { type: 'refused', because: 'stale', message: 'generation is 4' };
    await stage.apply(job, { lastAttempt: false });

    expect(await stage.incidents.get(job.incidentId)).toMatchObject({
      phase: 'diagnosing',
      change: { failure: { key: 'apply-refused' } },
    });
  });

  it('does not start when the approval expired while it waited for a worker', async () => {
    const job = await approved(stage);
    stage.world.now += approvalTtlMs;
    await stage.apply(job, { lastAttempt: false });

    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(job.incidentId)).toMatchObject({
      phase: 'diagnosed',
      change: { failure: { key: 'approval-expired' } },
    });
  });

  it('continues with the verification when a worker died right after the change', async () => {
    const job = await approved(stage);
    await stage.approvals.consume(job.approvalId, startEntry);
    await stage.apply(job, { lastAttempt: false });

    expect(await stage.incidents.get(job.incidentId)).toMatchObject({
      phase: 'verifying',
      change: { generation: 3 },
    });
    expect(stage.jobsOf('verification')).toHaveLength(1);
  });

  it('is recorded in the audit with its approval and start', async () => {
    const job = await approved(stage);
    await stage.apply(job, { lastAttempt: false });

    const actions = (await stage.audit.decisions(20)).entries.map(({ action }) => action);
    expect(actions).toEqual(['applied', 'started', 'approved']);
  });
});
