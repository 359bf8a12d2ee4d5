import { beforeEach, describe, expect, it } from 'vitest';
import type { Approval, DryRun } from '#src/doctor/incidents/approval.js';
import { createAwaitDryRun } from '#src/service/approve/await-dry-run.js';
import { DoctorError } from '#src/service/errors.js';
import type { Review } from '#src/service/people/conversation.js';
import { testAuthority } from '../../support/authority.js';
import { withRedis } from '../../support/open-redis.js';
import { approve as approveById, createStage, remediationId, type Stage } from './stage.js';

const db = withRedis();

let stage: ReturnType<typeof createStage>;
beforeEach(() => {
  stage = createStage(db.redis);
});

async function opened(stage: Stage, by = 'U0DANA', id?: string): Promise<Review> {
  const incidentId = id ?? (await stage.diagnosed()).id;
  const review = await stage.open({ incidentId, remediationId, by });
  if (review.type === 'refused') throw new Error(`refused: ${review.because.key}`);
  return review;
}

const jobFor = ({ approval: { id, incidentId } }: Review, ask = 1) =>
  ({ v: 1, incidentId, approvalId: id, ask }) as const;

const approve = (stage: Stage, { approval }: Review) => approveById(stage, approval.id);

async function storedBy(stage: Stage, { approval }: Review): Promise<Approval> {
  const stored = await stage.approvals.get(approval.id);
  if (stored === undefined) throw new Error('the record is gone');
  return stored;
}

/** Writes a record as an attacker who can write to Redis does. */
async function put(stage: Stage, approval: Approval): Promise<void> {
  await db.redis.hset(
    `${stage.prefix}:approval:${approval.id}`,
    'version',
    approval.version,
    'json',
    JSON.stringify(approval),
  );
}

const refusedByWebhook = { type: 'refused', because: 'admission', message: 'needs a ticket' } as const;

describe('the review of a fix', () => {
  it('stores a signed record without a dry run and queues one job, however many people click', async () => {
    const first = await opened(stage);
    const again = await opened(stage, 'U0MIN', first.incident.id);

    expect(first.dryRun).toEqual({ type: 'asked', ask: 1 });
    expect(again.dryRun).toEqual({ type: 'asked', ask: 1 });
    expect(stage.world.tried).toEqual([]);
    expect(stage.jobsOf('dry-run')).toEqual([{ queue: 'dry-run', job: jobFor(first) }]);
    const stored = await storedBy(stage, first);
    expect(stored).toMatchObject({ state: 'open', reviewers: ['U0DANA', 'U0MIN'] });
    expect(stored.dryRun).toBeUndefined();
    expect(testAuthority.authenticate(stored.id, stored)).not.toHaveProperty('type');
  });

  it('shows an accepted dry run at once to the next person, without another one', async () => {
    const first = await opened(stage);
    await stage.tryPlan(jobFor(first));
    const next = await opened(stage, 'U0MIN', first.incident.id);

    expect(next.dryRun).toMatchObject({ type: 'accepted', ask: 1 });
    expect(stage.world.tried).toHaveLength(1);
    expect(stage.jobsOf('dry-run')).toHaveLength(1);
  });
});

