import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalPlan } from '#src/doctor/fixes/plan.js';
import type { Approval, Seal } from '#src/doctor/incidents/approval.js';
import { authorityText, sealedText } from '#src/doctor/incidents/approval-authority.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { createApprovalAuthority } from '#src/service/approve/approval-authority.js';
import { buildKey, digest, testKey } from '../../support/authority.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf, type Rig, startRig } from '../../support/remediation-rig.js';
import { statedCount } from '../../support/stated-count.js';
import { api, bringAboutDeadlock, cardOf, createAttacker } from '../../support/stuck-rollout.js';

let rig: Rig;
let attacker: ReturnType<typeof createAttacker>;
/** The incident as its card offers fixes. */
let diagnosed: Incident;
/** Approved by one person, as the app stored and signed it. */
let genuine: Approval;
/** Another fix of the same incident, approved as well. */
let other: Approval;
/** Opened and signed, but not approved. */
let opened: Approval;

const db = withRedis();

beforeAll(async () => {
  rig = await startRig({ redis: db.redis, cluster: { namespaces: ['shop'] } });
  attacker = createAttacker(rig);
  await bringAboutDeadlock(rig);
  diagnosed = await rig.diagnosed(api);
  genuine = await approvedBy('U0MIN', 'patch-strategy');
  await restore();
  other = await approvedBy('U0MIN', 'scale-down-old');
  await restore();
  opened = (await rig.reviewed(diagnosed, idOf(diagnosed, 'undo-rollout'))).approval;
  return () => rig.stop();
});

async function approvedBy(by: string, kind: string): Promise<Approval> {
  const { approval } = await rig.reviewed(diagnosed, idOf(diagnosed, kind));
  const decided = await rig.usecases.decide({ approvalId: approval.id, by, decision: 'approve', reason: '' });
  if (decided.type !== 'approved') throw new Error(JSON.stringify(decided));
  return decided.approval;
}

/** Restores all records to the state before the approval. */
async function restore(): Promise<void> {
  await attacker.removeApprovals();
  await attacker.putIncident(diagnosed);
}

/** The incident as if the app had started this change. */
function carrying(approval: Approval, fields: Partial<Incident> = {}): Incident {
  return {
    ...diagnosed,
    version: diagnosed.version + 1,
    phase: 'applying',
    approvalId: approval.id,
    change: {
      approvalId: approval.id,
      cause: approval.cause,
      remediation: approval.remediation,
      undoes: approval.undoes,
      approvedBy: ['U0MIN'],
      approvedAt: approval.createdAt,
    },
    ...fields,
  };
}

const sealOf = (approval: Approval): Seal => {
  if (approval.seal === undefined) throw new Error('must be sealed');
  return approval.seal;
};

const strangersSeal = (approval: Approval, id: string): Approval =>
  createApprovalAuthority({ signer: createHmacSigner([buildKey(id, 11)]), digest }).seal(approval);

type Fields = Partial<Approval>;

/** A changed plan and the digest that matches it. */
function replanned(change: (plan: Approval['plan']) => Approval['plan']): Fields {
  const plan = change(genuine.plan);
  return { plan, digest: digest(canonicalPlan(plan)) };
}
const asking = (request: Approval['plan']['request']) => replanned((plan) => ({ ...plan, request }));
const aimedAt = (target: Partial<Approval['plan']['target']>) =>
  replanned((plan) => ({ ...plan, target: { ...plan.target, ...target } }));
const sealed = (seal: Partial<Seal>): Fields => ({ seal: { ...sealOf(genuine), ...seal } });
const about = (workload: Partial<Approval['workload']>): Fields => ({
  workload: { ...genuine.workload, ...workload },
});

const body = { spec: { template: { spec: { containers: [{ name: 'app', image: 'evil.example/x' }] } } } };
const patch = { verb: 'patch', patchType: 'merge' } as const;
const replace = { op: 'replace', path: '/spec/replicas', value: 0 } as const;
const evil = { kind: 'ReplicaSet', name: 'api-evil', uid: 'u-evil' } as const;
const recreate = { type: 'Recreate', rollingUpdate: null };
const forever = '2099-01-01T00:00:00.000Z';
const decided = (by: string, fields: object = {}) => ({
  ...({ by, at: genuine.createdAt, decision: 'approve', reason: '' } as const),
  ...fields,
});

