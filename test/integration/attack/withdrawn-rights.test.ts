import { describe, expect, it } from 'vitest';
import type { Policy } from '#src/doctor/policy/policy.js';
import { withRedis } from '../../support/open-redis.js';
import { startEntry } from '../../support/redis-records.js';
import {
  approvalTtlMs,
  approve,
  createStage,
  demanding,
  openPolicy,
  remediationId,
  reviewed,
  type Stage,
} from '../service/stage.js';

const db = withRedis();

function start(policy: Policy = openPolicy): Stage {
  const stage = createStage(db.redis, policy);
  for (const id of ['U0KIM', 'U0LEE']) {
    stage.world.groups.set(id, ['ml-oncall']);
    stage.world.members.add(id);
  }
  return stage;
}

/** Runs the job of the worker once. */
const carryOut = (stage: Stage, incidentId: string, approvalId: string) =>
  stage.apply({ v: 1, incidentId, approvalId }, { lastAttempt: false });

/** Ways in which U0KIM loses the right. */
const losses: [string, (stage: Stage) => void][] = [
  ['the approver left the group', ({ world }) => world.groups.set('U0KIM', [])],
  ['the approver became a guest', ({ world }) => world.members.delete('U0KIM')],
  [
    'the grant was withdrawn',
    ({ world }) => {
      world.policy = { ...openPolicy, grants: [] };
    },
  ],
  [
    'the action was withdrawn',
    ({ world }) => {
      const grants = openPolicy.grants.map((grant) => ({ ...grant, actions: ['undo' as const] }));
      world.policy = { ...openPolicy, grants };
    },
  ],
  [
    'the cluster was withdrawn',
    ({ world }) => {
      world.policy = { ...openPolicy, grants: openPolicy.grants.map((g) => ({ ...g, clusters: ['dev'] })) };
    },
  ],
];

describe('a review that is open', () => {
  it.each(losses)('does not count the click when %s meanwhile', async (_, change) => {
    const stage = start();
    const { incident, approvalId } = await reviewed(stage, 'U0KIM');
    change(stage);

    expect(await approve(stage, approvalId, 'U0KIM')).toMatchObject({ type: 'refused' });
    expect(await stage.approvals.get(approvalId)).toMatchObject({ state: 'open', decisions: [] });
    expect((await stage.incidents.get(incident.id))?.phase).toBe('diagnosed');
    expect(stage.jobsOf('remediation')).toEqual([]);
  });

  it.each(losses)('sends no dry run when %s before the worker takes it', async (_, change) => {
    const stage = start();
    const incident = await stage.diagnosed();
    const review = await stage.open({ incidentId: incident.id, remediationId, by: 'U0KIM' });
    if (review.type === 'refused' || review.dryRun.type !== 'asked') throw new Error('must be asked');
    change(stage);
    const { ask } = review.dryRun;
    await stage.tryPlan({ v: 1, incidentId: incident.id, approvalId: review.approval.id, ask });

    expect(stage.world.tried).toEqual([]);
    expect(await stage.awaitDryRun(review, 'U0KIM')).toMatchObject({ dryRun: { type: 'refused' } });
  });

  it('counts no click without the typed name when the policy now requires it', async () => {
    const stage = start();
    const { approvalId } = await reviewed(stage, 'U0KIM');
    stage.world.policy = demanding({ typeName: true });

    const asked = { key: 'name-not-typed', values: { workload: 'ml/inference' } };
    for (const name of [undefined, 'inference'])
      expect(await approve(stage, approvalId, 'U0KIM', name)).toMatchObject({
        type: 'refused',
        because: asked,
      });
    expect(await approve(stage, approvalId, 'U0KIM', 'ml/inference')).toMatchObject({ type: 'approved' });
  });
});