describe('the remediation worker', () => {
  it.each([
    [
      { type: 'accepted', generation: 3, mutated: [{ path: 'spec.replicas', before: 1, after: 2 }] },
      'accepted',
    ],
    [refusedByWebhook, 'refused'],
    [{ type: 'unreadable', because: 'timeout', message: '' }, 'unknown'],
  ] as const)('stores the answer %o in the record and signs it', async (answer, type) => {
    const review = await opened(stage);
    stage.world.dryRun = answer;
    await stage.tryPlan(jobFor(review));
    const stored = await storedBy(stage, review);

    expect(stored.dryRun).toMatchObject({ type, ask: 1, digest: stored.digest });
    expect(testAuthority.authenticate(stored.id, stored)).not.toHaveProperty('type');
    const shown = await stage.awaitDryRun(review, 'U0DANA');
    expect(shown).toMatchObject({ type: 'review', dryRun: stored.dryRun });
  });

  it('sends the dry run once for one request, also when its job runs again', async () => {
    const review = await opened(stage);
    for (let run = 0; run < 3; run += 1) await stage.tryPlan(jobFor(review));

    expect(stage.world.tried).toHaveLength(1);
  });

  it('that ended between the dry run and its record is replaced by one that tries again', async () => {
    const review = await opened(stage);
    stage.world.onTry = async () => {
      throw new Error('the worker ends here');
    };
    await expect(stage.tryPlan(jobFor(review))).rejects.toThrow('the worker ends here');
    expect((await storedBy(stage, review)).dryRun).toBeUndefined();
    stage.world.onTry = async () => undefined;
    await stage.tryPlan(jobFor(review));

    expect((await storedBy(stage, review)).dryRun).toMatchObject({ type: 'accepted', ask: 1 });
  });

  it('keeps concurrent changes of the record', async () => {
    const review = await opened(stage);
    stage.world.onTry = async () => {
      await opened(stage, 'U0MIN', review.incident.id);
    };
    await stage.tryPlan(jobFor(review));

    expect(await storedBy(stage, review)).toMatchObject({
      reviewers: ['U0DANA', 'U0MIN'],
      dryRun: { type: 'accepted' },
    });
  });

  it('stores no answer in a record that was closed in between', async () => {
    const review = await opened(stage);
    stage.world.onTry = async () => {
      await stage.decide({ approvalId: review.approval.id, by: 'U0MIN', decision: 'reject', reason: 'no' });
    };
    await stage.tryPlan(jobFor(review));

    expect(await storedBy(stage, review)).toMatchObject({ state: 'rejected' });
    expect((await storedBy(stage, review)).dryRun).toBeUndefined();
  });

  it.each<readonly [string, (approval: Approval) => Approval]>([
    ['without a seal', ({ seal: _seal, ...rest }) => rest],
    ['with another plan', (it) => ({ ...it, plan: { ...it.plan, request: { verb: 'delete' } } })],
    ['with another digest', (it) => ({ ...it, digest: 'f'.repeat(64) })],
    ['of another cluster', (it) => ({ ...it, workload: { ...it.workload, cluster: 'other' } })],
    [
      'with another target',
      (it) => ({ ...it, plan: { ...it.plan, target: { ...it.plan.target, uid: 'u9' } } }),
    ],
    ['with other reviewers', (it) => ({ ...it, reviewers: ['U0LEE'] })],
    ['that expires later', (it) => ({ ...it, expiresAt: '2099-01-01T00:00:00.000Z' })],
    [
      'signed, with a plan that its kind does not make',
      (it) => {
        const plan = { ...it.plan, target: { ...it.plan.target, name: 'web' } };
        return testAuthority.seal({ ...it, plan });
      },
    ],
  ])('sends nothing for a record %s', async (_, forge) => {
    const review = await opened(stage);
    await put(stage, forge(await storedBy(stage, review)));
    await stage.tryPlan(jobFor(review));

    expect(stage.world.tried).toEqual([]);
    expect(await stage.awaitDryRun(review, 'U0DANA')).toMatchObject({
      type: 'refused',
      because: { key: 'approval-distrusted' },
    });
  });

  it('sends nothing for an unknown request, an expired record or a missing record', async () => {
    const review = await opened(stage);
    await stage.tryPlan(jobFor(review, 2));
    await stage.tryPlan({ ...jobFor(review), approvalId: 'f'.repeat(32) });
    stage.world.now += 900_000;
    await stage.tryPlan(jobFor(review));

    expect(stage.world.tried).toEqual([]);
  });

  it('sends nothing when no reviewer may review any more', async () => {
    const review = await opened(stage);
    stage.world.groups.set('U0DANA', []);
    await stage.tryPlan(jobFor(review));

    expect(stage.world.tried).toEqual([]);
    expect(await stage.awaitDryRun(review, 'U0DANA')).toMatchObject({
      dryRun: { type: 'refused', because: { key: 'not-authorised' } },
    });
  });

  it('sends the dry run while one of several reviewers may review', async () => {
    const review = await opened(stage);
    await opened(stage, 'U0MIN', review.incident.id);
    stage.world.groups.set('U0DANA', []);
    await stage.tryPlan(jobFor(review));

    expect(stage.world.tried).toHaveLength(1);
  });

  it('tries again while Slack does not answer, and reports unknown reviewers when it stops', async () => {
    const review = await opened(stage);
    stage.world.slackDown = true;
    await expect(stage.tryPlan(jobFor(review))).rejects.toMatchObject({ retryable: true });
    await stage.failTry(jobFor(review), 'job-1', 'slack-unavailable');

    expect(stage.world.tried).toEqual([]);
    expect((await storedBy(stage, review)).dryRun).toMatchObject({
      type: 'unknown',
      because: { key: 'reviewers-unknown' },
    });
  });

  it('reports an internal failure, and overwrites no answer', async () => {
    const review = await opened(stage);
    await stage.failTry(jobFor(review), 'job-1', 'job-stalled');
    const answered = await storedBy(stage, review);
    expect(answered.dryRun).toMatchObject({ type: 'unknown', because: { key: 'failed-inside' } });

    await stage.failTry(jobFor(review), 'job-2', 'job-stalled');
    expect(await storedBy(stage, review)).toEqual(answered);
  });

  it('removes secrets from a refusal', async () => {
    const review = await opened(stage);
    stage.world.dryRun = { ...refusedByWebhook, message: 'denied: password=hunter2-hunter2' };
    await stage.tryPlan(jobFor(review));

    expect(JSON.stringify(await storedBy(stage, review))).not.toContain('hunter2');
  });
});

