import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isBadEnd, type PodRecord } from '#src/engine/objects/pod-record.js';
import { hasRedisServer, type PrivateRedis, startPrivateRedis } from '../../../demo/redis/private-redis.js';
import { badNode, eventually, type Rig, restartsOf, startRig } from './rig.js';

let server: PrivateRedis;
let rig: Rig;

beforeAll(async () => {
  server = await startPrivateRedis({
    url: hasRedisServer() ? undefined : process.env.REDIS_URL,
    appendOnly: true,
  });
});

afterAll(() => server.stop());

beforeEach(async () => {
  rig = await startRig(server.url);
});

afterEach(() => rig.stop());

async function remembered(): Promise<readonly PodRecord[]> {
  return (await rig.history().catch(() => undefined))?.pods ?? [];
}

/** Waits until the history holds these pods, ended if asked for. */
async function untilRemembered(uids: readonly string[], isEnded: boolean): Promise<void> {
  await eventually('the pods are remembered', async () => {
    const known = await remembered();
    return uids.every((uid) =>
      known.some((one) => one.uid === uid && (!isEnded || one.endedAt !== undefined)),
    );
  });
}

const uidsOf = (pods: readonly { readonly metadata: { readonly uid: string } }[]) =>
  pods.map(({ metadata }) => metadata.uid);
const namesOf = (pods: readonly { readonly metadata: { readonly name: string } }[]) =>
  pods.map(({ metadata }) => metadata.name);

/**
 * Deletes all pods twice after those of the bad node crashed, then repairs the node. Returns the crashed
 * pods.
 */
async function crashTwiceAndRecover(): Promise<readonly string[]> {
  const uids: string[] = [];
  for (const _ of [1, 2]) {
    rig.advance(300);
    const crashing = rig.badPods();
    expect(crashing).toHaveLength(3);
    uids.push(...uidsOf(crashing));
    await untilRemembered(uidsOf(crashing), false);
    rig.state.broken = uids.length < 6;
    await rig.deletePods(namesOf(rig.pods()));
    await untilRemembered(uids, true);
  }
  rig.advance(600);
  return uids;
}

describe('pods that crashed and were deleted', () => {
  it('count in the diagnosis, which names the node although every present pod is healthy', async () => {
    const keeper = await rig.keeper();
    rig.deploy(12, [{ name: 'TOKEN', value: 'canary-in-env' }]);
    await crashTwiceAndRecover();
    expect(rig.badPods().map(restartsOf)).toEqual([0, 0, 0]);

    const { findings } = await rig.diagnose();
    const finding = findings.find(({ cause }) => cause === 'crash-loop-on-node');
    expect(finding).toMatchObject({ severity: 'warning', confidence: 'likely', nodes: [badNode] });
    expect(finding?.reasoning.map(({ key }) => key)).toContain('remembered');
    expect(finding?.evidence.some(({ value }) => value.startsWith('exitCode 139'))).toBe(true);
    expect(keeper.news).toEqual([{ type: 'leads', cluster: 'prod' }]);
  });

  it('leave no logs, environment or messages in Redis', async () => {
    await rig.keeper();
    rig.deploy(8, [{ name: 'TOKEN', value: 'canary-in-env' }]);
    rig.advance(120);
    const crashing = rig.badPods();
    // The watcher must have listed these pods before they are deleted.
    await untilRemembered(uidsOf(crashing), false);
    await rig.deletePods(namesOf(crashing));
    await untilRemembered(uidsOf(crashing), true);

    const keys = await rig.redis.keys(`${rig.prefix}:*`);
    const all = await Promise.all(
      keys.map(async (key) =>
        (await rig.redis.type(key)) === 'hash' ? JSON.stringify(await rig.redis.hgetall(key)) : key,
      ),
    );
    expect(all.join()).toContain(crashing[0]?.metadata.uid);
    expect(all.join()).not.toMatch(/canary|back-off|registry\.example/);
    const lives = await Promise.all(keys.map((key) => rig.redis.pttl(key)));
    expect(lives.every((ms) => ms > 0)).toBe(true);
  });

  it('are unknown without a watcher, and the diagnosis works without them', async () => {
    rig.deploy(12);
    rig.advance(300);
    expect(await rig.history()).toBeUndefined();
    const { findings } = await rig.diagnose();
    expect(findings[0]).toMatchObject({ cause: 'crash-loop-on-node', severity: 'critical' });
  });
});

