import { describe, expect, it } from 'vitest';
import { fullSight, type Sight } from '#src/doctor/policy/view.js';
import {
  answerKeysOf,
  clusterAnswerKeysOf,
  clusterKeysOf,
  createHmacSigner,
} from '#src/edges/signing/cluster-keys.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { type ClusterAnswer, createAskCluster } from '#src/service/clusters/ask-cluster.js';
import { createAnswerQuestion, createRemoteNames } from '#src/service/clusters/name-answers.js';
import type { QuestionJob } from '#src/service/jobs/cluster-questions.js';
import { buildKey } from '../../support/authority.js';

const approvalKeys = [buildKey('main')];
const signerOf = (cluster: string) =>
  createHmacSigner(clusterAnswerKeysOf(answerKeysOf(approvalKeys), cluster));
const workload: WorkloadRef = { cluster: 'prod-eu', kind: 'Deployment', namespace: 'shop', name: 'api' };
const shopOnly: Sight = { allOf: [[{ clusters: ['prod-eu'], namespaces: ['shop'], logs: false }]] };
const { signal } = new AbortController();

/**
 * The app and a diagnosis worker of `prod-eu`, with what passes between them in the hands of somebody who can
 * write to Redis.
 */
function between(tamper: {
  readonly job?: (job: QuestionJob) => QuestionJob;
  readonly answer?: (answer: ClusterAnswer, questionId: string) => ClusterAnswer;
}) {
  const sharedClock = { now: async () => new Date() };
  const stored = new Map<string, ClusterAnswer>();
  const answers = {
    async put(id: string, given: ClusterAnswer) {
      stored.set(id, given);
    },
  };
  const sights: Sight[] = [];
  const answer = createAnswerQuestion({
    ...{ answers, sharedClock, cluster: 'prod-eu', signer: signerOf('prod-eu') },
    deadline: () => AbortSignal.timeout(5_000),
    names: {
      cluster: 'prod-eu',
      async find(_query, sight) {
        sights.push(sight);
        return { type: 'found', workloads: [workload] };
      },
      named: async () => ({ type: 'located', workloads: [workload], others: [] }),
      ownerOf: async () => ({ type: 'located', workloads: [workload], others: [] }),
      suffering: async () => ({ type: 'located', workloads: [workload], others: [] }),
    },
  });
  const carried: Promise<unknown>[] = [];
  let questions = 0;
  const ask = createAskCluster({
    sharedClock,
    newId() {
      questions += 1;
      return `q${questions}`;
    },
    answers: {
      async take(id) {
        const taken = stored.get(id);
        stored.delete(id);
        return taken && (tamper.answer ?? ((given) => given))(taken, id);
      },
    },
    jobs: {
      async enqueue(_queue, job) {
        const sent = (tamper.job ?? ((each) => each))(job as QuestionJob);
        carried.push(answer(sent).catch((error: unknown) => error));
      },
    },
  });
  const app = createRemoteNames('prod-eu', {
    // Nobody answers a question that was changed.
    ...{ ask, signerOf, withinMs: tamper.job === undefined ? 10_000 : 500 },
    roll: { clusters: ['prod-eu'], isServed: () => true, workersOf: () => [] },
  });
  return { app, sights, carried, answer };
}