describe('the worker checks the policy for all approvers', () => {
  it.each<[string, (stage: Stage) => void]>([
    ...losses,
    [
      'the policy requires two people',
      ({ world }) => {
        world.policy = demanding({ approvers: 2 });
      },
    ],
    [
      'the policy requires the typed name',
      ({ world }) => {
        world.policy = demanding({ typeName: true });
      },
    ],
  ])('and sends nothing when %s after the approval', async (_, change) => {
    const stage = start();
    const { incident, approvalId } = await reviewed(stage);
    expect(await approve(stage, approvalId, 'U0KIM')).toMatchObject({ type: 'approved' });
    change(stage);
    await carryOut(stage, incident.id, approvalId);

    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(incident.id)).toMatchObject({
      phase: 'diagnosed',
      change: { failure: { key: 'approvers-missing' } },
    });
    expect(await stage.approvals.get(approvalId)).toMatchObject({ state: 'failed' });
  });

  it('and sends nothing when the policy now requires another person than the requester', async () => {
    const stage = start();
    const { incident, approvalId } = await reviewed(stage, 'U0DANA');
    await approve(stage, approvalId, 'U0DANA');
    stage.world.policy = demanding({ notRequester: true });
    await carryOut(stage, incident.id, approvalId);

    expect(stage.world.sent).toEqual([]);
  });

  it('and sends the change when all approvers are still allowed, who are counted as people', async () => {
    const stage = start(demanding({ approvers: 2, notRequester: true, typeName: true }));
    const { incident, approvalId } = await reviewed(stage);
    const types = (by: string) => approve(stage, approvalId, by, 'ml/inference');
    expect(await types('U0KIM')).toMatchObject({ type: 'awaiting', missing: 1 });
    expect(await stage.incidents.get(incident.id)).toMatchObject({ phase: 'awaiting' });
    expect(await types('U0KIM')).toMatchObject({ because: { key: 'same-person' } });
    expect(await types('U0LEE')).toMatchObject({ type: 'approved' });
    const { change } = (await stage.incidents.get(incident.id)) ?? {};
    expect(change?.approvedBy).toEqual(['U0KIM', 'U0LEE']);
    await carryOut(stage, incident.id, approvalId);

    expect(stage.world.sent).toEqual([approvalId]);
  });

  it('and waits while Slack does not answer, and sends the change afterwards', async () => {
    const stage = start();
    const { incident, approvalId } = await reviewed(stage);
    await approve(stage, approvalId, 'U0KIM');
    stage.world.slackDown = true;
    const later = await carryOut(stage, incident.id, approvalId);
    expect(later?.afterMs).toBeGreaterThan(0);
    expect(stage.world.sent).toEqual([]);
    expect(await stage.approvals.get(approvalId)).toMatchObject({ state: 'approved' });
    stage.world.slackDown = false;
    await carryOut(stage, incident.id, approvalId);

    expect(stage.world.sent).toEqual([approvalId]);
  });

  it('and reports an expired approval when Slack did not answer until its expiry', async () => {
    const stage = start();
    const { incident, approvalId } = await reviewed(stage);
    await approve(stage, approvalId, 'U0KIM');
    stage.world.slackDown = true;
    stage.world.now += approvalTtlMs - 1_000;
    expect(await carryOut(stage, incident.id, approvalId)).toEqual({ afterMs: 1_000 });
    stage.world.now += 1_000;
    expect(await carryOut(stage, incident.id, approvalId)).toBeUndefined();

    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(incident.id)).toMatchObject({
      change: { failure: { key: 'approvers-unknown' } },
    });
    expect(await stage.approvals.get(approvalId)).toMatchObject({ state: 'expired' });
  });

  it('and reports a change that an earlier attempt made, although the approver has left the group', async () => {
    const stage = start();
    const { incident, approvalId } = await reviewed(stage);
    await approve(stage, approvalId, 'U0KIM');
    await stage.approvals.consume(approvalId, startEntry);
    stage.world.groups.set('U0KIM', []);
    stage.world.made = { type: 'accepted', generation: 3, mutated: [] };
    await carryOut(stage, incident.id, approvalId);

    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(incident.id)).toMatchObject({ phase: 'verifying' });
  });

  it('and does not claim that nothing changed where the object cannot show it', async () => {
    const stage = start();
    const { incident, approvalId } = await reviewed(stage);
    await approve(stage, approvalId, 'U0KIM');
    await stage.approvals.consume(approvalId, startEntry);
    stage.world.groups.set('U0KIM', []);
    stage.world.made = { type: 'refused', because: 'stale', message: 'the step is another one' };
    await carryOut(stage, incident.id, approvalId);

    expect(stage.world.sent).toEqual([]);
    expect(await stage.incidents.get(incident.id)).toMatchObject({
      change: { failure: { key: 'change-unknown' } },
    });
  });
});

