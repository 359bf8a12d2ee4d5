import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { hasRedisServer } from '../../../demo/redis/private-redis.js';
import { approvePatiently } from '../../support/approve-patiently.js';
import { usualCases } from '../../support/at-night.js';
import { addUser, clusterEnv, startClusterRedis } from '../../support/cluster-redis.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import { effectsOf } from '../../support/killed-at-random.js';
import {
  type RedisServer,
  redisPassword,
  sentinelPassword,
  startSentinelRedis,
} from '../../support/sentinel-redis.js';

const prefix = '{rollout-doctor}';
const ofPatches = { verbs: ['patch'], resources: ['deployments'] };

interface FailingOver {
  readonly rig: Rig;
  /**
   * Loses the primary that has all keys, and waits until its replica is promoted and every process uses it.
   */
  failOver(): Promise<void>;
}

/** What is lost, and what becomes of it after the failover. */
const losses: readonly {
  readonly how: string;
  readonly lose: (primary: RedisServer) => void | Promise<void>;
  readonly afterwards: (primary: RedisServer) => void | Promise<void>;
}[] = [
  { how: 'is killed', lose: (primary) => primary.kill(), afterwards: () => undefined },
  {
    how: 'hangs, and returns after its replica was promoted',
    lose: (primary) => primary.signal('SIGSTOP'),
    afterwards: (primary) => primary.signal('SIGCONT'),
  },
];

const dryRuns = ({ cluster }: Rig) =>
  cluster.requests.filter(({ verb, query }) => verb === 'patch' && query.includes('dryRun')).length;

/**
 * A step during which the failover happens. Afterwards, a person goes on until the card states the verdict.
 */
const moments: readonly { readonly when: string; readonly run: (of: FailingOver) => Promise<void> }[] = [
  {
    when: 'between the review and its approval, which is refused with the reason,',
    async run({ rig, failOver }) {
      const [card] = rig.cards();
      if (card === undefined) throw new Error('no card');
      const view = await rig.review('dana', card);
      const over = failOver();
      await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
      await rig.untilModal('dana', /could not confirm that your decision was recorded|Redis does not answer/);
      expect(rig.changes()).toEqual([]);
      await over;
    },
  },
  {
    when: 'during the dry run of a review',
    async run({ rig, failOver }) {
      const [card] = rig.cards();
      if (card === undefined) throw new Error('no card');
      rig.cluster.faults.add({ match: { ...ofPatches, dryRun: true }, effect: { type: 'delay', ms: 800 } });
      await rig.opensReview('dana', card);
      await eventually('the dry run is on its way', () => dryRuns(rig) > 0);
      await failOver();
    },
  },
  {
    when: 'between the approval and the patch',
    async run({ rig, failOver }) {
      const [card] = rig.cards();
      if (card === undefined) throw new Error('no card');
      const view = await rig.review('dana', card);
      const before = dryRuns(rig);
      rig.cluster.faults.add({ match: { ...ofPatches, dryRun: true }, effect: { type: 'delay', ms: 800 } });
      await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
      await eventually('the worker tries the approved patch', () => dryRuns(rig) > before);
      await failOver();
    },
  },
  {
    when: 'between the patch and its verification',
    async run({ rig, failOver }) {
      const [card] = rig.cards();
      if (card === undefined) throw new Error('no card');
      rig.cluster.faults.add({ match: { ...ofPatches, dryRun: false }, effect: { type: 'delay', ms: 800 } });
      await rig.approve('dana', card);
      await eventually('the patch is on its way', () => rig.changes().length > 0);
      await failOver();
    },
  },
];

const done: string[] = [];

/** The numbers of docs/faults.md. */
afterAll(() => {
  process.stdout.write(`failovers with one change and one verdict: ${done.length} of ${cases.length}\n`);
});

