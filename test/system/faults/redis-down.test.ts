import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedisServer, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
import type { Part } from '../../../demo/stack.js';
import { approvePatiently } from '../../support/approve-patiently.js';
import { usualCases } from '../../support/at-night.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { idle } from '../../support/idle-objects.js';
import { effectsOf } from '../../support/killed-at-random.js';

describe.runIf(hasRedisServer())('an outage of Redis', () => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await startRig({ ownRedis: true });
    rig.cluster.create([idle('meanwhile')]);
  });

  afterAll(() => rig.stop());

  const parts = () => [...rig.apps, ...rig.workers];
  const statusOf = async ({ statusPort }: Part, path: string) =>
    (await fetch(`http://127.0.0.1:${statusPort}${path}`)).status;
  const ready = async (status: number) => {
    for (const part of parts()) {
      await eventually(
        `${part.name} answers ${status}`,
        async () => (await statusOf(part, '/readyz')) === status,
      );
    }
  };
  const outage = 'because Redis does not answer';

  it('at the start is reported by app and worker, which work when Redis answers', async () => {
    await Promise.all(parts().map((part) => part.stop()));
    await rig.redis.kill();
    rig.logged.length = 0;
    await Promise.all(parts().map((part) => part.start()));
    await ready(503);
    for (const part of parts()) {
      expect(await statusOf(part, '/healthz')).toBe(200);
      expect(rig.logged).toContainEqual(
        expect.objectContaining({ process: part.name, msg: 'Redis does not answer' }),
      );
    }
    expect(await rig.ask('deploy/inference -n shop')).toBe('acknowledged');
    expect(await rig.untilTold('dana', outage)).toContain('shop/inference');

    await rig.redis.start();
    await ready(200);
    expect(await rig.ask('deploy/inference -n shop')).toBe('acknowledged');
    await rig.untilDeadlock();
  });

  it('during a diagnosis delays it and loses nothing', async () => {
    rig.cluster.faults.add({
      match: { verbs: ['list'], resources: ['nodes'] },
      effect: { type: 'delay', ms: 800 },
    });
    const before = rig.cluster.requests.length;
    await rig.ask('deploy/inference -n shop', 'min-jun');
    await eventually('the diagnosis has begun', () =>
      rig.cluster.requests.slice(before).some(({ resource }) => resource === 'nodes'),
    );
    await rig.redis.kill();
    expect(await rig.ask('deploy/meanwhile -n shop')).toBe('acknowledged');
    await rig.untilTold('dana', /meanwhile.*because Redis does not answer/);
    await rig.redis.start();
    rig.cluster.faults.clear();

    const card = await rig.untilCard('asked twice');
    await rig.review('dana', card);
    expect(rig.cards()).toHaveLength(1);
  });

  it('during an approval refuses it with a reason, and it can be repeated', async () => {
    const view = rig.slack.as('dana').modal();
    if (view === undefined) throw new Error('no review');
    await rig.redis.kill();
    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
    await rig.untilModal('dana', 'could not confirm that your decision was recorded');
    expect(rig.changes()).toEqual([]);
    await rig.redis.start();
    await ready(200);
  });

  it('during a change delays its record, and there is one patch and one verdict', async () => {
    const card = await rig.untilDeadlock();
    rig.cluster.faults.add({
      match: { verbs: ['patch'], dryRun: false },
      effect: { type: 'delay', ms: 800 },
    });
    const view = await rig.review('min-jun', card);
    await rig.slack.as('min-jun').submits(view, { reason: 'deadlock' });
    await eventually('the patch is on its way', () => rig.changes().length === 1);
    await rig.redis.kill();
    await eventually('the object is changed', () => isChanged(rig));
    await rig.redis.start();

    await rig.untilRecovered();
    expect(rig.changes()).toHaveLength(1);
    expect(rig.cards()).toHaveLength(1);
  });

  it('by a full Redis is reported with its reason, and nothing is lost', async () => {
    const admin = new Redis(rig.redis.url);
    await admin.config('SET', 'maxmemory', '1');
    try {
      await ready(503);
      expect(await rig.ask('deploy/meanwhile -n shop', 'robin')).toBe('acknowledged');
      await rig.untilTold('robin', 'Redis accepts no writes (`OOM`: its memory is full)');
      expect(await rig.ask('silence shop/meanwhile 1h', 'dana')).toBe('acknowledged');
      await rig.untilTold('dana', 'Nothing was changed in the cluster');
    } finally {
      await admin.config('SET', 'maxmemory', '0');
      admin.disconnect();
    }
    await ready(200);
    expect(rig.cards()).toHaveLength(1);
  });

  it('by a hanging Redis is reported like one by a stopped Redis', async () => {
    const { pid } = rig.redis;
    if (pid === undefined) throw new Error('no Redis of our own');
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await rig.ask('deploy/meanwhile -n shop', 'sam')).toBe('acknowledged');
      await rig.untilTold('sam', outage);
      await ready(503);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await ready(200);
    await rig.ask('deploy/meanwhile -n shop', 'sam');
    await rig.untilCard('shop/meanwhile is scaled to 0');
  });

  it.for(usualCases(moments, ({ when }) => when === 'between the approval and the change'))(
    'in the middle of an approval, $when, by a full Redis leaves one change and one verdict',
    async ({ run, when }, { onTestFinished }) => {
      const at = await rig.also(`full-${moments.findIndex((each) => each.when === when)}`);
      await at.ask(`deploy/inference -n ${at.namespace}`);
      const card = await at.untilDeadlock();
      const before = effectsOf(at);
      const admin = new Redis(rig.redis.url);
      onTestFinished(() => admin.disconnect());
      await run(at, card, async () => {
        await admin.config('SET', 'maxmemory', '1');
        await untilAnswers(rig, 503);
      });
      await admin.config('SET', 'maxmemory', '0');
      await untilAnswers(rig, 200);

      await approvePatiently(at, () => at.cards().some((each) => at.says(each).includes('recovered')));
      await at.untilRecovered();
      const after = effectsOf(at);
      expect([after.events, after.generation - before.generation]).toEqual([1, 1]);
      expect(at.cards()).toHaveLength(1);
      const thread = rig.slack.thread(card).map(({ text }) => text);
      expect(new Set(thread).size).toBe(thread.length);
    },
  );
});

