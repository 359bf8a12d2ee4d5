import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RestartRollout } from '#src/doctor/fixes/kinds/restart-rollout/kind.js';
import { canonicalPlan, type Plan } from '#src/doctor/fixes/plan.js';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { Policy } from '#src/doctor/policy/policy.js';
import { createRequestDiagnosis } from '#src/service/diagnose/request-diagnosis.js';
import { createRunDiagnosis } from '#src/service/diagnose/run-diagnosis.js';
import { digest, testAuthority } from '../../support/authority.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { buildApproval } from '../../support/records.js';
import { createStage, openPolicy } from './stage.js';

const db = withRedis();

const remediationId = 'requested-restart-rollout';
const restart: RequestedChange = { kind: 'restart-rollout' };

const remediation: RestartRollout = {
  kind: 'restart-rollout',
  id: remediationId,
  title: { catalogue: 'restart-rollout', key: 'title', values: {} },
  effects: [],
  price: { downtime: { kind: 'none' }, drift: 'template', blastRadius: { pods: 1, others: [] } },
  prediction: { victims: [], placements: [], ends: 'complete', competitors: [] },
};
const deadlock = { catalogue: 'requested', key: 'would-deadlock', values: { change: 'restart-rollout' } };

const plan: Plan = {
  type: 'plan',
  remediationId,
  target: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'ml',
    name: 'inference',
    uid: 'u1',
    generation: 2,
  },
  request: { verb: 'restart' },
  changes: [
    {
      path: 'spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]',
      before: undefined,
      after: '<now>',
    },
  ],
};

/** The stage with a healthy workload and the command that requests a change of it. */
function requesting(policy: Policy = openPolicy) {
  const stage = createStage(db.redis, policy);
  stage.world.plan = plan;
  forecast(stage, {});
  const asked: (RequestedChange | undefined)[] = [];
  const engine = {
    ...stage.engine,
    diagnose: (_: unknown, requested?: RequestedChange) => {
      asked.push(requested);
      const { requested: known, ...rest } = stage.world.diagnosis;
      return requested === undefined || known === undefined ? rest : { ...rest, requested: known };
    },
  };
  const cluster = {
    ...stage.cluster,
    find: async ({ namespace = 'ml', name }: { readonly namespace?: string; readonly name: string }) =>
      ({
        type: 'found',
        workloads: [{ cluster: 'prod', kind: 'Deployment', namespace, name }],
      }) as const,
  };
  const request = createRequestDiagnosis({
    ...stage,
    cluster,
    deliveries: { get: async () => undefined },
    newId: () => randomUUID().slice(0, 12),
  });
  const diagnose = createRunDiagnosis({
    ...stage,
    engine,
    metrics: { diagnosisTook: () => undefined, found: () => undefined } as never,
  });
  return {
    ...stage,
    asked,
    async requestChange(change: RequestedChange | 'nothing' = restart, by = 'U0DANA', name = 'inference') {
      return request({
        query: { namespace: 'ml', name },
        origin: { via: 'command', by },
        channel: 'C0ONCALL',
        language: 'en',
        ...(change === 'nothing' ? {} : { change }),
      });
    },
    async runDiagnosis({ id, look: number }: Incident) {
      await diagnose({ v: 1, incidentId: id, look: number }, { lastAttempt: true, urgency: 'person' });
      const incident = await stage.incidents.get(id);
      if (incident === undefined) throw new Error('no incident');
      return incident;
    },
  };
}

/** Sets the forecast of the restart. */
function forecast(
  { world }: ReturnType<typeof createStage>,
  fields: Partial<Pick<RestartRollout, 'price' | 'prediction'>>,
  warnings: readonly (typeof deadlock)[] = [],
) {
  world.diagnosis = buildDiagnosis({
    findings: [],
    requested: { type: 'possible', remediation: { ...remediation, ...fields }, warnings, owners: [] },
  });
}

const stuck = { prediction: { ...remediation.prediction, ends: 'stuck' } } as const;

