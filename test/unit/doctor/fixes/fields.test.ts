import { describe, expect, it } from 'vitest';
import { fieldAt, itemBelow, pathBelow } from '#src/doctor/fixes/field-at.js';
import { isAfter, nameAt, otherFields, shownValue } from '#src/doctor/fixes/forecast-change.js';

const object = {
  spec: {
    replicas: 3,
    paused: false,
    empty: null,
    containers: [{ name: 'app', image: 'web:1' }, null, 'text', { name: 'side.car', image: 'proxy:1' }],
  },
  annotations: { 'example.com/a.b': 'x' },
};

describe('a field path', () => {
  it.each<[string, unknown]>([
    ['spec.replicas', 3],
    ['spec.paused', false],
    ['spec.empty', null],
    ['spec.empty.further', undefined],
    ['spec.replicas.further', undefined],
    ['spec.absent', undefined],
    ['spec.toString', undefined],
    ['spec.containers[app].image', 'web:1'],
    ['spec.containers[side.car].image', 'proxy:1'],
    ['spec.containers[other].image', undefined],
    ['annotations[example.com/a.b]', 'x'],
    ['', object],
  ])('%s leads to %j', (path, value) => {
    expect(fieldAt(object, path)).toEqual(value);
  });

  it.each([
    ['metadata.labels', 'app', 'metadata.labels.app'],
    ['metadata.labels', 'app_1-x', 'metadata.labels.app_1-x'],
    ['metadata.labels', 'example.com/app', 'metadata.labels[example.com/app]'],
    ['metadata.labels', '', 'metadata.labels[]'],
  ])('below %s for %j is %s', (path, key, below) => {
    expect(pathBelow(path, key)).toBe(below);
  });

  it('of an item of a list contains its name in brackets', () => {
    expect(itemBelow('spec.containers', 'app')).toBe('spec.containers[app]');
  });

  it.each([
    ['spec.containers[app].env[DB_PASSWORD].value', 'DB_PASSWORD'],
    ['spec.containers[app].image', 'image'],
    ['spec.containers[app]', 'app'],
    ['replicas', 'replicas'],
    ['', ''],
  ])('%s is labelled %s', (path, name) => {
    expect(nameAt(path)).toBe(name);
  });
});

describe('a value that is shown', () => {
  const secret = 'S3cr3t-Pa55word-of-the-database';

  it.each<[string, string, unknown]>([
    ['called a password', 'password', secret],
    ['called so by its item', 'env', [{ name: 'DB_PASSWORD', value: secret }]],
    ['called so by its key', 'auth', { password: secret }],
    ['named by the flag before it', 'args', ['--password', secret]],
  ])('contains no secret %s', (_, name, value) => {
    expect(JSON.stringify(shownValue(name, value))).not.toContain(secret);
  });

  it.each<[string, unknown]>([
    ['replicas', 3],
    ['paused', true],
    ['nothing', null],
    ['image', 'web:1'],
    ['args', ['--port', '8080']],
    ['env', [{ name: 'LOG_LEVEL', value: 'debug' }]],
  ])('%s %j is unchanged', (name, value) => {
    expect(shownValue(name, value)).toEqual(value);
  });
});

describe('a change', () => {
  it.each<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, '1', false],
    [undefined, undefined, true],
    [undefined, null, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
  ])('to %j is in effect where %j was found: %s', (after, found, holds) => {
    expect(isAfter({ path: 'spec.x', after }, found)).toBe(holds);
  });

  it('that is not in effect is named with the planned and the found value', () => {
    expect(
      otherFields(
        [
          { path: 'spec.replicas', before: 2, after: 3 },
          { path: 'spec.paused', before: false, after: true },
          { path: 'spec.absent', before: 1, after: 2 },
        ],
        object,
      ),
    ).toEqual([
      { path: 'spec.paused', before: true, after: false },
      { path: 'spec.absent', before: 2, after: undefined },
    ]);
  });
});
