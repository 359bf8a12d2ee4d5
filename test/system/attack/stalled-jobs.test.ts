import { Redis } from 'ioredis';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Part } from '../../../demo/stack.js';
import { usualCases } from '../../support/at-night.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf, submittable } from '../../support/killed-at-random.js';

async function started({ onTestFinished }: TestContext, env: Record<string, string> = {}): Promise<Rig> {
  const rig = await startRig({ env });
  onTestFinished(() => rig.stop());
  return rig;
}

const workerOf = ({ workers: [first] }: Rig) => {
  if (first === undefined) throw new Error('no worker');
  return first;
};

async function deadlocked(rig: Rig) {
  await rig.ask('deploy/inference -n shop');
  return rig.untilDeadlock();
}

/** Kills the worker each time its job reaches the cluster again; starts it after each but the last. */
async function killTimes(rig: Rig, times: number, requests: () => number): Promise<void> {
  for (let killed = 1; killed <= times; killed += 1) {
    const before = killed === 1 ? 0 : requests();
    if (killed > 1) await workerOf(rig).start();
    await eventually(`attempt ${killed} is under way`, () => requests() > before);
    await workerOf(rig).kill();
  }
}

const ofTheChange = { verbs: ['patch'], resources: ['deployments'], dryRun: false };
const nodeLists = (rig: Rig) =>
  rig.cluster.requests.filter(({ verb, resource }) => verb === 'list' && resource === 'nodes').length;

describe.concurrent('a job whose worker is killed repeatedly', () => {
  it('fails on the card after the second time, if it is a diagnosis', async (context) => {
    const rig = await started(context);
    rig.cluster.faults.add({ match: { verbs: ['list'], resources: ['nodes'] }, effect: { type: 'hang' } });
    await rig.ask('deploy/inference -n shop');
    await killTimes(rig, 2, () => nodeLists(rig));
    const lists = nodeLists(rig);
    await workerOf(rig).start();

    await rig.untilCard('its worker ended unexpectedly more than once');
    expect(nodeLists(rig)).toBe(lists);
    expect(rig.cards()).toHaveLength(1);

    rig.cluster.faults.clear();
    await rig.ask('deploy/inference -n shop');
    await rig.untilDeadlock();
  });

  it('finds the mark of the change that was made, and does not patch again', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' } });
    const reads = () =>
      rig.cluster.requests.filter(({ verb, resource }) => verb === 'get' && resource === 'deployments')
        .length;
    await rig.approve('dana', card);
    await eventually('the object is changed', () => isChanged(rig));
    await workerOf(rig).kill();
    rig.cluster.faults.add({
      match: { verbs: ['get'], resources: ['deployments'] },
      effect: { type: 'delay', ms: 1_000 },
    });
    const before = reads();
    await workerOf(rig).start();
    await eventually('the worker searches for the mark', () => reads() > before);
    await workerOf(rig).kill();
    rig.cluster.faults.clear();
    await workerOf(rig).start();

    await rig.untilRecovered();
    expect(rig.changes()).toHaveLength(1);
  });

  it('makes the approved change once, if no killed worker made it', async (context) => {
    const rig = await started(context);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card);
    await killTimes(rig, 3, () => rig.changes().length);
    expect(isChanged(rig)).toBe(false);
    rig.cluster.faults.clear();
    await workerOf(rig).start();

    await rig.untilRecovered();
    const events = rig.cluster
      .list('v1', 'Event', 'shop')
      .filter(({ reason }) => reason === 'RemediationApplied');
    expect(events).toHaveLength(1);
  });

  it('reports that the change is unknown, if the cluster does not answer the last attempt', async (context) => {
    // The last attempt waits so long. A first diagnosis ends before, also on a busy machine.
    const rig = await started(context, { READ_TIMEOUT_SECONDS: '10' });
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'hang' } });
    await rig.approve('dana', card);
    await killTimes(rig, 2, () => rig.changes().length);
    await workerOf(rig).start();

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
