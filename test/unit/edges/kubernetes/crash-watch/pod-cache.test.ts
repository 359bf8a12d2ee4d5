import { describe, expect, it } from 'vitest';
import { createPodCache } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { maxAgeMs } from '#src/edges/kubernetes/node-watch/node-cache.js';

const pod = (name: string, nodeName: string | undefined, version = '5', spec: object = {}) => ({
  metadata: { name, namespace: 'shop', uid: `${name}-uid`, resourceVersion: version },
  spec: { containers: [{ name: 'a', image: 'a' }], ...(nodeName === undefined ? {} : { nodeName }), ...spec },
});

/** A cache whose watch has listed `a` and `b` on `n-1` at version 10. */
function filled(maxText?: number) {
  let now = 1_000;
  const cache = createPodCache({ elapsed: () => now, ...(maxText === undefined ? {} : { maxText }) });
  const filling = cache.fill('prod');
  filling.listBegins();
  filling.object(pod('a', 'n-1'), false);
  filling.object(pod('b', 'n-1'), false);
  filling.listEnds('10');
  return {
    cache,
    filling,
    pass: (ms: number) => {
      now += ms;
    },
    async namesOn(node: string, notOlderThan = '10') {
      const on = await cache.podsByNode('prod', notOlderThan);
      return on?.(node)?.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
    },
  };
}

type Filling = ReturnType<ReturnType<typeof createPodCache>['fill']>;
type Step = (filling: Filling, pass: (ms: number) => void) => void;
/** Long enough for every event to have arrived. */
const quietMs = 1_001;

describe('the pod cache', () => {
  it('returns the pods of the list with every later change, by node', async () => {
    const { filling, namesOn } = filled();
    filling.object(pod('c', 'n-2', '11'), false);
    filling.told('11');
    filling.object(pod('a', 'n-1', '12'), true);
    filling.told('12');
    filling.object(pod('b', 'n-1', '13'), false);
    filling.told('13');
    filling.object(pod('waiting', undefined, '14'), false);
    filling.told('14');
    expect(await namesOn('n-1', '14')).toEqual(['b@13']);
    expect(await namesOn('n-2', '14')).toEqual(['c@11']);
    expect(await namesOn('n-3', '14')).toEqual([]);
    expect(await namesOn('', '14')).toEqual([]);
  });

  it.each<[string, boolean, Step, string?]>([
    ['after the list', true, () => undefined],
    ['where the lists of pods are older', true, () => undefined, '9'],
    ['where the lists of pods are newer', false, (_, pass) => pass(quietMs), '11'],
    ['where the newer version has more digits', false, (_, pass) => pass(quietMs), '100'],
    ['where it is no version that can be compared', false, (_, pass) => pass(quietMs), 'x'],
    ['after an event of that version', true, ({ told }) => told('11'), '11'],
    ['while the watch is silent for no longer than allowed', true, (_, pass) => pass(maxAgeMs), '9'],
    ['once the watch is silent for longer', false, (_, pass) => pass(maxAgeMs + 1), '9'],
    ['where the lists are still of the same version', true, (_, pass) => pass(maxAgeMs + 1), '10'],
    ['once the watch is interrupted', false, ({ trouble }) => trouble('unavailable', '')],
    [
      'after it continues',
      true,
      ({ trouble, inStep }) => {
        trouble('unavailable', '');
        inStep();
      },
    ],
    ['while it lists again', false, ({ listBegins }) => listBegins()],
    [
      'after a list that did not come to its end',
      false,
      ({ listBegins, trouble, inStep, told }) => {
        listBegins();
        trouble('unavailable', '');
        inStep();
        told('20');
      },
    ],
    [
      'after something that is no pod',
      false,
      ({ object, told }) => {
        object({ metadata: {} }, false);
        told('11');
      },
    ],
    ['after the end of the watch', false, ({ end }) => end()],
  ])('%s returns pods: %s', async (_, isGiven, step, notOlderThan) => {
    const { filling, pass, namesOn } = filled();
    step(filling, pass);
    expect(await namesOn('n-1', notOlderThan)).toEqual(isGiven ? ['a@5', 'b@5'] : undefined);
  });

  it('returns pods again after a new list, without those that the list omits', async () => {
    const { filling, namesOn } = filled();
    filling.object({ metadata: {} }, false);
    filling.listBegins();
    filling.object(pod('b', 'n-1', '21'), false);
    filling.listEnds('22');
    expect(await namesOn('n-1', '22')).toEqual(['b@21']);
  });

  it('renews a silent watch once for a patient caller, and returns the pods when the watch has caught up', async () => {
    const { cache, filling, pass } = filled();
    let renewed = 0;
    filling.begins(() => {
      renewed += 1;
      filling.begins(undefined);
      setTimeout(() => {
        filling.object(pod('a', 'n-1', '11'), true);
        filling.told('12');
      }, 20);
    });
    pass(quietMs);
    const on = await cache.podsByNode('prod', '12', true);
    expect(on?.('n-1')?.map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(renewed).toBe(1);
  });

  it('leaves a silent watch alone for a caller that is not patient', async () => {
    const { filling, pass, namesOn } = filled();
    let renewed = 0;
    filling.begins(() => {
      renewed += 1;
    });
    pass(quietMs);
    expect(await namesOn('n-1', '12')).toBeUndefined();
    expect(renewed).toBe(0);
  });

  it('returns no pods to a patient caller once the renewed watch is interrupted', async () => {
    const { cache, filling, pass } = filled();
    filling.begins(() => void setTimeout(() => filling.trouble('unavailable', ''), 20));
    pass(quietMs);
    expect(await cache.podsByNode('prod', '12', true)).toBeUndefined();
  });

  it('waits for an event that has not arrived yet', async () => {
    const { filling, namesOn } = filled();
    const answer = namesOn('n-1', '12');
    filling.object(pod('a', 'n-1', '12'), true);
    filling.told('12');
    expect(await answer).toEqual(['b@5']);
  });

  it('returns no pods for the next node after the watch is interrupted', async () => {
    const { cache, filling } = filled();
    const on = await cache.podsByNode('prod', '10');
    expect(on?.('n-1')).toHaveLength(2);
    filling.trouble('unavailable', '');
    expect(on?.('n-1')).toBeUndefined();
  });

  it('has the caller list a node with an unreadable pod, and no other node', async () => {
    const { filling, namesOn } = filled();
    filling.object(pod('odd', 'n-2', '11', { priority: 'high' }), false);
    filling.told('11');
    expect(await namesOn('n-2', '11')).toBeUndefined();
    expect(await namesOn('n-1', '11')).toEqual(['a@5', 'b@5']);
    filling.object(pod('odd', 'n-2', '12', { priority: 'high' }), true);
    filling.told('12');
    expect(await namesOn('n-2', '12')).toEqual([]);
  });

  it('keeps no more pods than its limit allows', async () => {
    const { filling, namesOn } = filled(2_000);
    const labels = { long: 'x'.repeat(2_000) };
    const long = { ...pod('c', 'n-2', '11'), metadata: { ...pod('c', 'n-2', '11').metadata, labels } };
    filling.object(long, false);
    filling.told('11');
    filling.object(long, true);
    filling.told('12');
    expect(await namesOn('n-1')).toBeUndefined();
    filling.listBegins();
    filling.object(pod('a', 'n-1'), false);
    filling.listEnds('13');
    expect(await namesOn('n-1', '13')).toEqual(['a@5']);
  });

  it('keeps the pods of each cluster apart', async () => {
    const { cache } = filled();
    expect(await cache.podsByNode('elsewhere', '10')).toBeUndefined();
  });
});