async function forecasted(stage: ReturnType<typeof requesting>) {
  const answer = await stage.requestChange();
  if (answer.type !== 'queued') throw new Error(`not queued: ${JSON.stringify(answer)}`);
  return stage.runDiagnosis(answer.incident);
}

async function reviewed(stage: ReturnType<typeof requesting>) {
  const incident = await forecasted(stage);
  const review = await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' });
  if (review.type === 'refused') throw new Error(`refused: ${review.because.key}`);
  return { incident, review };
}

describe('a request for a change', () => {
  it('is kept with the incident, and the diagnosis forecasts the change', async () => {
    const stage = requesting();
    const incident = await forecasted(stage);

    expect(stage.asked).toEqual([restart]);
    expect(incident).toMatchObject({
      phase: 'diagnosed',
      requested: { by: 'U0DANA', change: restart },
      diagnosis: { requested: { type: 'possible', remediation: { id: remediationId } } },
    });
  });

  it('is refused to a person whom the policy does not allow this kind', async () => {
    const grants = [{ ...openPolicy.grants[0], actions: ['undo-rollout'] }];
    const stage = requesting(Policy.parse({ ...openPolicy, grants }));

    expect(await stage.requestChange(restart)).toMatchObject({
      type: 'refused',
      because: { key: 'not-authorised' },
    });
    expect(await stage.requestChange({ kind: 'undo-rollout' })).toMatchObject({ type: 'queued' });
    expect(await stage.incidents.recent(10)).toHaveLength(1);
  });

  it('replaces a running diagnosis, which would lack the forecast', async () => {
    const stage = requesting();
    const first = await stage.requestChange('nothing');
    const second = await stage.requestChange(restart, 'U0MIN');
    if (first.type !== 'queued' || second.type !== 'queued') throw new Error('not queued');

    expect(second.incident).toMatchObject({ id: first.incident.id, look: 2, requested: { by: 'U0MIN' } });
    expect(await stage.runDiagnosis(first.incident)).toMatchObject({ phase: 'diagnosing', look: 2 });
    expect(await stage.runDiagnosis(second.incident)).toMatchObject({ phase: 'diagnosed' });
  });

  it('is refused while another change is being applied', async () => {
    const stage = requesting();
    const { review } = await reviewed(stage);
    await stage.decide({
      approvalId: review.approval.id,
      by: 'U0DANA',
      decision: 'approve',
      reason: 'new certificate',
    });

    expect(await stage.requestChange()).toMatchObject({
      type: 'refused',
      because: { key: 'change-under-way' },
    });
  });
});

describe('the review of a requested change', () => {
  it('states its origin, includes the dry run, and leads to one applied change', async () => {
    const stage = requesting();
    const { incident, review } = await reviewed(stage);

    expect(review).toMatchObject({ dryRun: { type: 'accepted' }, demands: { typeName: false } });
    expect(review.approval).toMatchObject({
      requested: { by: 'U0DANA' },
      workload: { namespace: 'ml', name: 'inference' },
      digest: digest(canonicalPlan(plan)),
    });
    expect(review.approval.cause).toBeUndefined();
    const approvalId = review.approval.id;
    expect(
      await stage.decide({ approvalId, by: 'U0DANA', decision: 'approve', reason: 'new certificate' }),
    ).toMatchObject({ type: 'approved' });
    const job = { v: 1, incidentId: incident.id, approvalId } as const;
    await stage.apply(job, { lastAttempt: false });
    expect(stage.world.sent).toEqual([approvalId]);
    expect(await stage.incidents.get(incident.id)).toMatchObject({
      phase: 'verifying',
      change: { requested: { by: 'U0DANA' }, remediation: { kind: 'restart-rollout' } },
    });
  });

  it('is refused for an unknown request and for a request of another workload', async () => {
    const stage = requesting();
    const incident = await forecasted(stage);
    const other = await stage.requestChange('nothing', 'U0DANA', 'training');
    if (other.type !== 'queued') throw new Error('not queued');
    await stage.runDiagnosis(other.incident);

    for (const [incidentId, id] of [
      [other.incident.id, remediationId],
      [incident.id, 'requested-exclude-nodes-gpu-a'],
      [incident.id, 'restart-rollout'],
    ] as const) {
      expect(await stage.review({ incidentId, remediationId: id, by: 'U0DANA' })).toMatchObject({
        type: 'refused',
        because: { key: 'remediation-unknown' },
      });
    }
  });

  it('checks the policy for exactly this kind again', async () => {
    const stage = requesting();
    const incident = await forecasted(stage);
    const grants = [{ ...openPolicy.grants[0], actions: ['undo-rollout'] }];
    stage.world.policy = Policy.parse({ ...openPolicy, grants });

    expect(await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' })).toMatchObject({
      because: { key: 'not-authorised' },
    });
  });

  it('is refused, and the workload diagnosed again, when the change is impossible or different now', async () => {
    for (const requested of [
      { type: 'impossible', because: { catalogue: 'restart-rollout', key: 'withheld-paused', values: {} } },
      {
        type: 'possible',
        remediation: { ...remediation, id: 'requested-undo-rollout-x' },
        warnings: [],
        owners: [],
      },
    ] as const) {
      const stage = requesting();
      const incident = await forecasted(stage);
      stage.world.diagnosis = buildDiagnosis({ findings: [], requested });

      const answer = await stage.review({ incidentId: incident.id, remediationId, by: 'U0DANA' });
      expect(answer.type).toBe('refused');
      expect(await stage.incidents.get(incident.id)).toMatchObject({ phase: 'diagnosing', look: 2 });
    }
  });
});

