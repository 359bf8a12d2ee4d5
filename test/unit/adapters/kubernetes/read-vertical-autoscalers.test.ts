import { describe, expect, it } from 'vitest';
import { readVerticalAutoscalers } from '#src/adapters/kubernetes/read-vertical-autoscalers.js';
import type { Pod } from '#src/core/cluster/pod.js';
import { buildPod } from '#support/rollout-builders.js';

type Answer = { readonly status: number; readonly body: unknown };

async function readWith(own: readonly Pod[], answer: () => Answer) {
  const paths: string[] = [];
  const kept: unknown[] = [];
  await readVerticalAutoscalers(
    async ({ path }) => {
      paths.push(path);
      return { ...answer(), headers: {} } as never;
    },
    { keep: (_, objects) => void kept.push(...objects) },
    { own, namespaces: ['shop', 'ml'] },
    AbortSignal.timeout(10_000),
  );
  return { paths, kept };
}

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

  it('are not read where every pod is ready', async () => {
    expect(await readWith([buildPod({ name: 'old' })], () => ({ status: 200, body: found }))).toEqual({
      paths: [],
      kept: [],
    });
  });

  it.each<[string, () => Answer]>([
    ['the right is missing', () => ({ status: 403, body: {} })],
    ['the cluster does not serve them', () => ({ status: 404, body: undefined })],
    ['the answer is no list', () => ({ status: 200, body: { items: 'none' } })],
    [
      'nobody answers',
      () => {
        throw new Error('refused');
      },
    ],
  ])('are left out where %s', async (_, answer) => {
    expect((await readWith([waiting], answer)).kept).toEqual([]);
  });
});