describe('between the first and the second approval', () => {
  const two = demanding({ approvers: 2 });

  it.each<[string, (stage: Stage) => void]>([
    ['left the group', ({ world }) => world.groups.set('U0KIM', [])],
    ['became a guest', ({ world }) => world.members.delete('U0KIM')],
  ])('the first approver %s and does not count any more', async (_, change) => {
    const stage = start(two);
    const { approvalId } = await reviewed(stage);
    expect(await approve(stage, approvalId, 'U0KIM')).toMatchObject({ type: 'awaiting', missing: 1 });
    change(stage);

    expect(await approve(stage, approvalId, 'U0LEE')).toMatchObject({ type: 'awaiting', missing: 1 });
    expect(await approve(stage, approvalId, 'U0DANA')).toMatchObject({ type: 'approved' });
  });

  it('the policy is tightened to three approvers, and a third approval is needed', async () => {
    const stage = start(two);
    const { approvalId } = await reviewed(stage);
    await approve(stage, approvalId, 'U0KIM');
    stage.world.policy = demanding({ approvers: 3 });

    expect(await approve(stage, approvalId, 'U0LEE')).toMatchObject({ type: 'awaiting', missing: 1 });
    stage.world.policy = two;
    expect(await approve(stage, approvalId, 'U0DANA')).toMatchObject({ type: 'approved' });
  });

  it('the policy is tightened to exclude the requester, whose approval does not count any more', async () => {
    const stage = start(two);
    const { approvalId } = await reviewed(stage, 'U0KIM');
    await approve(stage, approvalId, 'U0DANA');
    stage.world.policy = demanding({ approvers: 2, notRequester: true });

    expect(await approve(stage, approvalId, 'U0LEE')).toMatchObject({ type: 'awaiting', missing: 1 });
  });
});

describe('the policy field notRequester', () => {
  const another = demanding({ notRequester: true });
  const refused = { type: 'refused', because: { key: 'own-request' } };

  it('refuses the requester, the person who diagnosed again, and the person who opened the review', async () => {
    const stage = start(another);
    const incident = await stage.diagnosed();
    await stage.diagnoseAgain({ incidentId: incident.id, by: 'U0MIN' });
    const again = await stage.incidents.get(incident.id);
    if (again === undefined) throw new Error('must be there');
    await stage.incidents.replace({
      ...again,
      version: again.version + 1,
      phase: 'diagnosed',
      diagnosis: stage.world.diagnosis,
    });
    const review = await stage.review({ incidentId: incident.id, remediationId, by: 'U0KIM' });
    if (review.type === 'refused') throw new Error(review.because.key);
    expect(review).toMatchObject({
      mayDecide: false,
      approval: { initiators: ['U0DANA', 'U0MIN', 'U0KIM'] },
    });

    for (const by of ['U0DANA', 'U0MIN', 'U0KIM']) {
      expect(await approve(stage, review.approval.id, by), by).toMatchObject(refused);
    }
    expect(await approve(stage, review.approval.id, 'U0LEE')).toMatchObject({ type: 'approved' });
  });

  it('requires a second person when an alert opened the incident', async () => {
    const stage = start(another);
    const incident = await stage.diagnosed({ origin: { via: 'alert', text: 'KubePodNotReady' } });
    const review = await stage.review({ incidentId: incident.id, remediationId, by: 'U0KIM' });
    if (review.type === 'refused') throw new Error(review.because.key);

    expect(await approve(stage, review.approval.id, 'U0KIM')).toMatchObject(refused);
    expect(await approve(stage, review.approval.id, 'U0LEE')).toMatchObject({ type: 'approved' });
  });

  it('applies to the requester at the review, also when the incident names no requester any more', async () => {
    const stage = start(another);
    const { incident, approvalId } = await reviewed(stage, 'U0KIM');
    const { origin: _origin, ...rest } = incident;
    await stage.incidents.replace({ ...rest, origin: { via: 'alert' }, version: incident.version + 1 });

    expect(await approve(stage, approvalId, 'U0DANA')).toMatchObject(refused);
  });
});