/** What is forged about a genuine approval. */
const forged: readonly (readonly [string, () => Fields])[] = [
  ['without a seal', () => ({ seal: undefined })],
  ['with a seal of zeros', () => ({ expiresAt: forever, ...sealed({ mac: 'A'.repeat(43) }) })],
  ['with an empty seal', () => sealed({ mac: '' })],
  ['with half a seal', () => sealed({ mac: sealOf(genuine).mac.slice(0, 20) })],
  ['signed with an unknown key', () => strangersSeal(genuine, 'stranger')],
  ['signed with another key of the same id', () => strangersSeal(genuine, testKey.id)],
  ['with the format of an older seal', () => sealed({ format: 0 })],
  ['with the format of a newer seal', () => sealed({ format: 2 })],
  [
    'with the seal of a pod template',
    () => ({ seal: createHmacSigner([testKey]).sign(sealedText('template', authorityText(genuine))) }),
  ],
  ['with the seal of another approval', () => ({ seal: sealOf(other) })],
  ['only opened, with the state approved', () => ({ ...opened, state: 'approved' })],
  ['only opened, with the state running', () => ({ ...opened, state: 'running' })],
  [
    'with a decision that nobody made',
    () => ({ ...opened, state: 'approved', decisions: [decided('U0MIN')] }),
  ],
  ['with a second approver added', () => ({ decisions: [...genuine.decisions, decided('U0LEE')] })],
  ['under the name of another approver', () => ({ decisions: [decided('U0LEE')] })],
  ['with a later decision', () => ({ decisions: [decided('U0MIN', { at: forever })] })],
  [
    'with a name that the approver did not type',
    () => ({ decisions: genuine.decisions.map((each) => ({ ...each, typedName: 'shop/api' })) }),
  ],
  ['that needs fewer approvers', () => ({ needs: 1, decisions: [], state: 'approved' })],
  ['that needs more approvers than it has', () => ({ needs: 5 })],
  ['without its initiators', () => ({ initiators: [] })],
  ['asked for by another person', () => ({ initiators: ['U0LEE'] })],
  ['that expires later', () => ({ expiresAt: forever })],
  ['opened later', () => ({ createdAt: forever, expiresAt: forever })],
  ['of another cluster', () => about({ cluster: 'prod' })],
  ['of another namespace', () => about({ namespace: 'payments' })],
  ['of another workload', () => about({ name: 'web' })],
  ['of another kind of workload', () => about({ kind: 'DaemonSet' })],
  ['with another body', () => asking({ ...patch, body })],
  [
    'with an additional field in its body',
    () => asking({ ...patch, body: { spec: { ...body.spec, strategy: recreate } } }),
  ],
  ['with a JSON patch', () => asking({ ...patch, patchType: 'json', body: [replace] })],
  ['that deletes', () => asking({ verb: 'delete' })],
  ['that scales', () => asking({ ...patch, subresource: 'scale', body: { spec: { replicas: 0 } } })],
  ['that restores another template', () => asking({ verb: 'restore-template', from: evil })],
  ['for another object', () => aimedAt({ name: 'web' })],
  ['for an object of another namespace', () => aimedAt({ namespace: 'payments' })],
  ['for a pod', () => aimedAt({ apiVersion: 'v1', kind: 'Pod' })],
  ['for another uid', () => aimedAt({ uid: 'u-new' })],
  ['for a later generation', () => aimedAt({ generation: 99 })],
  [
    'for any generation',
    () => replanned(({ target: { generation: _any, ...target }, ...plan }) => ({ ...plan, target })),
  ],
  ['with another plan under the old digest', () => ({ plan: other.plan })],
  ['with another digest', () => ({ digest: 'f'.repeat(64) })],
  ['with the plan and digest of another approval', () => ({ plan: other.plan, digest: other.digest })],
  ['of another incident', () => ({ incidentId: 'f'.repeat(20) })],
  ['of another diagnosis', () => ({ look: genuine.look + 1 })],
  ['with another cause', () => ({ cause: 'rollout-paused' })],
  ['with another remediation', () => ({ remediation: other.remediation })],
  ['marked as an undo', () => ({ undoes: true })],
  [
    'with another undo',
    () => replanned((plan) => ({ ...plan, undo: { request: { ...patch, body }, expects: [] } })),
  ],
  ['without its undo', () => replanned(({ undo: _undo, ...plan }) => plan)],
  ['that claims to be applied', () => ({ state: 'done', applied: { at: forever, generation: 9 } })],
  ['under the id of another approval', () => ({ id: other.id })],
];

