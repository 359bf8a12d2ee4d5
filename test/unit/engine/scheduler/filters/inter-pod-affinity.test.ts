import { describe, expect, test } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { holdersOf } from '#src/engine/scheduler/reason.js';
import {
  names,
  node,
  type PodShape,
  placementOf,
  pod,
  type SpecWire,
  texts,
} from '../../../../support/placement-builders.js';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const NEAR = "node(s) didn't match pod affinity rules";
const FAR = "node(s) didn't match pod anti-affinity rules";
const EXISTING = "node(s) didn't satisfy existing pods anti-affinity rules";

const zoned = (name: string, zone: string) => node(name, { labels: { [ZONE]: zone } });
const a1 = zoned('a1', 'a');
const a2 = zoned('a2', 'a');
const b1 = zoned('b1', 'b');
const bare = node('bare');
const namespaces = [
  schemas.Namespace.parse({ metadata: { name: 'shop', labels: { team: 'x' } } }),
  schemas.Namespace.parse({ metadata: { name: 'bank', labels: { team: 'y' } } }),
];

const term = (more: object = {}) => ({
  topologyKey: ZONE,
  labelSelector: { matchLabels: { app: 'web' } },
  ...more,
});
const rule = (kind: 'podAffinity' | 'podAntiAffinity', ...terms: object[]): SpecWire =>
  ({ affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: terms } } }) as SpecWire;
const near = (...terms: object[]): PodShape => ({ spec: rule('podAffinity', ...terms) });
const far = (...terms: object[]): PodShape => ({ spec: rule('podAntiAffinity', ...terms) });
const web = (name: string, on: string, shape: PodShape = {}) =>
  pod(name, { on, labels: { app: 'web' }, ...shape });

function verdict(shape: PodShape, where: typeof a1, pods: readonly Pod[], Namespace = namespaces) {
  return placementOf({ Node: [a1, a2, b1, bare], Pod: pods, Namespace }).check(pod('new', shape), where);
}
const reasons = (...question: Parameters<typeof verdict>) => verdict(...question).reasons;

describe('pod affinity', () => {
  test('accepts a node where a matching pod is in the zone, on another node too', () => {
    expect(reasons(near(term()), a2, [web('w', 'a1')])).toEqual([]);
  });

  test('refuses a zone without a matching pod', () => {
    const [reason] = reasons(near(term()), b1, [web('w', 'a1')]);
    expect(reason).toMatchObject({
      text: NEAR,
      rule: 'affinity',
      topologyKey: ZONE,
      domain: 'b',
      resolvable: false,
      preemptible: false,
    });
  });

  test('never matches a node without the topology label', () => {
    expect(reasons(near(term()), bare, [web('w', 'a1')])).toMatchObject([{ text: NEAR, domain: undefined }]);
  });

  test('needs one pod to match all terms, not each term some pod', () => {
    const two = near(term(), term({ labelSelector: { matchLabels: { tier: 'front' } } }));
    expect(
      texts(reasons(two, a1, [web('w', 'a1'), pod('f', { on: 'a1', labels: { tier: 'front' } })])),
    ).toContain(NEAR);
    expect(reasons(two, a1, [web('w', 'a1', { labels: { app: 'web', tier: 'front' } })])).toEqual([]);
  });

  test('lets the first pod of a group with affinity to itself start anywhere with the label', () => {
    const self = { ...near(term()), labels: { app: 'web' } };
    expect(reasons(self, a1, [])).toEqual([]);
    expect(texts(reasons(self, bare, []))).toEqual([NEAR]);
    expect(texts(reasons(self, b1, [web('w', 'a1')]))).toEqual([NEAR]);
    expect(texts(reasons(near(term()), a1, []))).toEqual([NEAR]);
  });

  test('lets the group start despite a pod on a node without the label', () => {
    const self = { ...near(term()), labels: { app: 'web' } };
    expect(reasons(self, a1, [web('w', 'bare')])).toEqual([]);
  });
});

describe('pod anti-affinity', () => {
  test('refuses a zone with a matching pod, and names the pod', () => {
    const [reason] = reasons(far(term()), a2, [web('w', 'a1'), pod('other', { on: 'a1' })]);
    expect(reason).toMatchObject({
      text: FAR,
      rule: 'anti-affinity',
      domain: 'a',
      resolvable: true,
      preemptible: true,
    });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['w']);
  });

  test('accepts another zone, and a node without the label', () => {
    expect(reasons(far(term()), b1, [web('w', 'a1')])).toEqual([]);
    expect(reasons(far(term()), bare, [web('w', 'bare')])).toEqual([]);
  });

  test('by hostname refuses only the same node', () => {
    const byHost = far(term({ topologyKey: HOST }));
    expect(texts(reasons(byHost, a1, [web('w', 'a1')]))).toEqual([FAR]);
    expect(reasons(byHost, a2, [web('w', 'a1')])).toEqual([]);
  });

  test('refuses by each term separately', () => {
    const two = far(term(), term({ labelSelector: { matchLabels: { app: 'db' } } }));
    expect(texts(reasons(two, a1, [pod('d', { on: 'a1', labels: { app: 'db' } })]))).toEqual([FAR]);
  });

  test('refuses a terminating pod, not a terminated one', () => {
    expect(texts(reasons(far(term()), a1, [web('w', 'a1', { terminating: true })]))).toEqual([FAR]);
    expect(reasons(far(term()), a1, [web('w', 'a1', { phase: 'Succeeded' })])).toEqual([]);
  });
});

