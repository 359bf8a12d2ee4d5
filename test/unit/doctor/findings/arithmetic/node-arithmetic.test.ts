import { describe, expect, it } from 'vitest';
import { arithmeticText, nodeArithmetic } from '#src/doctor/findings/arithmetic.js';
import { tellFrom } from '#src/engine/language/catalogue.js';
import { plain } from '#src/engine/language/prose.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { node, pod } from '../../../../support/placement-builders.js';

const tell = tellFrom({ arithmetic: arithmeticText });

/** The statement about the only node, which refuses the pending pod. */
function statementOf(waiting: Pod, on: readonly Pod[], allocatable: Readonly<Record<string, string>> = {}) {
  const only = node('n-a', { allocatable });
  const index = indexObjects(clusterObjects({ Node: [only], Pod: [waiting, ...on] }));
  const { reasons } = createPlacement(index).check(waiting, only);
  return nodeArithmetic(index, waiting, { name: 'n-a', reasons }).map(({ field, value, says }) => ({
    field,
    value,
    en: plain(tell(says, 'en')),
    ko: plain(tell(says, 'ko')),
  }));
}

describe('the resource sum of a node', () => {
  it('lists what is requested, in use with its owners, and free', () => {
    const others = [
      pod('a', { on: 'n-a', requests: { cpu: '500m' } }),
      pod('b', { on: 'n-a', namespace: 'ml', requests: { cpu: '3' } }),
    ];

    expect(statementOf(pod('new', { requests: { cpu: '1' } }), others)).toEqual([
      {
        field: 'status.allocatable[cpu]',
        value: '4',
        en: '1 requested, 3500m in use by ml/b (1 pod: 3) and shop/a (1 pod: 500m), 500m free',
        ko: '요청 1, 사용 중 3500m: ml/b(파드 1개: 3), shop/a(파드 1개: 500m), 남음 500m',
      },
    ]);
  });

  it('counts the overhead of a RuntimeClass, which alone makes the pod too large', () => {
    const waiting = pod('new', { requests: { cpu: '1' }, spec: { overhead: { cpu: '250m' } } });
    const others = [pod('a', { on: 'n-a', requests: { cpu: '3' } })];

    expect(statementOf(waiting, others)[0]?.en).toContain(
      '1250m requested (with 250m overhead of the RuntimeClass)',
    );
    expect(statementOf(pod('new', { requests: { cpu: '1' } }), others)).toEqual([]);
  });

  it('lists the pods that use the pod slots, and counts those beyond five', () => {
    const others = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => pod(name, { on: 'n-a' }));
    const [said] = statementOf(pod('new'), others, { pods: '7' });

    expect(said?.field).toBe('status.allocatable[pods]');
    expect(said?.en).toContain('7 in use by shop/a (1 pod: 1), shop/b (1 pod: 1)');
    expect(said?.en).toContain('2 more, 0 free');
    expect(said?.ko).toContain('외 2개');
  });
});