const ofPatches = { verbs: ['patch'], resources: ['deployments'] };

/** Steps of an approval, in the middle of which Redis fails; people then go on until the card has the verdict. */
const moments: readonly {
  readonly when: string;
  readonly run: (rig: Rig, card: Message, fail: () => Promise<void>) => Promise<void>;
  /** What people learn of a Redis that lost its data, and what they do until the change is made. */
  readonly afterLoss: (rig: Rig, card: Message) => Promise<void>;
}[] = [
  {
    when: 'between the review and its approval',
    async run(rig, card, fail) {
      const view = await rig.review('dana', card);
      await fail();
      await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
      await rig.untilModal('dana', /could not confirm that your decision|does not exist|accepts no writes/);
      expect(rig.changes()).toEqual([]);
    },
    async afterLoss(rig, card) {
      expect(lostIncidentsOf(rig)).toEqual([]);
      await rig.slack.as('dana').clicks(card, 'Show proof');
      await rig.untilModal('dana', 'does not exist');
      await rig.ask('deploy/inference -n shop', 'min-jun');
      const next = await rig.slack.until(() => rig.cards().find(({ ts }) => ts !== card.ts), {
        what: 'a new card',
      });
      await rig.approve('min-jun', next);
    },
  },
  {
    when: 'between the approval and the change',
    async run(rig, card, fail) {
      const view = await rig.review('dana', card);
      const dryRuns = () => rig.cluster.requests.filter(({ query }) => query.includes('dryRun')).length;
      const before = dryRuns();
      rig.cluster.faults.add({
        match: { ...ofPatches, dryRun: true },
        effect: { type: 'delay', ms: 2_000 },
        times: 1,
      });
      await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
      await eventually('the worker tries the approved patch', () => dryRuns() > before);
      await fail();
    },
    async afterLoss(rig) {
      await eventually('the incident is stored again', () => lostIncidentsOf(rig).length > 0);
      // The worker that tried the patch still knows the approval, and may make the change.
      await approvePatiently(rig, () => rig.cards().some((each) => rig.says(each).includes('recovered')));
      expect(rig.cards()).toHaveLength(1);
    },
  },
  {
    when: 'while the change is made',
    async run(rig, card, fail) {
      rig.cluster.faults.add({
        match: { ...ofPatches, dryRun: false },
        effect: { type: 'delay', ms: 2_000 },
        times: 1,
      });
      await rig.approve('dana', card);
      await eventually('the patch is on its way', () => rig.changes().length > 0);
      await fail();
      await eventually('the object is changed', () => isChanged(rig));
    },
    async afterLoss(rig) {
      await eventually('the incident is stored again', () => lostIncidentsOf(rig).length > 0);
      await rig.untilRecovered();
      expect(rig.cards()).toHaveLength(1);
    },
  },
];

/** Lines of the log about incidents that Redis lost. */
const lostIncidentsOf = ({ logged }: Rig) =>
  logged.filter(({ code, incidentId }) => code === 'record-lost' && incidentId !== undefined);

/** Also of a process that is still starting. */
async function untilAnswers(rig: Rig, status: number): Promise<void> {
  for (const { name, statusPort } of [...rig.apps, ...rig.workers])
    await eventually(`${name} answers ${status}`, async () => {
      const answer = await fetch(`http://127.0.0.1:${statusPort}/readyz`).catch(() => undefined);
      return answer?.status === status;
    });
}

describe.runIf(hasRedisServer()).concurrent('a Redis in the middle of an approval', () => {
  it.for(usualCases(moments, ({ when }) => when === 'while the change is made'))(
    '$when starts again without its data: nothing is done twice or unasked, and people learn what was lost',
    async ({ run, afterLoss }, { onTestFinished }) => {
      const redis = await startPrivateRedis({ appendOnly: false });
      onTestFinished(() => redis.stop());
      const rig = await startRig({ env: { REDIS_URL: redis.url } });
      onTestFinished(() => rig.stop());
      await rig.ask('deploy/inference -n shop');
      const card = await rig.untilDeadlock();
      const before = effectsOf(rig);
      await run(rig, card, async () => {
        await redis.kill();
        await redis.start();
        await untilAnswers(rig, 200);
      });
      const left = rig.slack.as('dana').modal();
      if (left !== undefined) await rig.slack.as('dana').closes(left, { all: true });
      await afterLoss(rig, card);

      await rig.untilRecovered();
      expect(isChanged(rig)).toBe(true);
      const after = effectsOf(rig);
      expect([after.events, after.generation - before.generation]).toEqual([1, 1]);
      const thread = rig.slack.thread(card).map(({ text }) => text);
      expect(thread).toEqual([...new Set(thread)]);
    },
  );
});
