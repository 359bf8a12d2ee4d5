import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRedisServer } from '../../demo/redis/private-redis.js';
import { shippedIn } from '../../demo/stack.js';
import { addUser, type ClusterRedis, clusterEnv, startClusterRedis } from '../support/cluster-redis.js';
import { eventually, type Rig, startRig } from '../support/faults-rig.js';
import { idle } from '../support/idle-objects.js';
import { shippedFolder, shippedProgram } from '../support/shipped-programs.js';

const root = join(import.meta.dirname, '../..');
describe.runIf(hasRedisServer())('a Redis Cluster', () => {
  let redis: ClusterRedis;
  let rig: Rig;
  let env: ReturnType<typeof clusterEnv> = {};

  beforeAll(async () => {
    redis = await startClusterRedis();
    for (const node of redis.nodes) await addUser(node);
    env = clusterEnv(redis);
    rig = await startRig({
      env,
      alerts: 'apiVersion: rollout-doctor/v1\nchannel: C0INCIDENTS\nsentinel: {}\n',
    });
    rig.cluster.create([idle('meanwhile')]);
  });
  afterAll(async () => {
    await rig?.stop();
    await redis?.stop();
  });

  const keysOf = async () =>
    Promise.all(redis.nodes.map(async ({ admin }) => Number(await admin.call('DBSIZE'))));
  const denied = async () =>
    (await Promise.all(redis.nodes.map(({ admin }) => admin.call('ACL', 'LOG')))).flat();
  const untilReady = async (status: number) => {
    for (const { name, statusPort } of [...rig.apps, ...rig.workers]) {
      await eventually(
        `${name} answers ${status}`,
        async () => (await fetch(`http://127.0.0.1:${statusPort}/readyz`)).status === status,
      );
    }
  };
  /** Local Slack and cluster are in this process, so it must not wait for the program. */
  const run = async (program: readonly string[], changed: Record<string, string>) => {
    const child = spawn(process.execPath, program, {
      cwd: root,
      env: { ...process.env, KUBECONFIG: rig.kubeconfigPath, ...env, ...changed },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    const late = setTimeout(() => child.kill(), 60_000);
    const [status] = await once(child, 'close');
    clearTimeout(late);
    return { status, text };
  };
  const engine = async () =>
    (await run([shippedProgram('rollout-doctor'), 'doctor', '--only', 'redis'], {})).text.replace(
      /\s+/g,
      ' ',
    );

  it('carries a diagnosis, an approved change and its verdict, with every key on one node', async () => {
    await rig.ask('deploy/inference -n shop');
    await rig.approve('dana', await rig.untilDeadlock());
    await rig.untilRecovered();
    for (const command of ['incidents', 'history shop/inference', 'audit', 'scan shop'])
      await rig.ask(command);
    await rig.ask('silence shop/inference 1h');
    await rig.workers[0]?.kill();
    await rig.workers[0]?.start();
    await rig.ask('deploy/meanwhile -n shop');
    await rig.untilCard('shop/meanwhile is scaled to 0');

    expect(rig.changes()).toHaveLength(1);
    expect((await keysOf()).filter((count) => count > 0)).toHaveLength(1);
    expect(await denied()).toEqual([]);
    expect(
      rig.logged.filter(({ err }) => /CROSSSLOT|MOVED|non local key/.test(JSON.stringify(err ?? ''))),
    ).toEqual([]);
    expect(await engine()).toMatch(/Redis evicts no keys.*audit log is intact: decisions 1 to/);
  });

  it('is reached again when the node that holds the keys was killed', async () => {
    const counts = await keysOf();
    const holder = redis.nodes[counts.findIndex((count) => count > 0)];
    if (holder === undefined) throw new Error('no node has keys');
    await holder.kill();
    await untilReady(503);
    await holder.start();
    await addUser(holder);
    await untilReady(200);
    await rig.ask('deploy/inference -n shop', 'min-jun');
    await rig.untilCard('No problem found for shop/inference');
    expect(rig.changes()).toHaveLength(1);
  });

  it('is refused with one line that names the setting', async () => {
    const worker = await shippedIn(join(shippedFolder('image'), 'dist'), 'worker');
    const start = (changed: Record<string, string>) =>
      run(worker.args, {
        SLACK_BOT_TOKEN: rig.slack.botToken,
        SLACK_APP_TOKEN: rig.slack.appToken,
        SLACK_API_URL: rig.slack.apiUrl,
        WORKERS: 'diagnosis',
        STATUS_PORT: '0',
        ...changed,
      });
    const single = await start({
      REDIS_CLUSTER_NODES: '',
      REDIS_URL: (env.REDIS_URL ?? '').replace('127.0.0.1:1', redis.address),
    });
    expect(single.text).toContain(
      'REDIS_URL: expected a single Redis, found a node of a Redis Cluster, whose address belongs in REDIS_CLUSTER_NODES',
    );
    expect(single.status).toBe(2);
    const spread = await start({ REDIS_PREFIX: 'rollout-doctor' });
    expect(spread.text).toContain(
      'REDIS_PREFIX: expected a name in braces such as {rollout-doctor}, which keeps all keys on one node',
    );
    expect(spread.status).toBe(2);
  });
});