describe('questions about names that pass through Redis', () => {
  it('are answered by the worker of the cluster, whatever is asked', async () => {
    const { app, sights } = between({});

    expect(await app.find({ name: 'api' }, shopOnly, signal)).toEqual({
      type: 'found',
      workloads: [workload],
    });
    expect(sights).toEqual([shopOnly]);
    const located = { type: 'located', workloads: [workload], others: [] };
    expect(await app.named({ namespace: 'shop', name: 'api' }, fullSight, signal)).toEqual(located);
    expect(await app.ownerOf({ namespace: 'shop', name: 'api-1' }, fullSight, signal)).toEqual(located);
    expect(await app.suffering({ node: 'n-1' }, fullSight, signal)).toEqual(located);
    expect(await app.suffering({ namespace: 'shop' }, fullSight, signal)).toEqual(located);
  });

  it.each<[string, (job: QuestionJob) => QuestionJob]>([
    ['a wider sight', (job) => ({ ...job, question: { ...job.question, sight: fullSight } })],
    [
      'another name',
      (job) => ({ ...job, question: { kind: 'find', query: { name: 'web' }, sight: shopOnly } }),
    ],
    [
      'another kind of question',
      (job) => ({ ...job, question: { kind: 'suffering', place: { node: 'n-1' }, sight: shopOnly } }),
    ],
    ['a later deadline', (job) => ({ ...job, until: '2100-01-01T00:00:00Z' })],
    ['another place of the answer', (job) => ({ ...job, questionId: 'q2' })],
    ['another cluster', (job) => ({ ...job, cluster: 'prod-us' })],
    ['an altered seal', (job) => ({ ...job, seal: { ...job.seal, mac: 'AAAA' } })],
    [
      'the seal of another cluster',
      (job) => ({ ...job, seal: signerOf('prod-us').sign(JSON.stringify(job)) }),
    ],
  ])('get no answer with %s than the app signed', async (_, job) => {
    const { app, sights, carried } = between({ job });

    expect(await app.find({ name: 'api' }, shopOnly, signal)).toMatchObject({ type: 'unreadable' });
    expect(sights).toEqual([]);
    expect(await Promise.all(carried)).toEqual([expect.objectContaining({ code: 'job-malformed' })]);
  });

  it('cause no read after nobody waits for the answer any more', async () => {
    const late: QuestionJob[] = [];
    const { app, sights, answer } = between({
      job: (job) => {
        late.push(job);
        return { ...job, cluster: 'lost' };
      },
    });
    await app.find({ name: 'api' }, shopOnly, signal);
    await answer(late[0] as QuestionJob);

    expect(sights).toEqual([]);
  });
});

const lie = JSON.stringify({ type: 'found', workloads: [{ ...workload, kind: 'StatefulSet' }] });
const hidden = JSON.stringify({ type: 'not-found', what: 'workload', name: 'api', nearest: [] });

describe('an answer about names that the worker of the cluster did not give', () => {
  it.each<[string, (answer: ClusterAnswer, questionId: string) => ClusterAnswer]>([
    ['is not signed', () => ({ text: lie })],
    ['hides the workload under the seal of the true answer', ({ seal }) => ({ text: hidden, seal })],
    ['suggests another one under the seal of the true answer', ({ seal }) => ({ text: lie, seal })],
    ['is signed by another cluster', ({ text }) => ({ text, seal: signerOf('prod-us').sign(text) })],
    [
      'is signed with the keys of approvals',
      ({ text }) => ({ text, seal: createHmacSigner(clusterKeysOf(approvalKeys, 'prod-eu')).sign(text) }),
    ],
  ])('counts for nothing when it %s', async (_, answer) => {
    const { app } = between({ answer });

    expect(await app.find({ name: 'api' }, fullSight, signal)).toMatchObject({
      type: 'unreadable',
      because: 'distrusted',
    });
    expect(await app.named({ name: 'api' }, fullSight, signal)).toMatchObject({ because: 'distrusted' });
  });

  it('counts for nothing when it answered an earlier question', async () => {
    const given: ClusterAnswer[] = [];
    const { app } = between({
      answer(answer) {
        given.push(answer);
        return given[0] as ClusterAnswer;
      },
    });

    expect(await app.find({ name: 'api' }, fullSight, signal)).toMatchObject({ type: 'found' });
    expect(await app.find({ name: 'api' }, fullSight, signal)).toMatchObject({ because: 'distrusted' });
  });
});

describe('the keys of answers', () => {
  const secretsOf = (keys: readonly { readonly secret: Uint8Array }[]) =>
    keys.map(({ secret }) => Buffer.from(secret).toString('base64'));

  it('are of one cluster, and are no keys of approvals', () => {
    const master = answerKeysOf(approvalKeys);
    const all = [
      ...secretsOf(approvalKeys),
      ...secretsOf(master),
      ...['prod-eu', 'prod-us'].flatMap((each) => [
        ...secretsOf(clusterKeysOf(approvalKeys, each)),
        ...secretsOf(clusterKeysOf(master, each)),
        ...secretsOf(clusterAnswerKeysOf(master, each)),
        ...secretsOf(clusterAnswerKeysOf(approvalKeys, each)),
      ]),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
