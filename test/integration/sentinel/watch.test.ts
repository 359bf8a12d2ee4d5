import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { withRedis } from '../../support/open-redis.js';
import { type Keeper, type SentinelRig, startSentinelRig } from './rig.js';

let rig: SentinelRig;

const redis = withRedis();
beforeEach(async () => {
  rig = await startSentinelRig(redis.url);
});
afterEach(() => rig.stop());

const owners = (): readonly string[] =>
  [...rig.jobs.values()]
    .map(({ owner, reason }) => `${owner.namespace}/${owner.name.replace(/-[^-]*$/, '')} ${reason}`)
    .sort();
const untilQueued = (...wanted: readonly string[]): Promise<void> =>
  eventually(`${wanted.join(', ')} to be queued`, () => JSON.stringify(owners()) === JSON.stringify(wanted));

/** Starts a keeper and waits until its watches report events. */
async function watching(): Promise<Keeper> {
  const keeper = await rig.keeper();
  rig.deploy('probe', '4', 'team');
  await untilQueued('team/probe FailedScheduling');
  return keeper;
}

describe('the watch for candidates', () => {
  it('queues a rollout that waits for its own old pod, with the time of the first refusal', async () => {
    await watching();
    rig.deploy('web', '600m');
    await rig.update('web', '600m');
    await untilQueued('shop/web FailedScheduling', 'team/probe FailedScheduling');

    const [job] = [...rig.jobs.values()].filter(({ owner }) => owner.namespace === 'shop');
    const pod = rig.cluster
      .list('v1', 'Pod', 'shop')
      .find(({ status }) => JSON.stringify(status).includes('Unschedulable'));
    expect(JSON.stringify(pod?.status)).toContain(`"lastTransitionTime":"${job?.since}"`);
    const stoodMs = rig.cluster.clock.now() - Date.parse(job?.since ?? '');
    expect(Date.parse(job?.dueAt ?? '') - rig.cluster.clock.now()).toBe(Math.max(0, 30_000 - stoodMs));
  });

  it('queues a pod that a quota rejects', async () => {
    await watching();
    rig.quota('small', '500m');
    rig.deploy('web', '400m');
    await rig.update('web', '400m');

    await untilQueued('shop/web FailedCreate', 'team/probe FailedScheduling');
  });

  it('queues nothing for a rollout that completes', async () => {
    await watching();
    rig.deploy('web', '100m');
    await rig.update('web', '100m');
    rig.advance(60);
    rig.deploy('last', '4');

    await untilQueued('shop/last FailedScheduling', 'team/probe FailedScheduling');
  });

  it('queues pods that were pending before the watch started', async () => {
    rig.deploy('web', '4');
    await rig.keeper();

    await untilQueued('shop/web FailedScheduling');
  });
});

describe('an interrupted watch', () => {
  it.each<[string, boolean]>([
    ['continues after the last event', false],
    ['lists again when its version has expired (410)', true],
  ])('%s, and loses no event', async (_, isCompacted) => {
    const keeper = await watching();
    await rig.cluster.refuse();
    rig.deploy('web', '4');
    if (isCompacted) rig.cluster.registry.store.compact();
    await rig.cluster.accept();

    await untilQueued('shop/web FailedScheduling', 'team/probe FailedScheduling');
    const troubles = keeper.news.map((one) => ('because' in one ? one.because : one.type));
    expect(troubles.includes('expired')).toBe(isCompacted);
  });

  it('of events only does not stop the watch of pods', async () => {
    const bound = await startSentinelRig(redis.url, {
      rules: [{ verbs: ['list', 'watch'], apiGroups: [''], resources: ['pods'] }],
    });
    try {
      const keeper = await bound.keeper();
      bound.deploy('web', '4');
      await eventually('the pod to be queued', () => bound.jobs.size === 1);
      await eventually('the refusal to be reported', () =>
        keeper.news.some((one) => one.type === 'trouble' && one.because === 'forbidden'),
      );
    } finally {
      await bound.stop();
    }
  });
});

describe('a sentinel of one namespace', () => {
  it('watches only that namespace', async () => {
    const bound = await startSentinelRig(redis.url, { namespaces: ['shop'] });
    try {
      await bound.keeper();
      bound.deploy('other', '4', 'team');
      bound.deploy('web', '4', 'shop');
      await eventually('the pod to be queued', () => bound.jobs.size > 0);
      expect([...bound.jobs.values()].map(({ owner }) => owner.namespace)).toEqual(['shop']);
    } finally {
      await bound.stop();
    }
  });
});

describe('a leader of the sentinel', () => {
  it('that disconnects is replaced by another process, which queues the same jobs and the later ones', async () => {
    const first = await watching();
    rig.deploy('web', '4');
    await untilQueued('shop/web FailedScheduling', 'team/probe FailedScheduling');
    const second = await rig.keeper();
    expect([first.leads(), second.leads(), second.queued.length]).toEqual([true, false, 0]);

    first.cutOff();
    rig.deploy('later', '4');
    await eventually('the second to lead', () => second.leads());
    const all = ['shop/later FailedScheduling', 'shop/web FailedScheduling', 'team/probe FailedScheduling'];
    await untilQueued(...all);
    await eventually('the second to have queued all jobs', () => second.queued.length === all.length);
    expect(rig.jobs.size).toBe(all.length);
  });

  it('that stops releases its lease at once', async () => {
    const first = await watching();
    const second = await rig.keeper();
    await first.stop();
    await eventually('the second to lead', () => second.leads());
    rig.deploy('web', '4');

    await untilQueued('shop/web FailedScheduling', 'team/probe FailedScheduling');
    expect(first.news.map(({ type }) => type)).toEqual(['leads', 'hands-over']);
  });

  it('queues its jobs when the queue is available again', async () => {
    const keeper = await watching();
    rig.state.isQueueAway = true;
    rig.deploy('web', '4');
    await eventually('the unavailable queue to be reported', () =>
      keeper.news.some(({ type }) => type === 'queue-away'),
    );
    rig.state.isQueueAway = false;

    await untilQueued('shop/web FailedScheduling', 'team/probe FailedScheduling');
    await eventually('the available queue to be reported', () =>
      keeper.news.some(({ type }) => type === 'queue-back'),
    );
  });
});