describe('anti-affinity of existing pods', () => {
  test('refuses the pod that they avoid', () => {
    const guard = pod('guard', { ...far(term()), on: 'a1' });
    const [reason] = reasons({ labels: { app: 'web' } }, a2, [guard]);
    expect(reason).toMatchObject({
      text: EXISTING,
      rule: 'existing-anti-affinity',
      topologyKey: ZONE,
      domain: 'a',
      resolvable: true,
    });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['guard']);
    expect(reasons({ labels: { app: 'db' } }, a2, [guard])).toEqual([]);
    expect(reasons({ labels: { app: 'web' } }, b1, [guard])).toEqual([]);
  });

  test("is reported after the pod's own reason when both avoid each other", () => {
    const both = { ...far(term()), labels: { app: 'web' } };
    expect(texts(reasons(both, a1, [pod('old', { ...both, on: 'a1' })]))).toEqual([FAR, EXISTING]);
  });

  test('still refuses while the pod is terminating', () => {
    const guard = pod('guard', { ...far(term()), on: 'a1', terminating: true });
    expect(texts(reasons({ labels: { app: 'web' } }, a1, [guard]))).toEqual([EXISTING]);
  });
});

describe('namespaces of an affinity term', () => {
  const stranger = [web('w', 'a1', { namespace: 'bank' })];
  const table: readonly (readonly [string, object, boolean])[] = [
    ['without any, the pod’s own namespace is meant', {}, false],
    ['a listed namespace', { namespaces: ['bank'] }, true],
    ['another listed namespace', { namespaces: ['shop'] }, false],
    ['an empty selector, which means all', { namespaceSelector: {} }, true],
    ['a selector that matches', { namespaceSelector: { matchLabels: { team: 'y' } } }, true],
    ['a selector that does not', { namespaceSelector: { matchLabels: { team: 'x' } } }, false],
    [
      'a listed one beside a selector that does not match',
      { namespaces: ['bank'], namespaceSelector: { matchLabels: { team: 'x' } } },
      true,
    ],
  ];
  test.each(table)('%s', (_, more, meant) => {
    expect(texts(reasons(far(term(more)), a1, stranger))).toEqual(meant ? [FAR] : []);
    const guard = pod('guard', { ...far(term(more)), on: 'a1' });
    const question = { namespace: 'bank', labels: { app: 'web' } };
    expect(texts(reasons(question, a1, [guard]))).toEqual(meant ? [EXISTING] : []);
  });

  test('are not guessed for a selector over namespaces that were not read', () => {
    const question = far(term({ namespaceSelector: { matchLabels: { team: 'y' } } }));
    expect(verdict(question, a1, stranger, [])).toMatchObject({
      outcome: 'not-simulated',
      notSimulated: [{ why: 'namespace-labels' }],
    });
  });

  test('are known for a selector by name without reading namespaces', () => {
    const question = far(
      term({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'bank' } } }),
    );
    expect(texts(verdict(question, a1, stranger, []).reasons)).toEqual([FAR]);
  });
});

describe('selectors and keys of an affinity term', () => {
  test('match no pod without a selector, and every pod with an empty one', () => {
    expect(reasons(far(term({ labelSelector: undefined })), a1, [web('w', 'a1')])).toEqual([]);
    expect(texts(reasons(far(term({ labelSelector: {} })), a1, [pod('any', { on: 'a1' })]))).toEqual([FAR]);
  });

  const hash = 'pod-template-hash';
  const old = [web('w', 'a1', { labels: { app: 'web', [hash]: 'old' } })];
  test.each([
    ['matchLabelKeys means the pod’s own revision only', { matchLabelKeys: [hash] }, []],
    ['mismatchLabelKeys means every other revision', { mismatchLabelKeys: [hash] }, [FAR]],
    ['a key the pod does not have changes nothing', { matchLabelKeys: ['track'] }, [FAR]],
  ])('%s', (_, more, expected) => {
    const question = { ...far(term(more)), labels: { app: 'web', [hash]: 'new' } };
    expect(texts(reasons(question, a1, old))).toEqual(expected);
  });
});
