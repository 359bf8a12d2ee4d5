import { describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { createConfirmLogin } from '#src/service/approve/confirm-login.js';
import { createAssignIncident } from '#src/service/people/assign-incident.js';
import { withRedis } from '../../support/open-redis.js';
import { approve, createStage, reviewed, type Stage } from '../service/stage.js';

/** A person of an organization whom Slack knows by an id of the workspace and by one of the organization. */
const [older, newer] = ['U0KIM', 'W0KIM'];
const pairs = [
  [older, newer],
  [newer, older],
] as const;

const db = withRedis();

function start(demand: Partial<Policy['demands'][number]>): Stage {
  const policy = Policy.parse({
    grants: [{ users: [older, newer, 'U0DANA'], namespaces: ['*'], actions: '*' }],
    demands: [{ ...demand }],
    brakes: { cancelSeconds: 0 },
  });
  const stage = createStage(db.redis, policy);
  for (const id of [older, newer]) {
    stage.world.members.add(id);
    stage.world.organisationIds.set(id, newer);
  }
  return stage;
}

const asked = (stage: Stage, by: string, askedBy: string) =>
  reviewed(stage, by, { origin: { via: 'command', by: askedBy } });

describe.each(pairs)('somebody who acts as %s and as %s', (first, second) => {
  it('is one of two approvers', async () => {
    const stage = start({ approvers: 2 });
    const { approvalId, incident } = await asked(stage, first, 'U0DANA');

    expect(await approve(stage, approvalId, first)).toMatchObject({ type: 'awaiting', missing: 1 });
    expect(await approve(stage, approvalId, second)).toMatchObject({ because: { key: 'same-person' } });
    expect(await stage.approvals.get(approvalId)).toMatchObject({ state: 'open' });
    expect(stage.jobsOf('remediation')).toEqual([]);

    expect(await approve(stage, approvalId, 'U0DANA')).toMatchObject({ type: 'approved' });
    await stage.apply({ v: 1, incidentId: incident.id, approvalId }, { lastAttempt: false });
    expect(await stage.approvals.get(approvalId)).toMatchObject({ state: 'done' });
  });

  it('is one of two approvers when both clicks arrive at once', async () => {
    const stage = start({ approvers: 2 });
    const { approvalId } = await asked(stage, first, 'U0DANA');
    const clicks = Array.from({ length: 10 }, (_, n) => approve(stage, approvalId, n % 2 ? first : second));
    const types = (await Promise.all(clicks)).map(({ type }) => type);

    expect(types.filter((type) => type === 'awaiting')).toHaveLength(1);
    expect(types).not.toContain('approved');
    expect((await stage.approvals.get(approvalId))?.decisions).toHaveLength(1);
  });

  it.each([
    ['asked for the diagnosis', first, 'U0DANA'],
    ['opened the review', 'U0DANA', first],
  ])('does not approve where they %s under the other id', async (_, askedBy, reviewer) => {
    const stage = start({ notRequester: true });
    const { approvalId } = await asked(stage, reviewer, askedBy);

    expect(await approve(stage, approvalId, second)).toMatchObject({ because: { key: 'own-request' } });
    expect(stage.jobsOf('remediation')).toEqual([]);
  });

  it('reads a review without a button where they asked under the other id', async () => {
    const stage = start({ notRequester: true });
    const { review } = await asked(stage, second, first);
    expect(review).toMatchObject({ mayDecide: false });
  });

  it('is one approver for the worker, should Slack link the ids only after both clicks', async () => {
    const stage = start({ approvers: 2 });
    stage.world.organisationIds.clear();
    const { approvalId, incident } = await asked(stage, 'U0DANA', 'U0DANA');
    await approve(stage, approvalId, first);
    expect(await approve(stage, approvalId, second)).toMatchObject({ type: 'approved' });
    for (const id of [older, newer]) stage.world.organisationIds.set(id, newer);
    await stage.apply({ v: 1, incidentId: incident.id, approvalId }, { lastAttempt: false });

    expect(await stage.approvals.get(approvalId)).toMatchObject({ state: 'failed' });
  });

  it('hands back what they took under the other id', async () => {
    const stage = start({});
    const incident = await stage.diagnosed();
    const assign = createAssignIncident(stage);
    expect(await assign({ incidentId: incident.id, by: first, step: { type: 'take' } })).toMatchObject({
      isNew: true,
    });
    expect(await assign({ incidentId: incident.id, by: second, step: { type: 'take' } })).toMatchObject({
      type: 'yours',
      isNew: false,
    });
    expect(await assign({ incidentId: incident.id, by: second, step: { type: 'hand-back' } })).toMatchObject({
      type: 'free',
    });
  });

  it('is the person whom the login names by the other id', async () => {
    const stage = start({});
    const { approvalId, incident } = await asked(stage, first, 'U0DANA');
    const approval = await stage.approvals.get(approvalId);
    if (approval === undefined) throw new Error('the approval is stored');
    const waiting = { by: first, at: '', reason: '', approval, incident };
    const { identify } = createConfirmLogin({
      ...stage,
      ...{ decideApproval: stage.decide, newId: () => 'id', urlOf: undefined },
      signer: { sign: () => ({ format: 1, key: 'k', mac: 'm' }), check: () => 'valid' },
      waiting: { put: async () => {}, get: async () => undefined, take: async () => undefined },
    });
    const login = { issuer: 'https://login.example', subject: 's', at: '2026-11-20T09:30:00.000Z' };
    const named = (id: string) => identify(waiting, { ...login, person: { type: 'chat-id', id } });

    expect(await named(second)).toBe('same');
    expect(await named('U0DANA')).toBe('other-person');
  });
});

describe('two people of one organization', () => {
  it('count as two', async () => {
    const stage = start({ approvers: 2 });
    stage.world.organisationIds.set('U0DANA', 'W0DANA');
    const { approvalId } = await asked(stage, newer, 'U0DANA');
    await approve(stage, approvalId, newer);
    expect(await approve(stage, approvalId, 'U0DANA')).toMatchObject({ type: 'approved' });
  });

  it('are not told apart by a guess while Slack does not answer', async () => {
    const stage = start({ approvers: 2 });
    const { approvalId } = await asked(stage, newer, 'U0DANA');
    await approve(stage, approvalId, newer);
    stage.world.slackDown = true;
    await expect(approve(stage, approvalId, older)).rejects.toMatchObject({ code: 'slack-unavailable' });
  });
});

describe('a policy', () => {
  it.each(['w0kim', 'W0kim', 'E0KIM', 'kim', ' W0KIM'])('that names a person as "%s" is refused', (id) => {
    for (const section of [
      { grants: [{ users: [id], namespaces: ['*'], actions: '*' }] },
      { grants: [], view: [{ users: [id], namespaces: ['*'] }] },
    ]) {
      expect(Policy.safeParse(section).success).toBe(false);
    }
  });
});
