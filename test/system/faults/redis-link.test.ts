import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasRedisServer, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { approvePatiently, askPatiently } from '../../support/approve-patiently.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { idle } from '../../support/idle-objects.js';
import { effectsOf } from '../../support/killed-at-random.js';
import { openRedisLink, type RedisLink } from '../../support/redis-link.js';
import { seededRandom } from '../../support/seeded-random.js';

/** `LINK_ROUNDS=8` makes the rounds of docs/faults.md. */
const rounds = Number(process.env.LINK_ROUNDS ?? 1);
const outage = 'because Redis does not answer';
const ofPatches = { verbs: ['patch'], resources: ['deployments'], dryRun: false };

interface LinkedRig {
  readonly rig: Rig;
  readonly app: RedisLink;
  readonly worker: RedisLink;
  stop(): Promise<void>;
}

/** An app and a worker, each with a network of its own to one Redis. A further worker has none between. */
async function start({ further = false }: { readonly further?: boolean } = {}): Promise<LinkedRig> {
  const redis = await startPrivateRedis({ appendOnly: true });
  const [app, worker] = [await openRedisLink(redis.url), await openRedisLink(redis.url)];
  const rig = await startRig({
    env: { REDIS_URL: app.url },
    workers: 0,
    furtherWorkers: [{ REDIS_URL: worker.url }, ...(further ? [{ REDIS_URL: redis.url }] : [])],
  });
  return {
    ...{ rig, app, worker },
    async stop() {
      for (const link of [app, worker]) link.mend();
      await rig.stop();
      for (const link of [app, worker]) await link.close();
      await redis.stop();
    },
  };
}

const isOver = (at: Rig) => () => at.cards().some((card) => at.says(card).includes('recovered'));

async function deadlocked(at: Rig) {
  await at.ask(`deploy/inference -n ${at.namespace}`);
  return at.untilDeadlock();
}

const verdicts = (rig: Rig) => rig.counted('rollout_doctor_verdicts_total', { verdict: 'recovered' });

/** What there is before a change. @returns what expects one change of the approved object, one card and one verdict */
async function beforeChange(at: Rig) {
  const [{ generation }, before] = [effectsOf(at), await verdicts(at)];
  /** @param counted a worker that receives no answer to the write of the verdict does not count it */
  return async (counted: readonly number[] = [1]): Promise<void> => {
    await at.untilRecovered();
    const after = effectsOf(at);
    expect(isChanged(at)).toBe(true);
    expect([after.events, after.generation - generation]).toEqual([1, 1]);
    expect(new Set(at.changes().map(({ resource, name }) => `${resource}/${name}`))).toEqual(
      new Set(['deployments/inference']),
    );
    expect(at.cards()).toHaveLength(1);
    expect(counted).toContain((await verdicts(at)) - before);
  };
}

const cut = { answers: 0, approvals: 0 };
/** The numbers of docs/faults.md. */
afterAll(() => {
  process.stdout.write(
    `answers of Redis cut in the middle: ${cut.answers}; approvals with one change: ${cut.approvals} of ${rounds}\n`,
  );
});