describe.each(['before the app starts its change', 'as if the app had started its change'])(
  'a stored approval, %s,',
  (when) => {
    it.each(forged)(
      '%s changes nothing, and the card states that Rollout Doctor did not sign it',
      async (_, forge) => {
        await restore();
        const record: Approval = { ...genuine, ...forge() };
        await attacker.putApproval(record);
        if (when.startsWith('as if')) await attacker.putIncident(carrying(record));
        const before = rig.writes();
        const job = { v: 1, incidentId: diagnosed.id, approvalId: record.id } as const;
        await rig.usecases.remediation(job, { lastAttempt: false });
        await rig.usecases.remediation(job, { lastAttempt: true });

        expect(rig.writes()).toEqual(before);
        const card = await cardOf(rig, diagnosed.id);
        expect(card).toMatch(/is not an approval that Rollout Doctor signed/);
        expect(card).not.toMatch(/U0MIN|U0LEE|was changed/);
        expect((await rig.current(diagnosed.id)).phase).not.toBe('applying');
      },
    );
  },
);

describe('a genuine approval', () => {
  const run = async (approvalId: string, incidentId = diagnosed.id) =>
    rig.usecases.remediation({ v: 1, incidentId, approvalId }, { lastAttempt: false });

  it('that is stored under the id of another one changes nothing', async () => {
    await restore();
    await attacker.putApproval(genuine, other.id);
    await attacker.putIncident(carrying(other));
    const before = rig.writes();
    await run(other.id);

    expect(rig.writes()).toEqual(before);
    expect(await cardOf(rig, diagnosed.id)).toContain('it is the record of another approval');
  });

  it.each([
    ['open', 'Nothing was changed'],
    ['rejected', 'Nothing was changed'],
    ['expired', 'Nothing was changed'],
    ['superseded', 'Nothing was changed'],
    ['cancelled', 'Nothing was changed'],
    // An earlier attempt may have sent the change, so its outcome is unknown.
    ['failed', 'It is unknown whether'],
    ['done', 'It is unknown whether'],
  ] as const)('whose state is changed to %s changes nothing', async (state, words) => {
    await restore();
    await attacker.putApproval({ ...genuine, state });
    await attacker.putIncident(carrying(genuine));
    const before = rig.writes();
    await run(genuine.id);

    expect(rig.writes()).toEqual(before);
    expect(await cardOf(rig, diagnosed.id)).toContain(words);
  });

  it('of a rejected plan changes nothing when its state is changed to approved', async () => {
    await restore();
    const { approval } = await rig.reviewed(diagnosed, idOf(diagnosed, 'patch-strategy'));
    const wish = { approvalId: approval.id, by: 'U0LEE', decision: 'reject', reason: 'no' } as const;
    const rejected = await rig.usecases.decide(wish);
    if (rejected.type !== 'rejected') throw new Error('must be rejected');
    await attacker.putApproval({ ...rejected.approval, state: 'approved' });
    await attacker.putIncident(carrying(approval));
    const before = rig.writes();
    await run(approval.id);

    expect(rig.writes()).toEqual(before);
    expect(await cardOf(rig, diagnosed.id)).toContain('too few people approved it, or a person rejected it');
  });

  it('that does not exist changes nothing when a job names it', async () => {
    await restore();
    const before = rig.writes();
    await run('f'.repeat(32));

    expect(rig.writes()).toEqual(before);
  });

  it.each(['before', 'after'])(
    'is opened again when a forged record has its id (%s a review)',
    async (when) => {
      await restore();
      const id = idOf(diagnosed, 'patch-strategy');
      const first = (await rig.reviewed(diagnosed, id)).approval;
      await attacker.putApproval({ ...first, plan: other.plan, remediation: other.remediation });
      if (when === 'after') {
        expect(
          await rig.usecases.decide({ approvalId: first.id, by: 'U0MIN', decision: 'approve', reason: '' }),
        ).toMatchObject({ type: 'refused', because: { key: 'approval-distrusted' } });
      }
      const again = await rig.reviewed(diagnosed, id);

      expect(again.approval.id).not.toBe(first.id);
      expect(again.approval.plan).toEqual(first.plan);
    },
  );
});

it('makes as many forged records as docs/security.md states', () => {
  expect(forged.length).toBe(statedCount('forged records'));
});
