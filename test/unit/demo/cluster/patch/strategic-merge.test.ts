import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../demo/cluster/json.js';
import { applyMergePatch } from '../../../../../demo/cluster/patch/merge-patch.js';
import { applyStrategicMerge } from '../../../../../demo/cluster/patch/strategic-merge.js';
import { refusalOf } from '../builders.js';

const rolling = {
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
};
const two = {
  containers: [
    { name: 'a', image: 'a:1' },
    { name: 'b', image: 'b:1', env: [{ name: 'X', value: '1' }] },
  ],
};

const cases: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
  ['scalars replace', { replicas: 1 }, { replicas: 2 }, { replicas: 2 }],
  ['null removes', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['maps merge', { labels: { a: '1' } }, { labels: { b: '2' } }, { labels: { a: '1', b: '2' } }],
  [
    'a container is found by its name and the others stay',
    two,
    { containers: [{ name: 'a', image: 'a:2' }] },
    { containers: [{ name: 'a', image: 'a:2' }, two.containers[1]] },
  ],
  [
    'a new container is added behind',
    two,
    { containers: [{ name: 'c', image: 'c:1' }] },
    { containers: [...two.containers, { name: 'c', image: 'c:1' }] },
  ],
  [
    'lists inside list items merge by their own key',
    two,
    { containers: [{ name: 'b', env: [{ name: 'Y', value: '2' }] }] },
    {
      containers: [
        two.containers[0],
        {
          name: 'b',
          image: 'b:1',
          env: [
            { name: 'X', value: '1' },
            { name: 'Y', value: '2' },
          ],
        },
      ],
    },
  ],
  [
    '$patch: delete removes one item',
    two,
    { containers: [{ name: 'a', $patch: 'delete' }] },
    { containers: [two.containers[1]] },
  ],
  [
    '$patch: replace in a list replaces the list',
    two,
    { containers: [{ $patch: 'replace' }, { name: 'z', image: 'z' }] },
    { containers: [{ name: 'z', image: 'z' }] },
  ],
  [
    '$patch: replace in a map replaces the map',
    { labels: { a: '1' } },
    { labels: { $patch: 'replace', b: '2' } },
    { labels: { b: '2' } },
  ],
  ['$patch: delete in a map removes it', { labels: { a: '1' } }, { labels: { $patch: 'delete' } }, {}],
  [
    '$setElementOrder puts merged items in order',
    two,
    {
      containers: [{ name: 'c', image: 'c' }],
      '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
    },
    { containers: [{ name: 'c', image: 'c' }, ...two.containers] },
  ],
  [
    '$setElementOrder alone reorders',
    two,
    { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] },
    { containers: [two.containers[1], two.containers[0]] },
  ],
  [
    'atomic lists are replaced whole',
    { tolerations: [{ key: 'a' }, { key: 'b' }] },
    { tolerations: [{ key: 'c' }] },
    { tolerations: [{ key: 'c' }] },
  ],
  [
    'finalizers are a merged list of texts',
    { finalizers: ['a'] },
    { finalizers: ['b', 'a'] },
    { finalizers: ['a', 'b'] },
  ],
  [
    '$deleteFromPrimitiveList takes texts out',
    { finalizers: ['a', 'b'] },
    { '$deleteFromPrimitiveList/finalizers': ['a'] },
    { finalizers: ['b'] },
  ],
  [
    'a strategy without $retainKeys keeps rollingUpdate',
    rolling,
    { strategy: { type: 'Recreate' } },
    { strategy: { type: 'Recreate', rollingUpdate: rolling.strategy.rollingUpdate } },
  ],
  [
    'a strategy with $retainKeys keeps no other key',
    rolling,
    { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
    { strategy: { type: 'Recreate' } },
  ],
  [
    'a volume with $retainKeys loses its former source',
    { volumes: [{ name: 'v', emptyDir: {} }] },
    { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }] },
    { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
  ],
];

describe('strategic merge patch', () => {
  it.each(cases)('%s', (_sentence, target, patch, wanted) => {
    const before = structuredClone(target);
    expect(applyStrategicMerge('Deployment', target, patch)).toEqual(wanted);
    expect(target).toEqual(before);
  });

  it('merges ports of a container by containerPort and those of a Service by port', () => {
    const ports = [{ containerPort: 1, name: 'a' }];
    expect(applyStrategicMerge('Pod', { ports }, { ports: [{ containerPort: 1, name: 'b' }] })).toEqual({
      ports: [{ containerPort: 1, name: 'b' }],
    });
    expect(
      applyStrategicMerge(
        'Service',
        { ports: [{ port: 80, name: 'a' }] },
        { ports: [{ port: 80, name: 'b' }] },
      ),
    ).toEqual({ ports: [{ port: 80, name: 'b' }] });
  });

  it.each([
    ['an item without its merge key', { containers: [{ image: 'x' }] }],
    ['an unknown directive', { labels: { $patch: 'sometimes' } }],
    ['a field that $retainKeys does not list', { strategy: { $retainKeys: ['type'], rollingUpdate: {} } }],
  ])('refuses %s with 400', (_sentence, patch) => {
    expect(refusalOf(() => applyStrategicMerge('Deployment', two, patch))).toMatchObject({ code: 400 });
  });
});

describe('merge patch', () => {
  it.each<readonly [string, JsonObject, JsonObject, JsonObject]>([
    ['objects merge', { a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
    ['lists replace', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['null removes', { a: { b: 1, c: 2 } }, { a: { b: null } }, { a: { c: 2 } }],
    ['null inside a new object adds no key', {}, { a: { b: null } }, { a: {} }],
    ['an object replaces a scalar', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
  ])('%s', (_sentence, target, patch, wanted) => {
    expect(applyMergePatch(target, patch)).toEqual(wanted);
  });
});
