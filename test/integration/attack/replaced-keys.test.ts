import { afterEach, describe, expect, it } from 'vitest';
import type { Approval } from '#src/doctor/incidents/approval.js';
import { createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { type ApprovalAuthority, createApprovalAuthority } from '#src/service/approve/approval-authority.js';
import { buildKey, digest } from '../../support/authority.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf, type Rig, startRig } from '../../support/remediation-rig.js';
import { api, bringAboutDeadlock, cardOf } from '../../support/stuck-rollout.js';

const db = withRedis();
const [former, next] = [buildKey('former'), buildKey('next', 11)];

let rig: Rig;
afterEach(() => rig.stop());

/** App and remediation worker, whose keys are replaced while they run. */
async function startWithKeys() {
  const withKeys = (...keys: Parameters<typeof createHmacSigner>[0][number][]) =>
    createApprovalAuthority({ signer: createHmacSigner(keys), digest });
  let authority: ApprovalAuthority = withKeys(former);
  rig = await startRig({
    redis: db.redis,
    cluster: { namespaces: ['shop'] },
    authority: {
      seal: (approval) => authority.seal(approval),
      sealTemplate: (template) => authority.sealTemplate(template),
      isSealedTemplate: (...template) => authority.isSealedTemplate(...template),
      sealLogin: (...login) => authority.sealLogin(...login),
      isConfirmed: (...decision) => authority.isConfirmed(...decision),
      authenticate: (...stored) => authority.authenticate(...stored),
    },
  });
  await bringAboutDeadlock(rig);
  const incident = await rig.diagnosed(api);
  return {
    incident,
    replace: () => {
      authority = withKeys(next, former);
    },
    remove: () => {
      authority = withKeys(next);
    },
  };
}

const unknownKey = {
  type: 'refused',
  because: { key: 'approval-distrusted', values: { because: 'unknown-key' } },
};

const runRemediation = ({ id, incidentId }: Approval) =>
  rig.usecases.remediation({ v: 1, incidentId, approvalId: id }, { lastAttempt: false });

const approveAsDana = (approvalId: string) =>
  rig.usecases.decide({ approvalId, by: 'U0DANA', decision: 'approve', reason: 'because' });

const moments = [
  'after the review',
  'after the approval',
  'after the change',
  'after its verdict',
  'after the review of its undo',
] as const;

describe('the key of an approval', () => {
  it.each(moments)('may be replaced %s: the change and its undo are made', async (moment) => {
    const { incident, replace } = await startWithKeys();
    const at = (reached: (typeof moments)[number]) => moment === reached && replace();
    const { approval } = await rig.reviewed(incident, idOf(incident, 'undo-rollout'));
    at('after the review');
    expect(await approveAsDana(approval.id)).toMatchObject({ type: 'approved' });
    at('after the approval');
    await runRemediation(approval);
    at('after the change');
    await rig.work();
    const recovered = await rig.current(incident.id);
    expect(recovered.change).toMatchObject({ verdict: 'recovered' });
    at('after its verdict');
    const undo = await rig.reviewed(recovered, 'undo');
    at('after the review of its undo');
    expect((await rig.approved(undo)).change).toMatchObject({ undoes: true, verdict: 'undone' });
  });

  it('may be removed after the review: the approval is refused, and a new review is signed', async () => {
    const { incident, remove } = await startWithKeys();
    const { approval } = await rig.reviewed(incident, idOf(incident, 'undo-rollout'));
    remove();
    expect(await approveAsDana(approval.id)).toMatchObject(unknownKey);
    const again = await rig.reviewed(await rig.current(incident.id), idOf(incident, 'undo-rollout'));
    expect((await rig.approved(again)).change).toMatchObject({ verdict: 'recovered' });
  });

  it('may be removed after the approval: nothing is changed, and the card states why', async () => {
    const { incident, remove } = await startWithKeys();
    const before = rig.writes().length;
    const { approval } = await rig.reviewed(incident, idOf(incident, 'undo-rollout'));
    await approveAsDana(approval.id);
    remove();
    await rig.work();
    expect(rig.writes().slice(before)).toEqual([]);
    expect(await rig.current(incident.id)).toMatchObject({ phase: 'diagnosed' });
    expect(await cardOf(rig, incident.id)).toContain('a key that is not in APPROVAL_KEYS');
  });

  it('may be removed after the verdict: the change cannot be undone, and the refusal states why', async () => {
    const { incident, remove } = await startWithKeys();
    const review = await rig.reviewed(incident, idOf(incident, 'undo-rollout'));
    const { id, change } = await rig.approved(review);
    expect(change).toMatchObject({ verdict: 'recovered' });
    remove();
    const undo = await rig.usecases.review({ incidentId: id, remediationId: 'undo', by: 'U0DANA' });
    expect(undo).toMatchObject({ type: 'refused', because: { key: 'undo-key-removed' } });
  });

  it('may be removed after the review of an undo: it is refused, and nothing is changed', async () => {
    const { incident, remove } = await startWithKeys();
    const review = await rig.reviewed(incident, idOf(incident, 'undo-rollout'));
    const undo = await rig.reviewed(await rig.approved(review), 'undo');
    const before = rig.writes().length;
    remove();
    expect(await approveAsDana(undo.approval.id)).toMatchObject(unknownKey);
    await rig.work();
    expect(rig.writes().slice(before)).toEqual([]);
  });
});