/** A Redis that promotes a replica. */
interface Promoting {
  readonly env: Readonly<Record<string, string>>;
  /** The one that has the keys; replicas may be a moment behind it. */
  primary(): Promise<RedisServer>;
  /** The same, once it is another one than this. */
  promoted(former: RedisServer): Promise<boolean>;
}

const kinds: Readonly<Record<string, (context: TestContext) => Promise<Promoting>>> = {
  async 'a Redis Cluster'({ onTestFinished }) {
    const redis = await startClusterRedis({ replicas: true });
    onTestFinished(() => redis.stop());
    for (const node of redis.nodes) await addUser(node);
    return {
      env: clusterEnv(redis),
      primary: () => redis.primaryOf(prefix),
      async promoted(former) {
        const others = redis.nodes.filter((node) => node !== former);
        return (await redis.primaryOf(prefix, others)) !== former;
      },
    };
  },
  async 'a Redis behind Redis Sentinels'({ onTestFinished }) {
    const redis = await startSentinelRedis();
    onTestFinished(() => redis.stop());
    const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-failover-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    return {
      env: {
        REDIS_URL: 'redis://127.0.0.1:1',
        REDIS_PASSWORD_FILE: await file('redis', redisPassword),
        REDIS_SENTINELS: redis.addresses,
        REDIS_SENTINEL_NAME: redis.name,
        REDIS_SENTINEL_PASSWORD_FILE: await file('sentinel', sentinelPassword),
      },
      primary: () => redis.primary(),
      promoted: async (former) => (await redis.primary()) !== former,
    };
  },
};

async function untilReady(rig: Rig): Promise<void> {
  for (const { name, statusPort } of [...rig.apps, ...rig.workers]) {
    await eventually(
      `${name} reaches Redis`,
      async () => (await fetch(`http://127.0.0.1:${statusPort}/readyz`)).status === 200,
    );
  }
}

/**
 * `REDIS_FAILOVERS=all` makes those of docs/faults.md; the usual run loses the primary at the step that
 * counts most.
 */
const all = Object.entries(kinds)
  .flatMap(([of, start]) => losses.map((loss) => ({ of, start, loss })))
  .flatMap((each) => moments.map((moment) => Object.assign({}, each, moment)))
  .filter(
    ({ when }) => process.env.REDIS_FAILOVERS === 'all' || when === 'between the approval and the patch',
  );
/** Each kind of Redis, and each way to lose its primary, once in the usual run. */
const cases = usualCases(
  all,
  ({ of, loss: { how } }) => (of === 'a Redis Cluster') === (how === 'is killed'),
);

describe.runIf(hasRedisServer())('an approval while Redis fails over', () => {
  it.for(cases)(
    '$when makes one change and states one verdict: the primary of $of $loss.how',
    async ({ of, start, loss, when, run }, context) => {
      const redis = await start(context);
      const rig = await startRig({ env: redis.env });
      context.onTestFinished(() => rig.stop());
      await untilReady(rig);
      await rig.ask('deploy/inference -n shop');
      await rig.untilDeadlock();
      const before = effectsOf(rig);
      const primary = await redis.primary();
      const failOver = async () => {
        await loss.lose(primary);
        await eventually('the replica is promoted', () => redis.promoted(primary));
        await loss.afterwards(primary);
        await untilReady(rig);
      };

      await run({ rig, failOver });
      const isOver = () => rig.cards().some((card) => rig.says(card).includes('recovered'));
      await approvePatiently(rig, isOver);
      await rig.untilRecovered();

      const after = effectsOf(rig);
      expect(isChanged(rig)).toBe(true);
      expect(after.events).toBe(1);
      expect(after.generation - before.generation).toBe(1);
      expect(new Set(rig.changes().map(({ resource, name }) => `${resource}/${name}`))).toEqual(
        new Set(['deployments/inference']),
      );
      expect(rig.cards()).toHaveLength(1);
      expect(await rig.counted('rollout_doctor_verdicts_total', { verdict: 'recovered' })).toBe(1);
      done.push(`${when} ${of} ${loss.how}`);
    },
  );
});
