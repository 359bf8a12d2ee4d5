import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createClusterReader } from '#src/adapters/kubernetes/cluster-reader.js';
import { fullSight } from '#src/core/authorization/view.js';
import type { NamedWorkload } from '#src/core/command/command.js';
import { createDoctor } from '#src/doctor.js';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';
import { type ServedCluster, serveCluster } from './served-cluster.js';

const scenarios = join(import.meta.dirname, '../../scenarios/argo-rollouts');

function recorded(id: string): readonly ApiObject[] {
  return JSON.parse(readFileSync(join(scenarios, id, 'objects.json'), 'utf8')).items;
}

type Refusal = 403 | 404;

/** As the API server refuses a kind that it does not serve, or that the account may not read. */
const refusing =
  (status: Refusal) =>
  ({ pathname }: URL, response: ServerResponse): boolean => {
    if (!pathname.includes('/rollouts')) return false;
    const reason = status === 403 ? 'Forbidden' : 'NotFound';
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ kind: 'Status', status: 'Failure', reason, code: status, message: reason }),
    );
    return true;
  };

describe('a cluster with Argo Rollouts', () => {
  let served: ServedCluster | undefined;
  afterEach(async () => {
    await served?.close();
  });

  async function open(objects: readonly ApiObject[], refused?: Refusal) {
    served = await serveCluster(objects, refused === undefined ? undefined : refusing(refused));
    const newest = Date.parse('2026-11-25T01:30:00Z');
    const reader = createClusterReader({
      // No watch is opened.
      connections: [
        { ...served.connection, stream: async () => ({ status: 500, body: '', retryAfterMs: undefined }) },
      ],
      clock: { now: () => new Date(newest) },
      timeoutMs: 20_000,
      findTimeoutMs: 20_000,
    });
    const signal = AbortSignal.timeout(20_000);
    return {
      find: (query: NamedWorkload) => reader.find(query, fullSight, signal),
      snapshot: async () => {
        const ref = { cluster: 'served', kind: 'Rollout' as const, namespace: 'shop', name: 'inference' };
        const read = await reader.snapshot(ref, createDoctor().needs, signal);
        if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
        return read.snapshot;
      },
      scope: async () => {
        const read = await reader.scope(
          { cluster: 'served', namespace: 'shop' },
          createDoctor().needs,
          signal,
        );
        if (read.type !== 'scope') throw new Error(JSON.stringify(read));
        return read;
      },
    };
  }

  it.each(['canary-without-steps', 'routed-canary', 'blue-green', 'template-of-a-deployment'])(
    'proves the deadlock of %s by what it reads of the cluster',
    async (id) => {
      const { snapshot } = await open(recorded(id));
      const [first] = createDoctor().diagnose(await snapshot()).findings;
      expect(first).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    },
  );

  it('finds a Rollout by its name alone, and lists it in a scan', async () => {
    const { find, scope } = await open(recorded('canary-without-steps'));
    expect(await find({ name: 'inference' })).toMatchObject({
      type: 'found',
      workloads: [{ kind: 'Rollout', namespace: 'shop', name: 'inference' }],
    });
    expect((await scope()).snapshots.map(({ workload }) => workload.kind)).toEqual(['Rollout']);
  });

  it.each([403, 404] as const)('finds nothing by a name alone where Rollouts answer %d', async (status) => {
    const { find } = await open(recorded('canary-without-steps'), status);
    expect(await find({ name: 'inference' })).toMatchObject({ type: 'not-found', what: 'workload' });
  });

  it('states that the right is missing where somebody names the kind', async () => {
    const { find } = await open(recorded('canary-without-steps'), 403);
    expect(await find({ kind: 'Rollout', namespace: 'shop', name: 'inference' })).toMatchObject({
      type: 'unreadable',
      because: 'forbidden',
    });
  });

  it('states in a scan that Rollouts could not be read only where a ReplicaSet belongs to one', async () => {
    const whole = recorded('canary-without-steps');
    const without = whole.filter(({ kind }) => !['Rollout', 'ReplicaSet', 'Pod'].includes(kind));
    const unseenIn = async (objects: readonly ApiObject[], status: Refusal) => {
      const { scope } = await open(objects, status);
      const { unseen } = await scope();
      await served?.close();
      return unseen.filter(({ what }) => what === 'Rollout').map(({ because }) => because);
    };
    expect(await unseenIn(whole, 403)).toEqual(['forbidden']);
    expect(await unseenIn(without, 403)).toEqual([]);
    expect(await unseenIn(whole, 404)).toEqual([]);
  });
});
