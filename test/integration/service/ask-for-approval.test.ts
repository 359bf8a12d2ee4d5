import { expect, it } from 'vitest';
import { maxApprovalRequests } from '#src/doctor/incidents/approval.js';
import { noSight } from '#src/doctor/policy/view.js';
import { createAskForApproval } from '#src/service/approve/ask-for-approval.js';
import { withRedis } from '../../support/open-redis.js';
import { createStage } from './stage.js';

const db = withRedis();

const remediationId = 'patch-strategy-in-place';
const people = { groupIds: async () => new Map<string, string>() };

it('mentions the groups that may approve once for each fix, and records the requester', async () => {
  const stage = createStage(db.redis);
  const { id } = await stage.diagnosed();
  stage.world.members.add('U0ERIN');

  expect(await stage.ask({ incidentId: id, remediationId, by: 'U0SAM' })).toMatchObject({
    type: 'asked',
    groups: ['ml-oncall'],
  });
  expect(await stage.ask({ incidentId: id, remediationId, by: 'U0ERIN' })).toMatchObject({
    because: { key: 'approval-requested', values: { by: 'U0SAM' } },
  });

  const stored = await stage.incidents.get(id);
  expect(stored?.approvalRequests).toMatchObject([
    { remediationId, by: 'U0SAM', undoes: false, groups: [{ name: 'ml-oncall', id: 'S0MLONCALL' }] },
  ]);
  const posts = stage.jobsOf('delivery').map(({ job }) => job);
  expect(posts).toContainEqual(expect.objectContaining({ entry: { kind: 'asked', of: '0' } }));
  expect(JSON.stringify(posts)).not.toContain('"of":"1"');
  const { entries } = await stage.audit.requests(50);
  expect(entries.filter(({ action }) => action === 'approval-requested')).toMatchObject([
    { by: 'U0SAM', details: { remediationId } },
  ]);
});

it('counts one of several simultaneous requests', async () => {
  const stage = createStage(db.redis);
  const { id } = await stage.diagnosed();
  const asked = await Promise.all(
    Array.from({ length: 5 }, () => stage.ask({ incidentId: id, remediationId, by: 'U0SAM' })),
  );
  expect(asked.filter(({ type }) => type === 'asked')).toHaveLength(1);
  expect((await stage.incidents.get(id))?.approvalRequests).toHaveLength(1);
});

it('refuses a request of a person who may approve', async () => {
  const stage = createStage(db.redis);
  const { id } = await stage.diagnosed();
  expect(await stage.ask({ incidentId: id, remediationId, by: 'U0DANA' })).toMatchObject({
    because: { key: 'may-approve' },
  });
  expect((await stage.incidents.get(id))?.approvalRequests).toBeUndefined();
});

it('reports no incident to a person who may not view its workload', async () => {
  const stage = createStage(db.redis);
  const { id } = await stage.diagnosed();
  const ask = createAskForApproval({ ...stage, people, sights: { ofPerson: async () => noSight } });
  expect(await ask({ incidentId: id, remediationId, by: 'U0SAM' })).toMatchObject({
    because: { key: 'incident-unknown' },
  });
  expect((await stage.incidents.get(id))?.approvalRequests).toBeUndefined();
});

it('refuses a fix that the card does not offer, and more requests than the limit of an incident', async () => {
  const stage = createStage(db.redis);
  const { id } = await stage.diagnosed();
  expect(await stage.ask({ incidentId: id, remediationId: 'other', by: 'U0SAM' })).toMatchObject({
    because: { key: 'remediation-unknown' },
  });

  await stage.ask({ incidentId: id, remediationId, by: 'U0SAM' });
  const stored = await stage.incidents.get(id);
  const [request] = stored?.approvalRequests ?? [];
  if (stored === undefined || request === undefined) throw new Error('must be stored');
  const approvalRequests = Array.from({ length: maxApprovalRequests }, (_, position) => ({
    ...request,
    remediationId: `former-${position}`,
  }));
  await stage.incidents.replace({ ...stored, version: stored.version + 1, approvalRequests });
  expect(await stage.ask({ incidentId: id, remediationId, by: 'U0SAM' })).toMatchObject({
    because: { key: 'approval-requests-full' },
  });
});
