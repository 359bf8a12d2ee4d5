import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { hasRedisServer, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { approvePatiently } from '../../support/approve-patiently.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf } from '../../support/killed-at-random.js';
import { openRedisLink, type RedisLink } from '../../support/redis-link.js';
import { seededRandom } from '../../support/seeded-random.js';
import { idle } from './objects.js';

/** `LINK_ROUNDS=8` makes the rounds of docs/faults.md. */
const rounds = Number(process.env.LINK_ROUNDS ?? 1);
const outage = 'because Redis does not answer';
const ofPatches = { verbs: ['patch'], resources: ['deployments'], dryRun: false };

interface LinkedRig {
  readonly rig: Rig;
  readonly app: RedisLink;
  readonly worker: RedisLink;
}

/** An app and a worker, each with a network of its own to one Redis. A further worker has none between. */
async function start(
  { onTestFinished }: TestContext,
  { further = false }: { readonly further?: boolean } = {},
): Promise<LinkedRig> {
  const redis = await startPrivateRedis({ appendOnly: true });
  onTestFinished(() => redis.stop());
  const [app, worker] = [await openRedisLink(redis.url), await openRedisLink(redis.url)];
  for (const link of [app, worker]) onTestFinished(() => link.close());
  const rig = await startRig({
    env: { REDIS_URL: app.url },
    workers: 0,
    furtherWorkers: [{ REDIS_URL: worker.url }, ...(further ? [{ REDIS_URL: redis.url }] : [])],
  });
  onTestFinished(() => rig.stop());
  onTestFinished(() => {
    app.mend();
    worker.mend();
  });
  rig.cluster.create([idle('meanwhile')]);
  return { rig, app, worker };
}

const isOver = (rig: Rig) => () => rig.cards().some((card) => rig.says(card).includes('recovered'));

async function deadlocked(rig: Rig) {
  await rig.ask('deploy/inference -n shop');
  return rig.untilDeadlock();
}

/**
 * Expects one change of the approved object, one card and one verdict.
 *
 * @param counted how often the verdict may be counted: a worker that receives no answer to the write of it
 *   does not count it
 */
async function expectOneChange(
  rig: Rig,
  generation: number,
  counted: readonly number[] = [1],
): Promise<void> {
  await rig.untilRecovered();
  const after = effectsOf(rig);
  expect(isChanged(rig)).toBe(true);
  expect(after.events).toBe(1);
  expect(after.generation - generation).toBe(1);
  expect(new Set(rig.changes().map(({ resource, name }) => `${resource}/${name}`))).toEqual(
    new Set(['deployments/inference']),
  );
  expect(rig.cards()).toHaveLength(1);
  expect(counted).toContain(await rig.counted('rollout_doctor_verdicts_total', { verdict: 'recovered' }));
}

const cut = { answers: 0, approvals: 0 };
/** The numbers of docs/faults.md. */
afterAll(() => {
  process.stdout.write(
    `answers of Redis cut in the middle: ${cut.answers}; approvals with one change: ${cut.approvals} of ${rounds}\n`,
  );
});

describe.runIf(hasRedisServer()).concurrent('a network between the processes and Redis', () => {
  it('that needs half a second for each command delays a diagnosis and its change', async (context) => {
    const { rig, app, worker } = await start(context);
    const { generation } = effectsOf(rig);
    for (const link of [app, worker]) link.slow(250);
    await deadlocked(rig);
    await approvePatiently(rig, isOver(rig));

    await expectOneChange(rig, generation);
  });

  it('that is slower than people wait is reported to the asker, and nothing is asked twice', async (context) => {
    const { rig, app } = await start(context);
    app.slow(1_500);
    expect(await rig.ask('deploy/inference -n shop')).toBe('acknowledged');
    expect(await rig.untilTold('dana', outage)).toContain('shop/inference');
    app.mend();
    await deadlocked(rig);
    expect(rig.cards()).toHaveLength(1);
  });

  it('that is cut is reported to the asker, and the worker goes on where it was', async (context) => {
    const { rig, app, worker } = await start(context);
    const { generation } = effectsOf(rig);
    const card = await deadlocked(rig);
    app.cut();
    expect(await rig.ask('deploy/meanwhile -n shop')).toBe('acknowledged');
    expect(await rig.untilTold('dana', outage)).toContain('shop/meanwhile');
    app.mend();
    rig.cluster.faults.add({ match: ofPatches, effect: { type: 'delay', ms: 800 } });
    const over = approvePatiently(rig, isOver(rig));
    await eventually('the patch is on its way', () => rig.changes().length > 0);
    worker.cut();
    await eventually('the object is changed', () => isChanged(rig));
    worker.mend();
    await over;

    await expectOneChange(rig, generation);
    expect(rig.cards()[0]?.ts).toBe(card.ts);
  });

  it.for(['commands', 'answers'] as const)(
    'that transports no %s leaves a decision unconfirmed, which then counts once',
    async (direction, context) => {
      const { rig, app } = await start(context);
      const { generation } = effectsOf(rig);
      const card = await deadlocked(rig);
      const view = await rig.review('dana', card);
      app.hold(direction);
      await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
      await rig.untilModal('dana', 'could not confirm that your decision was recorded');
      app.mend();
      await approvePatiently(rig, isOver(rig));

      await expectOneChange(rig, generation);
    },
  );

  it('that keeps answers from a worker in the middle of a change has another one finish it', async (context) => {
    const { rig, worker } = await start(context, { further: true });
    const { generation } = effectsOf(rig);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofPatches, effect: { type: 'delay', ms: 800 } });
    await rig.approve('dana', card);
    await eventually('the patch is on its way', () => rig.changes().length > 0);
    worker.hold('answers', 'commands');
    await rig.untilRecovered();
    worker.mend();

    await expectOneChange(rig, generation);
  });

  it('that forgets open connections has app and worker open new ones', async (context) => {
    const { rig, app, worker } = await start(context);
    const { generation } = effectsOf(rig);
    await deadlocked(rig);
    for (const link of [app, worker]) link.forget();
    await approvePatiently(rig, isOver(rig));

    await expectOneChange(rig, generation);
  });

  it('that forgets the connections of a worker in the middle of a change delays its record', async (context) => {
    const { rig, worker } = await start(context);
    const { generation } = effectsOf(rig);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofPatches, effect: { type: 'delay', ms: 800 } });
    await rig.approve('dana', card);
    await eventually('the patch is on its way', () => rig.changes().length > 0);
    worker.forget();

    await expectOneChange(rig, generation);
  });
});

describe.runIf(hasRedisServer())('a network that ends connections in the middle of answers', () => {
  it.for(Array.from({ length: rounds }, (_, at) => at + 1))(
    'loses nothing and changes once: seed %d',
    async (seed, context) => {
      const { rig, app, worker } = await start(context);
      const { generation } = effectsOf(rig);
      const random = seededRandom(seed);
      for (const link of [app, worker]) {
        let next = 5 + random(40);
        link.cutAnswers((answer) => {
          if (answer < next) return false;
          next = answer + 5 + random(60);
          return true;
        });
      }
      // A person asks again where the reply was that the question could not be queued.
      await eventually('the card is posted', async () => {
        if (rig.cards().length === 0) await rig.ask('deploy/inference -n shop');
        return rig.slack
          .until(() => rig.cards().length > 0, { withinMs: 5_000 })
          .then(() => true)
          .catch(() => false);
      });
      await approvePatiently(rig, isOver(rig));

      await expectOneChange(rig, generation, [0, 1]);
      cut.answers += app.cuts + worker.cuts;
      cut.approvals += 1;
    },
  );
});
