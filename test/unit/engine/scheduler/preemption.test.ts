import { describe, expect, test } from 'vitest';
import { claim, names, node, placementOf, pod, volume } from '../../../support/placement-builders.js';

const important = (cpu: string) => pod('vip', { requests: { cpu }, priority: 1000 });

describe('preemption', () => {
  const rank = [
    pod('low', { on: 'n1', requests: { cpu: '1' }, priority: 1 }),
    pod('mid', { on: 'n1', requests: { cpu: '1' }, priority: 10 }),
    pod('high', { on: 'n1', requests: { cpu: '1' }, priority: 100 }),
    pod('equal', { on: 'n1', requests: { cpu: '1' }, priority: 1000 }),
  ];
  const placement = placementOf({ Node: [node('n1')], Pod: rank });

  test.each([
    ['1', ['low']],
    ['2', ['mid', 'low']],
    ['3', ['high', 'mid', 'low']],
  ])('for %s cpu evicts the least important pods that are enough: %j', (cpu, victims) => {
    const answer = placement.preemption(important(cpu));
    if (answer.outcome !== 'possible') throw new Error(answer.outcome);
    expect(answer.candidates.map(({ node: name }) => name)).toEqual(['n1']);
    expect(names(answer.candidates[0]?.victims ?? [])).toEqual(victims);
  });

  test('never evicts a pod of equal priority', () => {
    expect(placement.preemption(important('4'))).toMatchObject({
      outcome: 'impossible',
      refusals: [{ node: 'n1', reasons: [{ id: 'cpu' }] }],
    });
    expect(placement.canPreempt(important('4'))).toBe(false);
    expect(placement.canPreempt(important('3'))).toBe(true);
  });

  test('considers only the requested node', () => {
    const two = placementOf({ Node: [node('n1'), node('n2', { unschedulable: true })], Pod: rank });
    expect(two.canPreempt(important('3'), node('n1'))).toBe(true);
    expect(two.canPreempt(important('3'), node('n2', { unschedulable: true }))).toBe(false);
  });

  test('evicts the pod that started last among pods of equal priority', () => {
    const since = (name: string, startTime: string) =>
      pod(name, { on: 'n1', requests: { cpu: '2' }, status: { startTime } });
    const pods = [since('a', '2026-11-20T10:00:00Z'), since('b', '2026-11-20T09:00:00Z')];
    const answer = placementOf({ Node: [node('n1')], Pod: pods }).preemption(important('2'));
    expect(answer.outcome === 'possible' ? names(answer.candidates[0]?.victims ?? []) : []).toEqual(['a']);
  });

  test('is never eligible with the policy Never', () => {
    const meek = pod('vip', { requests: { cpu: '1' }, priority: 1000, spec: { preemptionPolicy: 'Never' } });
    expect(placement.preemption(meek)).toEqual({ outcome: 'policy-never' });
  });
});

describe('preemption for a claim with ReadWriteOncePod', () => {
  // kube-scheduler 1.36.3 counts the claims of the pods that it takes away by name, of any namespace.
  const victimsBeside = (...others: readonly ReturnType<typeof pod>[]) => {
    const answer = placementOf({
      Node: [node('n1')],
      PersistentVolumeClaim: [claim('data', { volumeName: 'pv', accessModes: ['ReadWriteOncePod'] })],
      PersistentVolume: [volume('pv')],
      Pod: [pod('holder', { on: 'n1', claim: 'data' }), ...others],
    }).preemption(pod('vip', { claim: 'data', requests: { cpu: '4' }, priority: 1000 }));
    return answer.outcome === 'possible' ? names(answer.candidates[0]?.victims ?? []) : answer.outcome;
  };
  const elsewhere = (name: string, claimName: string) =>
    pod(name, { on: 'n1', claim: claimName, namespace: 'bank', requests: { cpu: '4' }, priority: 10 });

  test('evicts the pod that holds it', () => {
    expect(victimsBeside()).toEqual(['holder']);
    expect(victimsBeside(elsewhere('large', 'other'))).toEqual(['large', 'holder']);
  });

  test('spares its holder where a victim of another namespace has a claim of that name', () => {
    expect(victimsBeside(elsewhere('large', 'data'))).toEqual(['large']);
  });
});

describe('pods that are nominated to a node', () => {
  const nominated = (priority: number) =>
    pod('promised', { requests: { cpu: '4' }, priority, status: { nominatedNodeName: 'n1' } });

  test('count as running there with equal or higher priority', () => {
    const placement = placementOf({ Node: [node('n1')], Pod: [nominated(0)] });
    expect(placement.evaluate(pod('p', { requests: { cpu: '1' } }))).toMatchObject({ outcome: 'refused' });
  });

  test('do not count with lower priority', () => {
    const placement = placementOf({ Node: [node('n1')], Pod: [nominated(0)] });
    expect(placement.evaluate(pod('p', { requests: { cpu: '1' }, priority: 1 })).outcome).toBe('fits');
  });

  test('do not block themselves', () => {
    expect(placementOf({ Node: [node('n1')], Pod: [nominated(0)] }).evaluate(nominated(0)).outcome).toBe(
      'fits',
    );
  });

  test('do not block once they are removed, terminating or assigned', () => {
    const placement = placementOf({ Node: [node('n1')], Pod: [nominated(0)] });
    const wanted = pod('p', { requests: { cpu: '1' } });
    expect(placement.evaluate(wanted, { without: new Set(['promised']) }).outcome).toBe('fits');
    const terminatingPod = pod('promised', {
      requests: { cpu: '4' },
      terminating: true,
      status: { nominatedNodeName: 'n1' },
    });
    expect(placementOf({ Node: [node('n1')], Pod: [terminatingPod] }).evaluate(wanted).outcome).toBe('fits');
    const assigned = pod('promised', { on: 'n2', requests: { cpu: '4' } });
    expect(placement.with({ add: [assigned] }).evaluate(wanted).outcome).toBe('fits');
  });

  test('accept a pod beside them only if it fits without them too', () => {
    const affinity = {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'promised' } } },
        ],
      },
    };
    const promised = pod('promised', { labels: { app: 'promised' }, status: { nominatedNodeName: 'n1' } });
    const answer = placementOf({ Node: [node('n1')], Pod: [promised] }).evaluate(
      pod('p', { spec: { affinity } }),
    );
    expect(answer.nodes[0]?.reasons).toMatchObject([{ rule: 'affinity' }]);
  });
});
