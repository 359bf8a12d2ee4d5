import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose, RolloutDoctorError } from '#src/library.js';

const list: { readonly items: readonly object[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../scenarios/gpu-one-node/objects.json'), 'utf8'),
);

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** As a client makes them of times, and tools leave them without uids. */
function asClientsHaveThem(object: object): object {
  const { metadata, ...others } = object as { readonly metadata: Record<string, unknown> };
  const { uid: _, creationTimestamp, ...kept } = metadata;
  const at = creationTimestamp === undefined ? {} : { creationTimestamp: new Date(`${creationTimestamp}`) };
  return { ...others, metadata: { ...kept, ...at } };
}

describe('objects that somebody gives to the library', () => {
  it('may be frozen, with dates in place of texts and without uids, and stay as they are', async () => {
    const objects = frozen(list.items.map(asClientsHaveThem));
    const before = JSON.stringify(objects);
    const { findings } = await diagnose({ objects }, 'shop/inference');

    expect(findings[0]).toMatchObject({ cause: 'surge-deadlock' });
    expect(JSON.stringify(objects)).toBe(before);
  });

  it('are refused by the library where they cannot be written as JSON', async () => {
    const circle: Record<string, unknown> = { apiVersion: 'v1', kind: 'Pod' };
    circle.metadata = circle;
    for (const object of [circle, () => {}]) {
      await expect(diagnose({ objects: [object] }, 'shop/inference')).rejects.toThrow(RolloutDoctorError);
    }
  });
});
