import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Part } from '../../../demo/stack.js';
import { usualCases } from '../../support/at-night.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf, submittable } from '../../support/killed-at-random.js';

const workerOf = ({ workers: [first] }: Rig) => {
  if (first === undefined) throw new Error('no worker');
  return first;
};

async function deadlocked(rig: Rig) {
  await rig.ask(`deploy/inference -n ${rig.namespace}`);
  return rig.untilDeadlock();
}

const ofTheChange = { verbs: ['patch'], resources: ['deployments'], dryRun: false };
const countOf = (at: Rig, asked: string, of: string) =>
  at.cluster.requests.filter(
    ({ verb, resource, namespace }) => verb === asked && resource === of && namespace === at.namespace,
  ).length;

/** Jobs of one worker, each in a namespace of its own, so that one kill is an attempt of each. */
describe('a job whose worker is killed repeatedly', () => {
  let rig: Rig;
  let diagnosed: Rig;
  let changed: Rig;
  let unsent: Rig;
  /** What the diagnosis had read at the second kill. */
  let read = 0;

  beforeAll(async () => {
    // What hangs goes on to hang until the worker is killed.
    rig = await startRig({ env: { READ_TIMEOUT_SECONDS: '60' } });
    const { faults } = rig.cluster;
    const worker = workerOf(rig);
    [diagnosed, changed, unsent] = [
      await rig.also('diagnosed'),
      await rig.also('changed'),
      await rig.also('unsent'),
    ];
    const cards = [await deadlocked(changed), await deadlocked(unsent)] as const;
    const of = ({ namespace }: Rig) => ({ ...ofTheChange, namespace });
    const answer = faults.add({ match: of(changed), effect: { type: 'withhold-answer' } });
    faults.add({ match: of(unsent), effect: { type: 'hang' } });
    const lists = { verbs: ['list'], resources: ['replicasets'], namespace: diagnosed.namespace };
    faults.add({ match: lists, effect: { type: 'hang' } });
    await changed.approve('dana', cards[0]);
    await unsent.approve('dana', cards[1]);
    await rig.ask(`deploy/inference -n ${diagnosed.namespace}`);

    const reached = () => [
      countOf(diagnosed, 'list', 'replicasets'),
      countOf(changed, 'get', 'deployments'),
      unsent.changes().length,
    ];
    await eventually('the object is changed', () => isChanged(changed));
    await eventually('the other jobs are under way', () => reached().every((count) => count > 0));
    await worker.kill();

    const reads = { verbs: ['get'], resources: ['deployments'], namespace: changed.namespace };
    const search = faults.add({ match: reads, effect: { type: 'hang' } });
    const first = reached();
    await worker.start();
    await eventually('each job has reached the cluster again', () =>
      reached().every((count, at) => count > (first[at] ?? 0)),
    );
    await worker.kill();

    answer();
    search();
    const [lastRead = 0, , lastSent = 0] = reached();
    read = lastRead;
    await worker.start();
    await eventually('the change is on its way once more', () => unsent.changes().length > lastSent);
    await worker.kill();
    expect(isChanged(unsent)).toBe(false);
    expect(countOf(diagnosed, 'list', 'replicasets')).toBe(read);
    faults.clear();
    await worker.start();
  }, 600_000);

  afterAll(() => rig?.stop());

  it('fails on the card after the second time, if it is a diagnosis', async () => {
    await diagnosed.untilCard('its worker ended unexpectedly more than once');
    expect(countOf(diagnosed, 'list', 'replicasets')).toBe(read);
    expect(diagnosed.cards()).toHaveLength(1);

    await deadlocked(diagnosed);
  });

  it('finds the mark of the change that was made, and does not patch again', async () => {
    await changed.untilRecovered();
    expect(changed.changes()).toHaveLength(1);
  });

  it('makes the approved change once, if no killed worker made it', async () => {
    await unsent.untilRecovered();
    const events = rig.cluster
      .list('v1', 'Event', unsent.namespace)
      .filter(({ reason }) => reason === 'RemediationApplied');
    expect(events).toHaveLength(1);
  });
});

