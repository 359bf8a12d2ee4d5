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

const scenarios = join(import.meta.dirname, '../../scenarios/leader-worker-sets');

function recorded(id: string): readonly ApiObject[] {
  return JSON.parse(readFileSync(join(scenarios, id, 'objects.json'), 'utf8')).items;
}

type Refusal = 403 | 404;

/** As the API server refuses a kind that it does not serve, or that the account may not read. */
const refusing =
  (status: Refusal) =>
  ({ pathname }: URL, response: ServerResponse): boolean => {
    if (!pathname.includes('/leaderworkersets')) return false;
    const reason = status === 403 ? 'Forbidden' : 'NotFound';
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ kind: 'Status', status: 'Failure', reason, code: status, message: reason }),
    );
    return true;
  };

describe('a cluster with LeaderWorkerSets', () => {
  let served: ServedCluster | undefined;
  afterEach(async () => {
    await served?.close();
  });

  async function open(objects: readonly ApiObject[], refused?: Refusal) {
    served = await serveCluster(objects, refused === undefined ? undefined : refusing(refused));
    const newest = Date.parse('2026-11-25T11:30:00Z');
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
        const kind = 'LeaderWorkerSet' as const;
        const ref = { cluster: 'served', kind, namespace: 'shop', name: 'inference' };
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

  it.each(['one-pod-group', 'group-of-two', 'two-groups', 'leader-first', 'half-a-group'])(
    'proves the deadlock of %s by what it reads of the cluster',
    async (id) => {
      const { snapshot } = await open(recorded(id));
      const [first] = createDoctor().diagnose(await snapshot()).findings;
      expect(first).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    },
  );

  const found = {
    type: 'found',
    workloads: [{ cluster: 'served', kind: 'LeaderWorkerSet', namespace: 'shop', name: 'inference' }],
  };

  it.each<[string, NamedWorkload]>([
    ['its name alone', { name: 'inference' }],
    ['a leader', { member: 'Pod', name: 'inference-0' }],
    ['a worker', { member: 'Pod', name: 'inference-0-1' }],
  ])('is found by %s, not its StatefulSets', async (_, query) => {
    const { find } = await open(recorded('two-groups'));
    expect(await find(query)).toEqual(found);
  });

  it('is listed in a scan in place of its StatefulSets', async () => {
    const { scope } = await open(recorded('two-groups'));
    expect((await scope()).snapshots.map(({ workload }) => workload.kind)).toEqual(['LeaderWorkerSet']);
  });

  it.each([403, 404] as const)('leaves its StatefulSets as workloads where it answers %d', async (status) => {
    const { find, scope } = await open(recorded('two-groups'), status);
    expect(await find({ name: 'inference' })).toMatchObject({ workloads: [{ kind: 'StatefulSet' }] });
    expect(await find({ member: 'Pod', name: 'inference-0-1' })).toMatchObject({
      workloads: [{ kind: 'StatefulSet', name: 'inference-0' }],
    });
    const { snapshots, unseen } = await scope();
    expect(new Set(snapshots.map(({ workload }) => workload.kind))).toEqual(new Set(['StatefulSet']));
    const reasons = unseen.filter(({ what }) => what === 'LeaderWorkerSet').map(({ because }) => because);
    expect(reasons).toEqual(status === 403 ? ['forbidden'] : []);
  });

  it('states that the right is missing where somebody names the kind', async () => {
    const { find } = await open(recorded('two-groups'), 403);
    expect(await find({ kind: 'LeaderWorkerSet', namespace: 'shop', name: 'inference' })).toMatchObject({
      type: 'unreadable',
      because: 'forbidden',
    });
  });
});
