import { describe, expect, it } from 'vitest';
import {
  dearestFirst,
  type Exceeded,
  type QuotaBlock,
  smallestRelease,
} from '#src/engine/creation/quota-block.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { ResourceQuota } from '#src/engine/objects/policy.js';
import { wouldBeAdmittedIf } from '#src/engine/workloads/quota-admission.js';
import { buildPod } from '../../../support/rollout-builders.js';
import { seededRandom } from '../../../support/seeded-random.js';

const now = Date.parse('2026-11-20T09:30:00Z');

/** The former way: one pod more at a time. */
function oneByOne(block: QuotaBlock, pods: readonly Pod[]): readonly Pod[] | undefined {
  const sorted = dearestFirst(block, pods, now);
  const counts = sorted.map((_, at) => at + 1);
  const count = counts.find((each) => wouldBeAdmittedIf(block.pod, block.quotas, sorted.slice(0, each), now));
  return count === undefined ? undefined : sorted.slice(0, count);
}

const podWith = (name: string, cpu: number, gpus: number) =>
  buildPod({
    name,
    spec: {
      containers: [{ name: 'app', resources: { requests: { cpu: `${cpu}`, 'nvidia.com/gpu': `${gpus}` } } }],
    },
  });

function blockOf(pods: readonly { readonly cpu: number; readonly gpus: number }[], over: number): QuotaBlock {
  const sum = (of: (pod: { readonly cpu: number; readonly gpus: number }) => number): string =>
    String(pods.reduce((all, pod) => all + of(pod), 0));
  const hard = {
    'requests.cpu': sum(({ cpu }) => cpu),
    'requests.nvidia.com/gpu': sum(({ gpus }) => gpus),
    pods: String(pods.length),
  };
  const quota = ResourceQuota.parse({
    metadata: { name: 'team', namespace: 'shop' },
    spec: { hard },
    status: { hard, used: hard },
  });
  const refusal: Exceeded = {
    kind: 'exceeded',
    quota: 'team',
    resources: [
      {
        resource: 'requests.cpu',
        requested: String(over),
        used: hard['requests.cpu'],
        limited: hard['requests.cpu'],
      },
    ],
  };
  const pod = podWith('next', over, 1);
  return {
    failed: {} as QuotaBlock['failed'],
    pod,
    together: [pod],
    quotas: [quota],
    refusals: [refusal],
    said: refusal,
    unread: false,
    differs: false,
  };
}

describe('the fewest pods that free a quota', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'are those of a search one by one, seed %i',
    (seed) => {
      const below = seededRandom(seed);
      const shapes = Array.from({ length: below(12) }, () => ({ cpu: below(4), gpus: below(2) }));
      const pods = shapes.map(({ cpu, gpus }, at) => podWith(`old-${at}`, cpu, gpus));
      const block = blockOf(shapes, 1 + below(10));

      expect(smallestRelease(block, pods, now)?.map(({ metadata }) => metadata.name)).toEqual(
        oneByOne(block, pods)?.map(({ metadata }) => metadata.name),
      );
    },
  );

  it('free it for all pods that have to exist together', () => {
    const shapes = [1, 1, 1].map((cpu) => ({ cpu, gpus: 0 }));
    const pods = shapes.map(({ cpu, gpus }, at) => podWith(`old-${at}`, cpu, gpus));
    const block = blockOf(shapes, 1);
    const group = ['next', 'next-2'].map((name) => podWith(name, 1, 0));

    expect(smallestRelease({ ...block, together: group }, pods, now)).toHaveLength(2);
    expect(
      smallestRelease({ ...block, together: [...group, podWith('next-3', 2, 0)] }, pods, now),
    ).toBeUndefined();
  });
});