describe('a leader of the crash history', () => {
  it('that loses Redis is replaced by another one, counts nothing twice and writes nothing more', async () => {
    const first = await rig.keeper();
    rig.deploy(8);
    await eventually('the first leads', () => first.leads());
    const second = await rig.keeper();
    rig.advance(100);
    await untilRemembered(uidsOf(rig.badPods()), false);
    expect(second.leads()).toBe(false);

    // It continues, but no longer reaches Redis, as behind a broken network.
    first.redis.disconnect();
    await eventually('the second leads', () => second.leads());
    rig.advance(400);
    const pods = rig.badPods();
    const expected = pods.map((pod) => [pod.metadata.uid, restartsOf(pod)]).sort();
    await eventually('every restart is remembered', async () => {
      const known = (await remembered()).map(({ uid, containers }) => [uid, containers[0]?.restarts]).sort();
      return JSON.stringify(known) === JSON.stringify(expected);
    });
    const records = await remembered();
    expect(records.map(({ node }) => node)).toEqual(pods.map(() => badNode));
    const runs = records.flatMap(({ containers }) => containers.flatMap((each) => each.runs));
    expect(new Set(runs.filter(isBadEnd).map(({ exitCode }) => exitCode))).toEqual(new Set([139]));

    const before = first.written();
    await first.redis.connect();
    await eventually('the first one reports the lost lease', () =>
      first.news.some(({ type }) => type === 'lost-lease'),
    );
    expect(first.written()).toBe(before);
    expect(second.leads()).toBe(true);
  });

  it('that stops releases its lease at once, and the gap is recorded', async () => {
    const first = await rig.keeper();
    rig.deploy(8);
    rig.advance(60);
    await untilRemembered(uidsOf(rig.badPods()), false);
    await eventually('all is listed', async () => (await rig.history()) !== undefined);
    await first.stop();
    expect(await rig.redis.exists(`${rig.prefix}:crash-history:prod:lease`)).toBe(0);
    const unseen = rig.badPods();
    await rig.deletePods(namesOf(unseen));
    rig.advance(600);

    const second = await rig.keeper();
    await eventually('the second leads', () => second.leads());
    await eventually('the gap is known', async () => ((await rig.history())?.gaps.length ?? 0) > 0);
    const known = await remembered();
    for (const uid of uidsOf(unseen)) expect(known.find((one) => one.uid === uid)?.endedAt).toBeUndefined();
    const { findings } = await rig.diagnose();
    expect(findings.flatMap(({ reasoning }) => reasoning).some(({ key }) => key === 'remembered')).toBe(
      false,
    );
  });
});

describe('an interrupted watch of pods', () => {
  it('lists again when its version has expired (410), and records deleted pods and the gap', async () => {
    const keeper = await rig.keeper();
    rig.deploy(8);
    rig.advance(60);
    await untilRemembered(uidsOf(rig.badPods()), false);
    await eventually('all is listed', async () => (await rig.history()) !== undefined);
    const [gone] = rig.pods();
    if (gone === undefined) throw new Error('no pod');

    await rig.cluster.refuse();
    rig.cluster.registry.store.remove('/pods', `shop/${gone.metadata.name}`);
    rig.cluster.settle();
    rig.cluster.registry.store.compact();
    rig.advance(300);
    await rig.cluster.accept();

    await eventually('the pod is known to be gone', async () =>
      (await remembered()).some(({ uid, endedAt }) => uid === gone.metadata.uid && endedAt !== undefined),
    );
    await eventually('the gap is known', async () => ((await rig.history())?.gaps.length ?? 0) > 0);
    expect(keeper.news.map((one) => ('because' in one ? one.because : one.type))).toContain('expired');
  });

  it('continues after the last event when its version is still known, and records no missing time', async () => {
    await rig.keeper();
    rig.deploy(8);
    rig.advance(60);
    const crashing = rig.badPods();
    await untilRemembered(uidsOf(crashing), false);
    await rig.cluster.refuse();
    rig.cluster.registry.store.remove('/pods', `shop/${crashing[0]?.metadata.name}`);
    rig.advance(30);
    await rig.cluster.accept();

    await untilRemembered([crashing[0]?.metadata.uid ?? ''], true);
    expect((await rig.history())?.gaps).toEqual([]);
  });
});

describe('a watcher without the right to watch', () => {
  it('reports that it is forbidden', async () => {
    const bound = await startRig(server.url, {
      rules: [{ verbs: ['get', 'list'], apiGroups: ['*'], resources: ['*'] }],
    });
    try {
      const keeper = await bound.keeper();
      await eventually('it is reported', () =>
        keeper.news.some((one) => one.type === 'trouble' && one.because === 'forbidden'),
      );
    } finally {
      await bound.stop();
    }
  });
});

describe.runIf(hasRedisServer())('a Redis that is down', () => {
  it('delays writes, and the history misses no event after Redis returns', async () => {
    const keeper = await rig.keeper();
    rig.deploy(8);
    rig.advance(60);
    const crashing = rig.badPods();
    await untilRemembered(uidsOf(crashing), false);
    await server.kill();
    await eventually('the unavailable store is reported', () =>
      keeper.news.some(({ type }) => type === 'store-away'),
    );
    await rig.deletePods(namesOf(crashing));
    await server.start();

    await untilRemembered(uidsOf(crashing), true);
    expect((await rig.history())?.gaps).toEqual([]);
    expect(keeper.news.map(({ type }) => type)).toEqual(['leads', 'store-away', 'store-back']);
  });
});
