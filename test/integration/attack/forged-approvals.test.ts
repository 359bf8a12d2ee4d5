import type { Redis } from 'ioredis';
import { beforeAll, describe, expect, it } from 'vitest';
import { createHmacSigner } from '#src/adapters/signing/hmac-signer.js';
import type { Approval, Seal } from '#src/core/incident/approval.js';
import { authorityText, sealedText } from '#src/core/incident/approval-authority.js';
import type { Incident } from '#src/core/incident/incident.js';
import { canonicalPlan } from '#src/core/remediation/plan.js';
import { createApprovalAuthority } from '#src/usecases/approve/approval-authority.js';
import { buildKey, digest, testKey } from '#support/authority.js';
import { withRedis } from '#support/open-redis.js';
import { idOf, type Rig, startRig } from '#support/remediation-rig.js';
import { api, bringAboutDeadlock, cardOf, createAttacker } from '#support/stuck-rollout.js';

let redis: Redis;
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

withRedis((open) => {
  ({ redis } = open);
});

beforeAll(async () => {
  rig = await startRig({ redis, cluster: { namespaces: ['shop'] } });
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

/** The approval with a changed plan and a matching digest. */
function replanned(change: (plan: Approval['plan']) => Approval['plan']): Approval {
  const plan = change(genuine.plan);
  return { ...genuine, plan, digest: digest(canonicalPlan(plan)) };
}

const body = { spec: { template: { spec: { containers: [{ name: 'app', image: 'evil.example/x' }] } } } };
const forever = '2099-01-01T00:00:00.000Z';
const decision = (by: string) => ({ by, at: genuine.createdAt, decision: 'approve', reason: '' }) as const;

/** The forged records, by their description. */
const forged: readonly (readonly [string, () => Approval])[] = [
  ['without a seal', () => ({ ...genuine, seal: undefined })],
  [
    'with a seal of zeros',
    () => ({ ...genuine, expiresAt: forever, seal: { ...sealOf(genuine), mac: 'A'.repeat(43) } }),
  ],
  ['with an empty seal', () => ({ ...genuine, seal: { ...sealOf(genuine), mac: '' } })],
  [
    'with half a seal',
    () => ({ ...genuine, seal: { ...sealOf(genuine), mac: sealOf(genuine).mac.slice(0, 20) } }),
  ],
  ['signed with an unknown key', () => strangersSeal(genuine, 'stranger')],
  ['signed with another key of the same id', () => strangersSeal(genuine, testKey.id)],
  ['with the format of an older seal', () => ({ ...genuine, seal: { ...sealOf(genuine), format: 0 } })],
  ['with the format of a newer seal', () => ({ ...genuine, seal: { ...sealOf(genuine), format: 2 } })],
  [
    'with the seal of a pod template',
    () => ({
      ...genuine,
      seal: createHmacSigner([testKey]).sign(sealedText('template', authorityText(genuine))),
    }),
  ],
  ['with the seal of another approval', () => ({ ...genuine, seal: sealOf(other) })],
  ['only opened, with the state approved', () => ({ ...opened, state: 'approved' })],
  ['only opened, with the state running', () => ({ ...opened, state: 'running' })],
  [
    'with a decision that nobody made',
    () => ({ ...opened, state: 'approved', decisions: [decision('U0MIN')] }),
  ],
  [
    'with a second approver added',
    () => ({ ...genuine, decisions: [...genuine.decisions, decision('U0LEE')] }),
  ],
  ['under the name of another approver', () => ({ ...genuine, decisions: [decision('U0LEE')] })],
  ['with a later decision', () => ({ ...genuine, decisions: [{ ...decision('U0MIN'), at: forever }] })],
  [
    'with a name that the approver did not type',
    () => ({ ...genuine, decisions: genuine.decisions.map((each) => ({ ...each, typedName: 'shop/api' })) }),
  ],
  ['that needs fewer approvers', () => ({ ...genuine, needs: 1, decisions: [], state: 'approved' })],
  ['that needs more approvers than it has', () => ({ ...genuine, needs: 5 })],
  ['without its initiators', () => ({ ...genuine, initiators: [] })],
  ['asked for by another person', () => ({ ...genuine, initiators: ['U0LEE'] })],
  ['that expires later', () => ({ ...genuine, expiresAt: forever })],
  ['opened later', () => ({ ...genuine, createdAt: forever, expiresAt: forever })],
  ['of another cluster', () => ({ ...genuine, workload: { ...genuine.workload, cluster: 'prod' } })],
  ['of another namespace', () => ({ ...genuine, workload: { ...genuine.workload, namespace: 'payments' } })],
  ['of another workload', () => ({ ...genuine, workload: { ...genuine.workload, name: 'web' } })],
  [
    'of another kind of workload',
    () => ({ ...genuine, workload: { ...genuine.workload, kind: 'DaemonSet' } }),
  ],
  [
    'with another body',
    () => replanned((plan) => ({ ...plan, request: { verb: 'patch', patchType: 'merge', body } })),
  ],
  [
    'with an additional field in its body',
    () =>
      replanned((plan) => ({
        ...plan,
        request: {
          verb: 'patch',
          patchType: 'merge',
          body: { spec: { ...body.spec, strategy: { type: 'Recreate', rollingUpdate: null } } },
        },
      })),
  ],
  [
    'with a JSON patch',
    () =>
      replanned((plan) => ({
        ...plan,
        request: {
          verb: 'patch',
          patchType: 'json',
          body: [{ op: 'replace', path: '/spec/replicas', value: 0 }],
        },
      })),
  ],
  ['that deletes', () => replanned((plan) => ({ ...plan, request: { verb: 'delete' } }))],
  [
    'that scales',
    () =>
      replanned((plan) => ({
        ...plan,
        request: { verb: 'patch', patchType: 'merge', subresource: 'scale', body: { spec: { replicas: 0 } } },
      })),
  ],
  [
    'that restores another template',
    () =>
      replanned((plan) => ({
        ...plan,
        request: { verb: 'restore-template', from: { kind: 'ReplicaSet', name: 'api-evil', uid: 'u-evil' } },
      })),
  ],
  ['for another object', () => replanned((plan) => ({ ...plan, target: { ...plan.target, name: 'web' } }))],
  [
    'for an object of another namespace',
    () => replanned((plan) => ({ ...plan, target: { ...plan.target, namespace: 'payments' } })),
  ],
  [
    'for a pod',
    () => replanned((plan) => ({ ...plan, target: { ...plan.target, apiVersion: 'v1', kind: 'Pod' } })),
  ],
  ['for another uid', () => replanned((plan) => ({ ...plan, target: { ...plan.target, uid: 'u-new' } }))],
  [
    'for a later generation',
    () => replanned((plan) => ({ ...plan, target: { ...plan.target, generation: 99 } })),
  ],
  [
    'for any generation',
    () => replanned(({ target: { generation: _any, ...target }, ...plan }) => ({ ...plan, target })),
  ],
  ['with another plan under the old digest', () => ({ ...genuine, plan: other.plan })],
  ['with another digest', () => ({ ...genuine, digest: 'f'.repeat(64) })],
  [
    'with the plan and digest of another approval',
    () => ({ ...genuine, plan: other.plan, digest: other.digest }),
  ],
  ['of another incident', () => ({ ...genuine, incidentId: 'f'.repeat(20) })],
  ['of another diagnosis', () => ({ ...genuine, look: genuine.look + 1 })],
  ['with another cause', () => ({ ...genuine, cause: 'rollout-paused' })],
  ['with another remediation', () => ({ ...genuine, remediation: other.remediation })],
  ['marked as an undo', () => ({ ...genuine, undoes: true })],
  [
    'with another undo',
    () =>
      replanned((plan) => ({
        ...plan,
        undo: { request: { verb: 'patch', patchType: 'merge', body }, expects: [] },
      })),
  ],
  ['without its undo', () => replanned(({ undo: _undo, ...plan }) => plan)],
  [
    'that claims to be applied',
    () => ({ ...genuine, state: 'done', applied: { at: forever, generation: 9 } }),
  ],
  ['under the id of another approval', () => ({ ...genuine, id: other.id })],
];

describe.each(['before the app starts its change', 'as if the app had started its change'])(
  'a stored approval, %s,',
  (when) => {
    it.each(forged)(
      '%s changes nothing, and the card states that Rollout Doctor did not sign it',
      async (_, forge) => {
        await restore();
        const record = forge();
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
