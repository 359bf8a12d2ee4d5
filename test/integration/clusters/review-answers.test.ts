import { afterEach, describe, expect, it } from 'vitest';
import { DecisionAnswer, ReviewAnswer } from '#src/service/clusters/remote-reviews.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf, type Rig, type RigOptions, startRig } from '../../support/remediation-rig.js';
import { api, bringAboutDeadlock } from '../../support/stuck-rollout.js';

let rig: Rig | undefined;
const db = withRedis();
afterEach(() => rig?.stop());

const asSent = (answer: object): unknown => JSON.parse(JSON.stringify(answer));
async function diagnosed(mayApprove?: RigOptions['mayApprove']) {
  rig = await startRig({
    redis: db.redis,
    cluster: { namespaces: ['shop'] },
    ...(mayApprove === undefined ? {} : { mayApprove }),
  });
  await bringAboutDeadlock(rig);
  return { rig, incident: await rig.diagnosed(api) };
}

/**
 * What a cluster's worker answers reaches the app whole: a field that a schema lacks would be missing in the
 * modal.
 */
describe('an answer of a worker in another cluster', () => {
  it('holds the whole review, the plan that others may read, and the decision', async () => {
    const { rig: own, incident } = await diagnosed();
    const remediationId = idOf(incident, 'patch-strategy');
    const review = await own.reviewed(incident, remediationId);
    const decided = await own.usecases.decide({
      approvalId: review.approval.id,
      by: 'U0DANA',
      decision: 'approve',
      reason: 'stuck',
    });

    expect(ReviewAnswer.parse(asSent(review))).toEqual(asSent(review));
    expect(decided.type).toBe('approved');
    expect(DecisionAnswer.parse(asSent(decided))).toEqual(asSent(decided));
  });

  it('holds the plan that a person may read who may not approve it', async () => {
    const approvers = { users: ['U0MIN'], groups: ['ml-oncall'] };
    const because = { catalogue: 'notices', key: 'not-authorised', values: { users: ['U0MIN'] } };
    const { rig: own, incident } = await diagnosed(async () => ({ type: 'refused', because, approvers }));
    const request = { incidentId: incident.id, remediationId: idOf(incident, 'undo-rollout'), by: 'U0SAM' };
    const refused = await own.usecases.review(request);

    expect(refused).toMatchObject({ type: 'refused', readable: { remediationId: request.remediationId } });
    expect(ReviewAnswer.parse(asSent(refused))).toEqual(asSent(refused));
  });
});
