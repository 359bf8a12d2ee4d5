import { describe, expect, it } from 'vitest';
import { ResourceQuota } from '#src/engine/objects/policy.js';
import { canonicalQuantity } from '#src/engine/scheduler/quantity.js';
import {
  chargesOf,
  fitsInto,
  type QuotaCharges,
  resourceKey,
  roomBesideCharges,
  roomOf,
} from '#src/engine/simulation/contested-simulator.js';
import { createRunningQuotaUsage } from '#src/engine/workloads/quota-admission.js';
import { buildPod, now } from '../../../support/rollout-builders.js';

const quota = (name: string, hard: object, used: object = {}, more: object = {}, namespace = 'shop') =>
  ResourceQuota.parse({ metadata: { name, namespace }, spec: { hard, ...more }, status: { hard, used } });
const sized = (name: string, cpu: string, more: object = {}) =>
  buildPod({ name, spec: { containers: [{ name: 'app', resources: { requests: { cpu } } }], ...more } });

const milli = 1_000_000n;
const inMilli = (charges: QuotaCharges): object =>
  Object.fromEntries([...charges].map(([key, nano]) => [key, Number(nano / milli)]));
const only = (charges: QuotaCharges, resource: string): object =>
  inMilli(new Map([...charges].filter(([key]) => key.endsWith(`/${resource}`))));

describe('what quotas charge a pod', () => {
  const quotas = [
    quota('team', { cpu: '4' }),
    quota('short', { cpu: '2' }, {}, { scopes: ['Terminating'] }),
    quota('other', { cpu: '2' }, {}, {}, 'ml'),
  ];

  it('counts by each quota of its namespace and scope', () => {
    expect(only(chargesOf(sized('web', '500m'), quotas, now), 'cpu')).toEqual({ 'shop/team/cpu': 500 });
    const ending = sized('web', '500m', { activeDeadlineSeconds: 60 });
    expect(only(chargesOf(ending, quotas, now), 'cpu')).toEqual({
      'shop/team/cpu': 500,
      'shop/short/cpu': 500,
    });
    expect(only(chargesOf(sized('web', '1'), quotas, now), 'pods')).toMatchObject({
      'shop/team/pods': 1_000,
    });
  });
});

describe('the room of quotas', () => {
  const team = quota('team', { cpu: '4', pods: '3' }, { cpu: '1500m', pods: '1' });

  it('is what their limits leave', () => {
    expect(inMilli(roomOf([team, quota('all', { cpu: '9' })], now, {}))).toEqual({
      'shop/team/cpu': 2_500,
      'shop/team/pods': 2_000,
      'shop/all/cpu': 9_000,
    });
  });

  it('shrinks with added pods, grows with removed ones, and may be overdrawn', () => {
    const room = (supposed: object) => inMilli(roomOf([team], now, supposed));
    expect(room({ added: [sized('a', '2')] })).toEqual({ 'shop/team/cpu': 500, 'shop/team/pods': 1_000 });
    expect(room({ removed: [sized('a', '1')] })).toEqual({ 'shop/team/cpu': 3_500, 'shop/team/pods': 3_000 });
    expect(room({ added: [sized('a', '3')] })).toEqual({ 'shop/team/cpu': -500, 'shop/team/pods': 1_000 });
  });

  const cpu = resourceKey('shop', 'team', 'cpu');
  const pods = resourceKey('shop', 'team', 'pods');
  it.each<[string, object, boolean]>([
    ['as much as there is', { [cpu]: 5n, [pods]: 1n }, true],
    ['more than there is', { [cpu]: 6n }, false],
    ['more of one of two resources', { [cpu]: 5n, [pods]: 2n }, false],
    ['what no quota limits', { 'shop/team/memory': 900n }, true],
    ['nothing', {}, true],
  ])('has place for %s or not', (_, charges, expected) => {
    const room = new Map([
      [cpu, 5n],
      [pods, 1n],
    ]);
    expect(fitsInto(room, new Map(Object.entries(charges)))).toBe(expected);
  });

  it('has place for what asks nothing, also where it is overdrawn', () => {
    expect(fitsInto(new Map([[cpu, -1n]]), new Map([[cpu, 0n]]))).toBe(true);
    expect(fitsInto(new Map([[cpu, -1n]]), new Map([[cpu, 1n]]))).toBe(false);
    expect(fitsInto(new Map([[cpu, 0n]]), new Map([[cpu, 1n]]))).toBe(false);
  });

  it('shrinks by charges, each as often as it is made', () => {
    const room = new Map([
      [cpu, 10n],
      [pods, 4n],
    ]);
    const charges = new Map([
      [cpu, 3n],
      ['shop/team/memory', 7n],
    ]);
    expect([...roomBesideCharges(room, charges)]).toEqual([
      [cpu, 7n],
      [pods, 4n],
    ]);
    expect(roomBesideCharges(room, charges, 4).get(cpu)).toBe(-2n);
    expect(room.get(cpu)).toBe(10n);
  });
});

describe('what a growing list of pods costs a quota', () => {
  const team = quota('team', { cpu: '4' });
  const usage = (stored = (pod: ReturnType<typeof sized>) => pod) => {
    const asked: string[] = [];
    const running = createRunningQuotaUsage(now, (pod) => {
      asked.push(pod.metadata.name);
      return stored(pod);
    });
    const cpu = (pods: readonly ReturnType<typeof sized>[], of = team): string | undefined => {
      const found = running(of, pods).get('cpu');
      return found && canonicalQuantity(found);
    };
    return { cpu, asked };
  };
  const [a, b, c] = [sized('a', '1'), sized('b', '2'), sized('c', '4')] as const;

  it('counts each pod once, also where the list is asked about again', () => {
    const { cpu, asked } = usage();
    expect([cpu([]), cpu([a]), cpu([a, b]), cpu([a, b]), cpu([a, b, c])]).toEqual([
      ...[undefined, '1', '3', '3', '7'],
    ]);
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('counts anew where a pod is no longer there', () => {
    const { cpu } = usage();
    expect([cpu([a, b]), cpu([b]), cpu([b, c]), cpu([a])]).toEqual(['3', '2', '6', '1']);
  });

  it('keeps the sums of two quotas apart', () => {
    const { cpu } = usage();
    const other = quota('other', { cpu: '9' });
    expect([cpu([a]), cpu([b], other), cpu([a, b]), cpu([b, c], other)]).toEqual(['1', '2', '3', '6']);
  });

  it('counts a pod as it is stored, and none of another namespace or scope', () => {
    expect(usage(() => c).cpu([a])).toBe('4');
    const { cpu } = usage();
    expect(cpu([a, b], quota('x', { cpu: '1' }, {}, {}, 'ml'))).toBeUndefined();
    expect(cpu([a], quota('x', { cpu: '1' }, {}, { scopes: ['Terminating'] }))).toBeUndefined();
  });
});
