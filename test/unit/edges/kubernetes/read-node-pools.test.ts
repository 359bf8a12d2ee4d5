import { describe, expect, it } from 'vitest';
import type { ApiCall } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readClaimEvents, readNodePools } from '#src/edges/kubernetes/read-add-ons.js';
import { Event } from '#src/engine/objects/event.js';
import { NodeClaim } from '#src/engine/objects/policy.js';
import { node, pod } from '../../../support/placement-builders.js';

const pools = {
  items: [{ metadata: { name: 'gpu' }, spec: { template: { spec: {} }, limits: { cpu: 8 } } }],
};
const waiting = [pod('web-1', { on: 'n-a' }), pod('web-2')];
const claim = NodeClaim.parse({ metadata: { name: 'gpu-1' } });
const event = Event.parse({
  metadata: { name: 'web-2.1', namespace: 'shop' },
  involvedObject: { kind: 'Pod', name: 'web-2', uid: 'web-2' },
  reason: 'FailedScheduling',
  source: { component: 'karpenter' },
});

async function reading(
  prepare: (gathering: ReturnType<typeof createGathering>) => void,
  pods = waiting,
  status = 200,
) {
  const asked: string[] = [];
  const call: ApiCall = async ({ path }) => {
    asked.push(path);
    return { status, body: status === 200 ? pools : { message: 'forbidden' }, retryAfterMs: undefined };
  };
  const gathering = createGathering(call, new AbortController().signal);
  prepare(gathering);
  await readNodePools(gathering, pods);
  return {
    asked,
    pools: gathering.objects().NodePool.map(({ metadata, spec }) => [metadata.name, spec.limits]),
    unseen: gathering.unseen().map(({ what, because }) => `${what} ${because}`),
  };
}

const path = '/apis/karpenter.sh/v1/nodepools';

describe('the NodePools of Karpenter', () => {
  it.each<[string, (gathering: ReturnType<typeof createGathering>) => void]>([
    ['a NodeClaim', (gathering) => gathering.keep('NodeClaim', [claim])],
    [
      'a node',
      (gathering) => gathering.keep('Node', [node('n-a', { labels: { 'karpenter.sh/nodepool': 'gpu' } })]),
    ],
    ['an event', (gathering) => gathering.keep('Event', [event])],
  ])('are read where %s shows that Karpenter is there', async (_name, prepare) => {
    expect(await reading(prepare)).toEqual({ asked: [path], pools: [['gpu', { cpu: '8' }]], unseen: [] });
  });

  it('are not read where nothing shows Karpenter', async () => {
    expect((await reading((gathering) => gathering.keep('Node', [node('n-a')]))).asked).toEqual([]);
  });

  it('are not read where every pod has a node', async () => {
    const read = await reading(
      (gathering) => gathering.keep('NodeClaim', [claim]),
      [pod('web-1', { on: 'n-a' })],
    );
    expect(read.asked).toEqual([]);
  });

  it('are unseen where the right is missing', async () => {
    const read = await reading((gathering) => gathering.keep('NodeClaim', [claim]), waiting, 403);
    expect(read).toEqual({ asked: [path], pools: [], unseen: ['NodePool forbidden'] });
  });

  it('do not exist where the cluster does not serve them', async () => {
    const read = await reading((gathering) => gathering.keep('NodeClaim', [claim]), waiting, 404);
    expect(read).toEqual({ asked: [path], pools: [], unseen: [] });
  });
});

describe('the events of NodeClaims', () => {
  const refusal = {
    metadata: { name: 'gpu-1.1', namespace: 'default' },
    involvedObject: { kind: 'NodeClaim', name: 'gpu-1' },
    reason: 'InsufficientCapacityError',
    message: 'NodeClaim gpu-1 event: no capacity in the zone',
  };

  async function readingOf(status: number, own = waiting) {
    const asked: unknown[] = [];
    const call: ApiCall = async ({ path, query }) => {
      asked.push([path, query?.fieldSelector]);
      return { status, body: status === 200 ? { items: [refusal] } : {}, retryAfterMs: undefined };
    };
    const { signal } = new AbortController();
    const gathering = createGathering(call, signal);
    gathering.keep('NodeClaim', [claim]);
    await readClaimEvents(call, gathering, own, signal);
    return {
      asked,
      said: gathering.objects().Event.map(({ message }) => message),
      unseen: gathering.unseen().length,
    };
  }

  it('are read in the namespace of events about objects without one, by the API server alone', async () => {
    expect(await readingOf(200)).toEqual({
      asked: [['/api/v1/namespaces/default/events', 'involvedObject.kind=NodeClaim']],
      said: [refusal.message],
      unseen: 0,
    });
  });

  it('are unknown where the right is missing, which makes no finding less certain', async () => {
    expect(await readingOf(403)).toMatchObject({ said: [], unseen: 0 });
  });

  it('are not read where every pod has a node', async () => {
    expect((await readingOf(200, [pod('web-1', { on: 'n-a' })])).asked).toEqual([]);
  });
});
