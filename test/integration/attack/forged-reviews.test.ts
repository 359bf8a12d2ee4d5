import { beforeEach, describe, expect, it } from 'vitest';
import { createBullMqJobQueue } from '#src/edges/redis/bullmq-job-queue.js';
import { createRedisClock } from '#src/edges/redis/connection.js';
import { createRedisClusterAnswers } from '#src/edges/redis/redis-clusters.js';
import { clusterKeysOf, createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { codeOf } from '#src/engine/language/statement.js';
import { createAskCluster } from '#src/service/clusters/ask-cluster.js';
import { createCarryOutReview, createRemoteReviews } from '#src/service/clusters/remote-reviews.js';
import type { ReviewJob } from '#src/service/jobs/cluster-questions.js';
import { buildKey } from '../../support/authority.js';
import { withRedis } from '../../support/open-redis.js';
import { buildApproval, buildIncident } from '../../support/records.js';
import { openSights } from '../../support/sights.js';

const master = [buildKey('main')];
const signerOf = (cluster: string) => createHmacSigner(clusterKeysOf(master, cluster));
const workload = { cluster: 'prod-eu', kind: 'Deployment', namespace: 'ml', name: 'inference' } as const;
const incident = buildIncident({ workload });
const approval = buildApproval({ id: 'a1', incidentId: incident.id, workload });
const approve = { approvalId: 'a1', by: 'U0DANA', decision: 'approve', reason: 'stuck' } as const;

let prefix: string;
let tests = 0;
const db = withRedis();
beforeEach(() => {
  tests += 1;
  prefix = `forged-reviews-${process.pid}-${Date.now().toString(36)}-${tests}`;
});

/**
 * The app and a worker of `prod-eu`, with what passes between them in the hands of somebody who can write to
 * Redis.
 */
function between(tamper: {
  readonly job?: (job: ReviewJob) => ReviewJob;
  readonly answer?: (text: string) => string;
}) {
  const sharedClock = createRedisClock(db.redis, prefix);
  const answers = createRedisClusterAnswers({ redis: db.redis, prefix });
  const decided: unknown[] = [];
  const worker = createCarryOutReview({
    ...{ answers, sharedClock, cluster: 'prod-eu', signer: signerOf('prod-eu') },
    async decideApproval(request) {
      decided.push(request);
      return { type: 'rejected', approval };
    },
    reviewRemediation: async () => ({ type: 'refused', because: { catalogue: 'x', key: 'y', values: {} } }),
  });
  const carried: Promise<unknown>[] = [];
  const ask = createAskCluster({
    ...{ sharedClock, newId: () => 'q1' },
    answers: {
      async take(id) {
        const taken = await answers.take(id);
        return taken && { ...taken, text: (tamper.answer ?? ((text) => text))(taken.text) };
      },
    },
    jobs: {
      async enqueue(_queue, job) {
        const sent = (tamper.job ?? ((each) => each))(job as ReviewJob);
        carried.push(worker.carryOut(sent).catch((error: unknown) => error));
      },
    },
  });
  const app = createRemoteReviews({
    ...{ ask, signerOf, withinMs: 600, sights: openSights() },
    approvals: { get: async () => approval },
    incidents: { get: async () => incident },
    roll: { clusters: ['prod-eu'], isServed: () => true, workersOf: () => [] },
  });
  return { app, decided, carried, worker };
}

describe('reviews and decisions that pass through Redis', () => {
  it('are carried out once as the person decided', async () => {
    const { app, decided } = between({});

    expect(await app.decideApproval(approve)).toMatchObject({ type: 'rejected' });
    expect(decided).toEqual([{ kind: 'decide', ...approve }]);
  });

  it.each<[string, (job: ReviewJob) => ReviewJob]>([
    ['another person', (job) => ({ ...job, request: { kind: 'decide', ...approve, by: 'U0MALLORY' } })],
    ['another approval', (job) => ({ ...job, request: { kind: 'decide', ...approve, approvalId: 'a2' } })],
    [
      'another kind of request',
      (job) => ({ ...job, request: { kind: 'review', incidentId: 'i', remediationId: 'r', by: 'U0DANA' } }),
    ],
    ['a later deadline', (job) => ({ ...job, until: '2100-01-01T00:00:00Z' })],
    ['another question', (job) => ({ ...job, questionId: 'q2' })],
    ['another cluster', (job) => ({ ...job, cluster: 'prod-us' })],
    ['no valid seal', (job) => ({ ...job, seal: { ...job.seal, mac: 'AAAA' } })],
    [
      'the seal of another cluster',
      (job) => ({ ...job, seal: signerOf('prod-us').sign(JSON.stringify(job)) }),
    ],
  ])('decide nothing with %s than the app signed', async (_, job) => {
    const { app, decided, carried } = between({ job });

    const outcome = await app.decideApproval(approve);
    expect(decided).toEqual([]);
    expect(outcome.type === 'refused' && codeOf(outcome.because)).toBe('worker-did-not-answer');
    expect(await Promise.all(carried)).toEqual([expect.objectContaining({ code: 'job-malformed' })]);
  });

  it('decide nothing after nobody waits for the answer any more', async () => {
    const late: ReviewJob[] = [];
    const { app, decided, worker } = between({
      job: (job) => {
        late.push(job);
        return { ...job, cluster: 'lost' };
      },
    });
    await app.decideApproval(approve);
    await worker.carryOut(late[0] as ReviewJob);

    expect(decided).toEqual([]);
  });

  it('show no answer that the worker of the cluster did not give', async () => {
    const { app } = between({ answer: (text) => text.replace('rejected', 'approved') });

    const outcome = await app.decideApproval(approve);
    expect(outcome.type === 'refused' && codeOf(outcome.because)).toBe('worker-answer-distrusted');
  });
});

describe('the queues of clusters', () => {
  it('hold the jobs of each cluster apart, and drop a job whose record is gone', async () => {
    const jobs = createBullMqJobQueue({
      ...{ redis: db.redis, prefix, onError: () => undefined },
      placeOf: async (_queue, job) =>
        'incidentId' in job && job.incidentId === 'gone' ? undefined : { cluster: 'prod-eu' },
    });
    await jobs.enqueue('diagnosis', { v: 1, incidentId: 'i1', look: 1 });
    await jobs.enqueue('diagnosis', { v: 1, incidentId: 'gone', look: 1 });

    expect(await jobs.queueAt('diagnosis', { cluster: 'prod-eu' }).getWaitingCount()).toBe(1);
    expect(await jobs.queueAt('diagnosis', 'anywhere').getWaitingCount()).toBe(0);
    await jobs.close();
  });
});
