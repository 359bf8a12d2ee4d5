import { describe, expect, it } from 'vitest';
import { mergedPatch } from '#src/doctor/git-edits/kustomize/merge-patch.js';

const pod = (spec: object) => ({ spec: { template: { spec } } });
const merged = (target: object, patch: object) => mergedPatch(pod(target) as never, pod(patch) as never);

describe('a strategic merge patch', () => {
  it.each<[string, object, object, object]>([
    ['sets a field', { nodeName: 'a' }, { priority: 1 }, { nodeName: 'a', priority: 1 }],
    ['removes a field', { nodeName: 'a', priority: 1 }, { priority: null }, { nodeName: 'a' }],
    [
      'merges maps',
      { nodeSelector: { zone: 'a', disk: 'ssd' } },
      { nodeSelector: { zone: 'b' } },
      { nodeSelector: { zone: 'b', disk: 'ssd' } },
    ],
    ['replaces a text by a map', { affinity: 'x' }, { affinity: { a: 1 } }, { affinity: { a: 1 } }],
    [
      'merges containers by name, and puts new ones first',
      {
        containers: [
          { name: 'app', image: 'api:1', tty: true },
          { name: 'log', image: 'log:1' },
        ],
      },
      {
        containers: [
          { name: 'proxy', image: 'proxy:1' },
          { name: 'app', image: 'api:2' },
        ],
      },
      {
        containers: [
          { name: 'proxy', image: 'proxy:1' },
          { name: 'app', image: 'api:2', tty: true },
          { name: 'log', image: 'log:1' },
        ],
      },
    ],
    [
      'merges ports by their number and environment variables by name',
      { containers: [{ name: 'app', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] }] },
      {
        containers: [
          { name: 'app', ports: [{ containerPort: 80, name: 'web' }], env: [{ name: 'A', value: '2' }] },
        ],
      },
      {
        containers: [
          { name: 'app', ports: [{ containerPort: 80, name: 'web' }], env: [{ name: 'A', value: '2' }] },
        ],
      },
    ],
    [
      'adds a list of containers where there is none',
      {},
      { initContainers: [{ name: 'init' }] },
      { initContainers: [{ name: 'init' }] },
    ],
    [
      'takes the first of two items with one name',
      { volumes: [{ name: 'data' }] },
      {
        volumes: [
          { name: 'data', emptyDir: {} },
          { name: 'data', hostPath: {} },
        ],
      },
      { volumes: [{ name: 'data', emptyDir: {} }] },
    ],
    [
      'replaces a list whose items have no key',
      { tolerations: [{ key: 'a' }, { key: 'b' }] },
      { tolerations: [{ key: 'c' }] },
      { tolerations: [{ key: 'c' }] },
    ],
    [
      'keeps items without a name beside new ones',
      { containers: [{ image: 'x' }] },
      { containers: [{ image: 'y' }] },
      { containers: [{ image: 'y' }, { image: 'x' }] },
    ],
  ])('%s', (_, target, patch, expected) => {
    expect(merged(target, patch)).toEqual(pod(expected));
  });

  it('removes a field of a container', () => {
    expect(
      merged(
        { containers: [{ name: 'app', image: 'api:1', command: ['sh'] }] },
        { containers: [{ name: 'app', command: null }] },
      ),
    ).toEqual(pod({ containers: [{ name: 'app', image: 'api:1' }] }));
  });

  it.each<[string, object]>([
    ['of a map', { affinity: { $patch: 'delete' } }],
    ['of an item', { containers: [{ name: 'app', $patch: 'delete' }] }],
    ['of a list', { '$setElementOrder/containers': [{ name: 'app' }] }],
  ])('has no result for a directive %s', (_, patch) => {
    expect(merged({ containers: [{ name: 'app' }] }, patch)).toBeUndefined();
  });

  it('leaves the object as it was', () => {
    const target = { containers: [{ name: 'app', image: 'api:1' }], nodeName: 'a' };
    const before = structuredClone(target);
    merged(target, { containers: [{ name: 'app', image: 'api:2' }], nodeName: null });
    expect(target).toEqual(before);
  });
});
