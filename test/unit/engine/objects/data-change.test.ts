import { describe, expect, it } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { lastDataChange } from '#src/engine/objects/config-references.js';

const data = (...keys: readonly string[]) => Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
const created = '2026-11-20T08:00:00Z';
const entry = (manager: string, time: string | undefined, fieldsV1: object) => ({ manager, time, fieldsV1 });

describe('the time of the last data change', () => {
  it.each([
    ['is the creation time without field managers', [], undefined, { at: created, manager: '' }],
    [
      'is the latest of several managers',
      [
        entry('helm', '2026-11-20T08:30:00Z', { 'f:data': data('a') }),
        entry('kubectl-edit', '2026-11-20T09:00:00Z', { 'f:binaryData': data('b') }),
      ],
      undefined,
      { at: '2026-11-20T09:00:00Z', manager: 'kubectl-edit' },
    ],
    [
      'is that of the requested key',
      [
        entry('helm', '2026-11-20T08:30:00Z', { 'f:data': data('a') }),
        entry('kubectl-edit', '2026-11-20T09:00:00Z', { 'f:data': data('b') }),
      ],
      'a',
      { at: '2026-11-20T08:30:00Z', manager: 'helm' },
    ],
    [
      'is not that of labels',
      [entry('kubectl-label', '2026-11-20T09:00:00Z', { 'f:metadata': { 'f:labels': data('data') } })],
      undefined,
      { at: created, manager: '' },
    ],
    [
      'is not that of an entry without a time',
      [entry('helm', undefined, { 'f:data': data('a') })],
      undefined,
      { at: created, manager: '' },
    ],
  ])('%s', (_title, managedFields, key, change) => {
    const { metadata } = schemas.Secret.parse({ metadata: { creationTimestamp: created, managedFields } });

    expect(lastDataChange(metadata, key)).toEqual(change);
  });

  it('is unknown for an object without managed fields', () => {
    expect(lastDataChange(schemas.ConfigMap.parse({ metadata: {} }).metadata)).toBeUndefined();
  });
});
