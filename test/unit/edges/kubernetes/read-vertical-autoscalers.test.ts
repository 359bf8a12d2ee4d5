import { describe, expect, it } from 'vitest';
import { readVerticalAutoscalers } from '#src/edges/kubernetes/read-add-ons.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { buildPod } from '../../../support/rollout-builders.js';

type Answer = { readonly status: number; readonly body: unknown };

async function readWith(own: readonly Pod[], answer: () => Answer, discovery: Answer = notServed) {
  const paths: string[] = [];
  const kept: unknown[] = [];
  const missed: string[] = [];
  await readVerticalAutoscalers(
    async ({ path }) => {
      if (path === '/apis/autoscaling.k8s.io') return { ...discovery, retryAfterMs: undefined };
      paths.push(path);
      return { ...answer(), headers: {} } as never;
    },
    {
      keep: (_, objects) => void kept.push(...objects),
      miss: (what, namespace, { because }) => void missed.push(`${what} of ${namespace}: ${because}`),
    },
    { own, namespaces: ['shop', 'ml'] },
    AbortSignal.timeout(10_000),
  );
  return { paths, kept, missed };
}

const notServed: Answer = { status: 404, body: undefined };
const served: Answer = { status: 200, body: {} };
const waiting = buildPod({ name: 'new', node: undefined, ready: false });
const found = {
  items: [
    {
      metadata: { name: 'web', namespace: 'shop' },
      spec: { targetRef: { kind: 'Deployment', name: 'web' } },
    },
    { metadata: 'broken' },
  ],
};

describe('VerticalPodAutoscalers', () => {
  it('are read with one list for each namespace while a pod is not ready', async () => {
    const { paths, kept } = await readWith([waiting], () => ({ status: 200, body: found }));

    expect(paths.map((path) => path.split('?')[0])).toEqual(
      ['shop', 'ml'].map(
        (namespace) => `/apis/autoscaling.k8s.io/v1/namespaces/${namespace}/verticalpodautoscalers`,
      ),
    );
    expect(kept).toHaveLength(2);
    expect(kept[0]).toMatchObject({ metadata: { name: 'web' } });
  });

  it('are asked for once where the cluster does not serve them', async () => {
    const { paths, missed } = await readWith([waiting], () => notServed);

    expect(paths).toHaveLength(1);
    expect(missed).toEqual([]);
  });

  it('are not read where every pod is ready', async () => {
    expect(await readWith([buildPod({ name: 'old' })], () => ({ status: 200, body: found }))).toEqual({
      paths: [],
      kept: [],
      missed: [],
    });
  });

  it.each<[string, () => Answer, Answer]>([
    [
      'the right is missing and the cluster does not serve them',
      () => ({ status: 403, body: {} }),
      notServed,
    ],
    ['the cluster does not serve them', () => notServed, notServed],
  ])('are left out where %s', async (_, answer, discovery) => {
    expect(await readWith([waiting], answer, discovery)).toMatchObject({ kept: [], missed: [] });
  });

  it.each<[string, () => Answer, string]>([
    ['the right is missing', () => ({ status: 403, body: {} }), 'forbidden'],
    ['the answer is no list', () => ({ status: 200, body: { items: 'none' } }), 'malformed'],
    [
      'nobody answers',
      () => {
        throw new Error('refused');
      },
      'unavailable',
    ],
  ])('are reported as unseen where %s', async (_, answer, because) => {
    const { kept, missed } = await readWith([waiting], answer, served);

    expect(kept).toEqual([]);
    expect(missed).toEqual(['shop', 'ml'].map((each) => `VerticalPodAutoscaler of ${each}: ${because}`));
  });
});