describe('a person who waits for the dry run', () => {
  it('is informed at the time limit that no answer came, and gets it from the next review', async () => {
    const review = await opened(stage);
    const shown = await stage.awaitDryRun(review, 'U0DANA');
    expect(shown).toMatchObject({ type: 'review', dryRun: { type: 'unanswered', seconds: 1 } });

    await stage.tryPlan(jobFor(review));
    expect((await opened(stage, 'U0DANA', review.incident.id)).dryRun).toMatchObject({ type: 'accepted' });
  });

  it('is informed at the time limit that no answer came when Redis does not answer', async () => {
    const review = await opened(stage);
    const away = async () => {
      throw new DoctorError({ code: 'redis-unavailable', message: 'Redis is away', retryable: true });
    };
    for (const get of [away, () => new Promise<never>(() => undefined)]) {
      const wait = createAwaitDryRun({ ...stage, approvals: { get } });
      expect(await wait(review, 'U0DANA')).toMatchObject({ dryRun: { type: 'unanswered' } });
    }
  });

  it('is informed that the approval was closed in between', async () => {
    const review = await opened(stage);
    const { id } = review.approval;
    await stage.decide({ approvalId: id, by: 'U0MIN', decision: 'reject', reason: 'no' });

    expect(await stage.awaitDryRun(review, 'U0DANA')).toMatchObject({
      because: { key: 'already-decided', values: { by: 'U0MIN', state: 'rejected' } },
    });
  });

  it('can review again after a refusal, which starts another dry run', async () => {
    const first = await opened(stage);
    stage.world.dryRun = refusedByWebhook;
    await stage.tryPlan(jobFor(first));
    expect(await approve(stage, first)).toMatchObject({ because: { key: 'dry-run-missing' } });

    const again = await opened(stage, 'U0DANA', first.incident.id);
    expect(again).toMatchObject({ approval: { id: first.approval.id }, dryRun: { type: 'asked', ask: 2 } });
    stage.world.dryRun = { type: 'accepted', generation: 3, mutated: [] };
    await stage.tryPlan(jobFor(first));
    expect(stage.world.tried).toHaveLength(1);
    await stage.tryPlan(jobFor(again, 2));
    expect(await stage.awaitDryRun(again, 'U0DANA')).toMatchObject({ dryRun: { type: 'accepted', ask: 2 } });
    expect(await approve(stage, again)).toMatchObject({ type: 'approved' });
  });
});

describe('the approval of a reviewed fix', () => {
  const answer = { ask: 1, at: '2026-11-20T09:30:12.000Z', digest: '' };
  const because = { catalogue: 'notices', key: 'failed-inside', values: { reference: 'r' } };

  it.each<readonly [string, (digest: string) => DryRun | undefined]>([
    ['no dry run, as older versions stored it', () => undefined],
    ['a refused dry run', (digest) => ({ type: 'refused', ...answer, digest, because })],
    ['an unanswered dry run', (digest) => ({ type: 'unknown', ...answer, digest, because })],
    [
      'an accepted dry run of another plan',
      () => ({ type: 'accepted', ...answer, digest: 'e'.repeat(64), mutated: [] }),
    ],
  ])('is refused with a reason for a signed record with %s', async (_, dryRunOf) => {
    const review = await opened(stage);
    const { reviewers: _reviewers, ...stored } = await storedBy(stage, review);
    const dryRun = dryRunOf(stored.digest);
    await put(stage, testAuthority.seal({ ...stored, ...(dryRun === undefined ? {} : { dryRun }) }));

    expect(await approve(stage, review)).toMatchObject({
      type: 'refused',
      because: { key: 'dry-run-missing', values: { workload: 'ml/inference' } },
    });
    expect(stage.jobsOf('remediation')).toEqual([]);

    // An app without this check may have approved it, so the worker checks it too.
    const by = { by: 'U0DANA', at: stored.createdAt, decision: 'approve', reason: '' } as const;
    const approved = { ...stored, state: 'approved', decisions: [by], version: stored.version + 5 } as const;
    await put(stage, testAuthority.seal({ ...approved, ...(dryRun === undefined ? {} : { dryRun }) }));
    const { incidentId, id: approvalId } = stored;
    await stage.apply({ v: 1, incidentId, approvalId }, { lastAttempt: false });
    expect(stage.world.sent).toEqual([]);
    expect((await stage.incidents.get(incidentId))?.change?.failure?.key).toBe('dry-run-missing');
  });

  it('is refused when somebody wrote the dry run into Redis', async () => {
    const review = await opened(stage);
    const stored = await storedBy(stage, review);
    await put(stage, {
      ...stored,
      dryRun: { type: 'accepted', ...answer, digest: stored.digest, mutated: [] },
    });

    expect(await approve(stage, review)).toMatchObject({ because: { key: 'approval-distrusted' } });
    expect(await stage.awaitDryRun(review, 'U0DANA')).toMatchObject({
      because: { key: 'approval-distrusted' },
    });
  });

  it('needs no dry run when it is a rejection', async () => {
    const { approval } = await opened(stage);
    const wish = { approvalId: approval.id, by: 'U0MIN', decision: 'reject', reason: 'no' } as const;

    expect((await stage.decide(wish)).type).toBe('rejected');
  });
});
