import { describe, expect, it } from 'vitest';
import { jsonPatched } from '#src/doctor/git-edits/kustomize/build.js';

const object = {
  kind: 'Deployment',
  metadata: { name: 'api', annotations: { 'example.com/team': 'shop', 'a~b': 'tilde' } },
  spec: { replicas: 2, args: ['a', 'b', 'c'], containers: [{ name: 'app', image: 'api:1' }] },
};
const patched = (...operations: unknown[]) => jsonPatched(object, operations);

describe('a JSON patch', () => {
  it.each<[string, object, object]>([
    ['replaces a field', { op: 'replace', path: '/spec/replicas', value: 5 }, { spec: { replicas: 5 } }],
    ['adds a field', { op: 'add', path: '/spec/paused', value: true }, { spec: { paused: true } }],
    [
      'overwrites a field that it adds',
      { op: 'add', path: '/spec/replicas', value: 7 },
      { spec: { replicas: 7 } },
    ],
    [
      'changes a field of an item of a list',
      { op: 'replace', path: '/spec/containers/0/image', value: 'api:2' },
      { spec: { containers: [{ name: 'app', image: 'api:2' }] } },
    ],
    [
      'replaces an item of a list',
      { op: 'replace', path: '/spec/args/1', value: 'x' },
      { spec: { args: ['a', 'x', 'c'] } },
    ],
    [
      'inserts an item before the one at its place',
      { op: 'add', path: '/spec/args/0', value: 'x' },
      { spec: { args: ['x', 'a', 'b', 'c'] } },
    ],
    [
      'inserts an item behind the last one by its number',
      { op: 'add', path: '/spec/args/3', value: 'x' },
      { spec: { args: ['a', 'b', 'c', 'x'] } },
    ],
    [
      'appends an item',
      { op: 'add', path: '/spec/args/-', value: 'x' },
      { spec: { args: ['a', 'b', 'c', 'x'] } },
    ],
    ['removes an item', { op: 'remove', path: '/spec/args/1' }, { spec: { args: ['a', 'c'] } }],
    [
      'reads ~1 in a path as a slash',
      { op: 'replace', path: '/metadata/annotations/example.com~1team', value: 'ops' },
      { metadata: { annotations: { 'example.com/team': 'ops', 'a~b': 'tilde' } } },
    ],
    [
      'reads ~0 in a path as a tilde',
      { op: 'replace', path: '/metadata/annotations/a~0b', value: 'x' },
      { metadata: { annotations: { 'example.com/team': 'shop', 'a~b': 'x' } } },
    ],
  ])('%s', (_, operation, expected) => {
    expect(patched(operation)).toMatchObject({ ...expected, kind: 'Deployment' });
  });

  it('removes a field and leaves the others', () => {
    expect(patched({ op: 'remove', path: '/spec/replicas' })).toEqual({
      ...object,
      spec: { args: ['a', 'b', 'c'], containers: [{ name: 'app', image: 'api:1' }] },
    });
  });

  it('replaces the whole object', () => {
    expect(patched({ op: 'replace', path: '', value: { kind: 'Service' } })).toEqual({ kind: 'Service' });
  });

  it('applies its operations one after the other, and leaves the object as it was', () => {
    const before = structuredClone(object);
    expect(
      patched(
        { op: 'add', path: '/spec/strategy', value: {} },
        { op: 'add', path: '/spec/strategy/type', value: 'Recreate' },
        { op: 'remove', path: '/spec/args' },
      ),
    ).toMatchObject({ spec: { replicas: 2, strategy: { type: 'Recreate' } } });
    expect(object).toEqual(before);
    expect(patched()).toEqual(object);
  });

  it.each<[string, unknown]>([
    ['an operation that is not modelled', { op: 'move', from: '/spec/replicas', path: '/spec/count' }],
    ['a test', { op: 'test', path: '/spec/replicas', value: 2 }],
    ['no path', { op: 'replace', value: 5 }],
    ['no object as operation', 'replace'],
    ['a missing field to replace', { op: 'replace', path: '/spec/paused', value: true }],
    ['a missing field to remove', { op: 'remove', path: '/spec/paused' }],
    ['a missing field above', { op: 'add', path: '/spec/strategy/type', value: 'Recreate' }],
    ['a field below a text', { op: 'add', path: '/kind/x', value: 1 }],
    ['the whole object to remove', { op: 'remove', path: '' }],
    ['an item beyond the end to insert', { op: 'add', path: '/spec/args/4', value: 'x' }],
    ['an item beyond the end to replace', { op: 'replace', path: '/spec/args/3', value: 'x' }],
    ['an item beyond the end to remove', { op: 'remove', path: '/spec/args/3' }],
    ['a field of an item beyond the end', { op: 'add', path: '/spec/containers/1/image', value: 'x' }],
    ['the end of a list to replace', { op: 'replace', path: '/spec/args/-', value: 'x' }],
    ['a field of the end of a list', { op: 'add', path: '/spec/containers/-/image', value: 'x' }],
    ['a number with a leading zero', { op: 'replace', path: '/spec/args/01', value: 'x' }],
    ['a name in a list', { op: 'replace', path: '/spec/containers/app', value: 'x' }],
  ])('has no result for %s', (_, operation) => {
    expect(patched(operation)).toBeUndefined();
    expect(patched(operation, { op: 'add', path: '/spec/paused', value: true })).toBeUndefined();
  });
});
