import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRedisCrashHistory } from '#src/edges/redis/redis-crash-history.js';
import type { PodRecord } from '#src/engine/objects/pod-record.js';
import { readyNode } from '../../../demo/cluster/seed/nodes.js';
import type { Part } from '../../../demo/stack.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { badNode, nodeOf, restartsOf } from './rig.js';

/** Two shipped workers. The one that watches is killed. */
describe('a killed worker that keeps the crash history', () => {
  let rig: Rig;
  let redis: Redis;

  beforeAll(async () => {
    rig = await startRig({
      workers: 2,
      scenario: 'none',
      cluster: {
        name: 'prod',
        namespaces: ['shop'],
        kubelet: {
          usual: { startMs: 100, readyMs: 100, terminationMs: 100 },
          behaviourOf: (_pod, node) =>
            node?.metadata.name === badNode
              ? { readyMs: undefined, crash: { afterMs: 200, exitCode: 139, reason: 'Error' } }
              : undefined,
        },
      },
    });
    redis = new Redis(rig.redis.url);
    const since = Date.now() - 86_400_000;
    rig.cluster.load(
      [badNode, 'n-a'].map((name, number) => readyNode({ name, number, cpu: '8', memory: '32Gi' }, since)),
    );
    const labels = { app: 'api' };
    rig.cluster.create([
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'api', namespace: 'shop' },
        spec: {
          replicas: 4,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: 'app', image: 'registry.example/api:1' }] },
          },
        },
      },
    ]);
  });

  afterAll(async () => {
    redis?.disconnect();
    await rig?.stop();
  });

  const leads = async ({ pid, statusPort }: Part): Promise<boolean> => {
    if (pid === undefined) return false;
    const page = await (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text();
    return /^rollout_doctor_lease_held\{lease="crash-history",.*\} 1$/m.test(page);
  };
  const leaders = async (): Promise<readonly Part[]> => {
    const found = await Promise.all(
      rig.workers.map(async (worker) => ((await leads(worker)) ? [worker] : [])),
    );
    return found.flat();
  };
  const remembered = async (): Promise<readonly PodRecord[]> => {
    const store = createRedisCrashHistory({
      redis,
      prefix: rig.prefix,
      keepMs: 7 * 86_400_000,
      leaseMs: 15_000,
      maxPods: 200,
      maxOwners: 5_000,
    });
    const owners = rig.cluster.list('apps/v1', 'ReplicaSet', 'shop').map(({ metadata }) => metadata.uid);
    return (await store.read({ cluster: 'prod', namespace: 'shop', owners }, new Date()))?.pods ?? [];
  };

  it('is replaced by the other worker, which continues with the same records', async () => {
    await eventually('one of them leads', async () => (await leaders()).length === 1);
    const crashing = () => rig.cluster.list('v1', 'Pod', 'shop').filter((pod) => nodeOf(pod) === badNode);
    await eventually('crashes are remembered', async () => {
      const known = await remembered();
      return (
        crashing().length > 0 &&
        crashing().every(({ metadata }) => known.some(({ uid }) => uid === metadata.uid))
      );
    });
    const [leader] = await leaders();
    if (leader === undefined) throw new Error('no worker leads');
    await leader.kill();
    await eventually('the other leads', async () => {
      const [next] = await leaders();
      return next !== undefined && next.name !== leader.name;
    });

    const [pod] = crashing();
    if (pod === undefined) throw new Error('no pod crashes');
    const path = `/api/v1/namespaces/shop/pods/${pod.metadata.name}`;
    expect((await fetch(`${rig.cluster.url}${path}`, { method: 'DELETE' })).status).toBe(200);
    const recordOf = async () => (await remembered()).find(({ uid }) => uid === pod.metadata.uid);
    await eventually('its end is remembered', async () => (await recordOf())?.endedAt !== undefined);

    const [container] = (await recordOf())?.containers ?? [];
    const restarts = container?.restarts ?? 0;
    expect(restarts).toBeGreaterThanOrEqual(restartsOf(pod));
    const numbers = container?.runs.map(({ n }) => n) ?? [];
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(restarts);
    expect(rig.logged.filter(({ msg }) => msg === 'crash history: this process watches')).toHaveLength(2);
  });
});