describe.runIf(hasRedisServer())('a network between the processes and Redis', () => {
  let stack: LinkedRig;
  let deadlocks = 0;
  beforeAll(async () => {
    stack = await start();
    stack.rig.cluster.create([idle('meanwhile')]);
  });
  afterEach(() => {
    for (const link of [stack.app, stack.worker]) link.mend();
    stack.rig.cluster.faults.clear();
  });
  afterAll(() => stack?.stop());

  /** Each case has a deadlock of its own. */
  async function prepared() {
    deadlocks += 1;
    const at = await stack.rig.also(`case-${deadlocks}`);
    return { ...stack, at, expectOneChange: await beforeChange(at) };
  }

  it('that needs half a second for each command delays a diagnosis and its change', async () => {
    const { at, app, worker, expectOneChange } = await prepared();
    for (const link of [app, worker]) link.slow(250);
    await deadlocked(at);
    await approvePatiently(at, isOver(at));

    await expectOneChange();
  });

  it('that is slower than people wait is reported to the asker, and nothing is asked twice', async () => {
    const { at, app } = await prepared();
    app.slow(1_500);
    expect(await at.ask(`deploy/inference -n ${at.namespace}`)).toBe('acknowledged');
    expect(await at.untilTold('dana', outage)).toContain(`${at.namespace}/inference`);
    app.mend();
    await deadlocked(at);
    expect(at.cards()).toHaveLength(1);
  });

  it.each(['app', 'worker'] as const)(
    'that answers the %s three seconds late in the middle of an approval delays it',
    async (side) => {
      const { rig, at, expectOneChange, [side]: link } = await prepared();
      const view = await at.review('dana', await deadlocked(at));
      if (side === 'app') link.slow(1_500);
      rig.cluster.faults.add({ match: ofPatches, effect: { type: 'delay', ms: 800 } });
      await at.slack.as('dana').submits(view, { reason: 'deadlock' });
      if (side === 'app') {
        await at.untilModal('dana', 'could not confirm that your decision was recorded');
      } else {
        await eventually('the patch is on its way', () => at.changes().length > 0);
        link.slow(1_500);
        await eventually('the object is changed', () => isChanged(at));
        await at.slack.until(() => false, { withinMs: 8_000 }).catch(() => undefined);
      }
      link.mend();
      await approvePatiently(at, isOver(at));

      await expectOneChange([0, 1]);
    },
  );

  it('that is cut is reported to the asker, and the worker goes on where it was', async () => {
    const { rig, at, app, worker, expectOneChange } = await prepared();
    const card = await deadlocked(at);
    app.cut();
    expect(await at.ask('deploy/meanwhile -n shop')).toBe('acknowledged');
    await at.untilTold('dana', /shop\/meanwhile.*because Redis does not answer/su);
    app.mend();
    rig.cluster.faults.add({ match: ofPatches, effect: { type: 'delay', ms: 800 } });
    const over = approvePatiently(at, isOver(at));
    await eventually('the patch is on its way', () => at.changes().length > 0);
    worker.cut();
    await eventually('the object is changed', () => isChanged(at));
    worker.mend();
    await over;

    await expectOneChange();
    expect(at.cards()[0]?.ts).toBe(card.ts);
  });

  it.each(['commands', 'answers'] as const)(
    'that transports no %s leaves a decision unconfirmed, which then counts once',
    async (direction) => {
      const { at, app, expectOneChange } = await prepared();
      const view = await at.review('dana', await deadlocked(at));
      app.hold(direction);
      await at.slack.as('dana').submits(view, { reason: 'deadlock' });
      await at.untilModal('dana', 'could not confirm that your decision was recorded');
      app.mend();
      await approvePatiently(at, isOver(at));

      await expectOneChange();
    },
  );

  it('that forgets open connections has app and worker open new ones', async () => {
    const { at, app, worker, expectOneChange } = await prepared();
    await deadlocked(at);
    for (const link of [app, worker]) link.forget();
    await approvePatiently(at, isOver(at));

    await expectOneChange();
  });

  it('that forgets the connections of a worker in the middle of a change delays its record', async () => {
    const { rig, at, worker, expectOneChange } = await prepared();
    const card = await deadlocked(at);
    rig.cluster.faults.add({ match: ofPatches, effect: { type: 'delay', ms: 800 } });
    await at.approve('dana', card);
    await eventually('the patch is on its way', () => at.changes().length > 0);
    worker.forget();

    await expectOneChange();
  });
});

describe.runIf(hasRedisServer()).concurrent('a network', () => {
  it('that keeps answers from a worker in the middle of a change has another one finish it', async ({
    onTestFinished,
  }) => {
    const { rig, worker, stop } = await start({ further: true });
    onTestFinished(stop);
    const expectOneChange = await beforeChange(rig);
    const card = await deadlocked(rig);
    rig.cluster.faults.add({ match: ofPatches, effect: { type: 'delay', ms: 800 } });
    await rig.approve('dana', card);
    await eventually('the patch is on its way', () => rig.changes().length > 0);
    worker.hold('answers', 'commands');
    await rig.untilRecovered();
    worker.mend();

    await expectOneChange();
  });

  it.for(Array.from({ length: rounds }, (_, at) => at + 1))(
    'that ends connections in the middle of answers loses nothing, and there is one change: seed %d',
    async (seed, { onTestFinished }) => {
      const { rig, app, worker, stop } = await start();
      onTestFinished(stop);
      const expectOneChange = await beforeChange(rig);
      const random = seededRandom(seed);
      for (const link of [app, worker]) {
        let next = 5 + random(40);
        link.cutAnswers((answer) => {
          if (answer < next) return false;
          next = answer + 5 + random(60);
          return true;
        });
      }
      await askPatiently(rig);
      await approvePatiently(rig, isOver(rig));

      await expectOneChange([0, 1]);
      cut.answers += app.cuts + worker.cuts;
      cut.approvals += 1;
    },
  );
});