describe('a requested change that would deadlock', () => {
  it('is reviewed with its warnings, and requires the typed name of the workload', async () => {
    const stage = requesting();
    forecast(stage, stuck, [deadlock]);
    const { review } = await reviewed(stage);
    const wish = {
      approvalId: review.approval.id,
      by: 'U0DANA',
      decision: 'approve',
      reason: 'needed',
    } as const;

    expect(review).toMatchObject({ warnings: [deadlock], demands: { typeName: true } });
    expect(await stage.decide(wish)).toMatchObject({ because: { key: 'name-not-typed' } });
    expect(await stage.decide({ ...wish, typedName: 'ml/inference' })).toMatchObject({ type: 'approved' });
    const job = { v: 1, incidentId: review.incident.id, approvalId: review.approval.id } as const;
    await stage.apply(job, { lastAttempt: false });
    expect(stage.world.sent).toHaveLength(1);
  });

  it('is not approved by a review that showed a completing rollout', async () => {
    const stage = requesting();
    const { incident, review } = await reviewed(stage);
    forecast(stage, stuck, [deadlock]);

    const approval = { approvalId: review.approval.id, by: 'U0DANA', decision: 'approve' } as const;
    expect(await stage.decide({ ...approval, reason: 'needed' })).toMatchObject({
      because: { key: 'plan-changed' },
    });
    expect((await stage.approvals.get(review.approval.id))?.state).toBe('superseded');
    expect(await stage.incidents.get(incident.id)).toMatchObject({ phase: 'diagnosing' });
  });
});

describe('the signature of an approval', () => {
  it('does not match a requested change with the origin of a finding, or the reverse', () => {
    const requested = { by: 'U0DANA', at: '2026-11-20T09:30:00Z' };
    const { cause: _cause, ...unfounded } = buildApproval({ remediation, plan });
    const offered = { ...remediation, id: 'restart-rollout' };
    const offeredPlan = { ...plan, remediationId: 'restart-rollout' };

    const verdictOn = (approval: ReturnType<typeof buildApproval>) =>
      testAuthority.authenticate(approval.id, testAuthority.seal(approval));
    expect(verdictOn({ ...unfounded, requested })).not.toHaveProperty('because');
    expect(verdictOn(buildApproval({ remediation, plan }))).toMatchObject({ because: 'shape' });
    const { cause: _other, ...claimed } = buildApproval({ remediation: offered, plan: offeredPlan });
    expect(verdictOn({ ...claimed, requested })).toMatchObject({ because: 'shape' });
  });
});
