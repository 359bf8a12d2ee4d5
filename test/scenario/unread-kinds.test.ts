import { describe, expect, it } from 'vitest';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { diagnose } from '#src/core/diagnosis/diagnose.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { snapshotOf } from '#support/scenarios/snapshot-of.js';
import { readKinds, without } from './unread.js';

const rules = [...causes];

/** The proven causes above informational, of all rules or of the given ones. */
function provenIn(snapshot: Snapshot, asked = rules): readonly string[] {
  const { findings, defects } = diagnose(snapshot, asked);
  expect(defects).toEqual([]);
  return findings
    .filter(({ severity, confidence }) => severity !== 'info' && confidence === 'proven')
    .map(({ cause }) => cause);
}

describe.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
  'the diagnosis of %s',
  (_, scenario) => {
    it('proves nothing more when a kind of object could not be read', async () => {
      const snapshot = await snapshotOf(scenario);
      const proven = provenIn(snapshot);
      // A better explanation that replaced this cause may be missing now.
      const wasProven = (cause: string) =>
        proven.includes(cause) ||
        provenIn(
          snapshot,
          rules.filter(({ id }) => id === cause),
        ).includes(cause);

      for (const unread of readKinds(snapshot)) {
        const fresh = provenIn(without(snapshot, unread)).filter((cause) => !wasProven(cause));
        expect({ unread, proven: fresh }).toEqual({ unread, proven: [] });
      }
    });
  },
);