describe.concurrent('an approved change', () => {
  it('is reported as unknown, if the cluster does not answer the last attempt', async ({
    onTestFinished,
  }) => {
    // The last attempt waits so long. A first diagnosis ends before, also on a busy machine.
    const rig = await startRig({ env: { READ_TIMEOUT_SECONDS: '10' } });
    onTestFinished(() => rig.stop());
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card);
    for (const attempt of [1, 2]) {
      await eventually(`attempt ${attempt} is under way`, () => rig.changes().length >= attempt);
      await workerOf(rig).kill();
      await workerOf(rig).start();
    }

    await rig.untilCard('It is unknown whether');
    expect(rig.changes()).toHaveLength(3);
    expect(isChanged(rig)).toBe(false);
  });
});

/** How a worker loses the lock of its job, and how it comes back. */
const lost: readonly {
  readonly how: string;
  readonly lose: (worker: Part, rig: Rig) => void | Promise<void>;
  readonly back: (worker: Part) => void;
}[] = [
  {
    how: 'is frozen',
    lose: (worker) => worker.signal('SIGSTOP'),
    back: (worker) => worker.signal('SIGCONT'),
  },
  {
    how: 'goes on without the lock of its job',
    async lose(_worker, { redis, prefix }) {
      const admin = new Redis(redis.url);
      const locks = (await admin.keys(`${prefix}-jobs:remediation:*:lock`)) ?? [];
      expect(locks).not.toEqual([]);
      await admin.del(...locks);
      admin.disconnect();
    },
    back: () => undefined,
  },
];

const moments = [
  { when: 'between the dry run and the change', dryRun: true },
  { when: 'while the API server makes the change', dryRun: false },
];
/** In the usual run each way to lose the lock at one moment. */
const losses = usualCases(
  lost.flatMap((each) => moments.map((moment) => ({ ...each, ...moment }))),
  ({ how, dryRun }) => (how === 'is frozen') !== dryRun,
);

describe.concurrent('a worker', () => {
  it.for(losses)(
    'that $how $when makes no second change, when another one takes the job up',
    async ({ lose, back, dryRun }, { onTestFinished }) => {
      const rig = await startRig({
        workers: 0,
        furtherWorkers: [
          { WORKERS: 'alert,diagnosis,verification,delivery' },
          ...[1, 2].map(() => ({ WORKERS: 'remediation' })),
        ],
        env: { READ_TIMEOUT_SECONDS: '100' },
      });
      onTestFinished(() => rig.stop());
      const [, first, second] = rig.workers;
      if (first === undefined || second === undefined) throw new Error('two workers');
      await second.stop();
      const card = await deadlocked(rig);
      const view = await rig.review('dana', card);
      const before = effectsOf(rig);
      const sent = () =>
        rig.cluster.requests.filter(
          ({ verb, resource, query }) =>
            verb === 'patch' && resource === 'deployments' && query.includes('dryRun') === dryRun,
        ).length;
      const already = sent();
      // Longer than the lock of a job lasts and another worker needs to find that it is gone.
      rig.cluster.faults.add({
        match: { ...ofTheChange, dryRun },
        effect: { type: 'delay', ms: 45_000 },
        times: 1,
      });
      await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
      await eventually('the request is on its way', () => sent() > already);
      await lose(first, rig);
      await second.start();
      await rig.untilRecovered();
      back(first);

      // What the first worker still does ends before its next job.
      await second.stop();
      await rig.slack.as('dana').clicks(rig.slack.message(card) ?? card, 'Undo');
      await rig.slack.until(() => submittable(rig, 'dana'), { what: 'a dry run of the first worker' });
      const after = effectsOf(rig);
      expect([after.events, after.generation - before.generation]).toEqual([1, 1]);
      expect(rig.cards()).toHaveLength(1);
      expect(rig.says(rig.slack.message(card) ?? card)).toContain('recovered');
      const thread = rig.slack.thread(card).map(({ text }) => text);
      expect(new Set(thread).size).toBe(thread.length);
    },
  );
});
