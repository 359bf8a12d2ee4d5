import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import { scenarios } from '../../../../support/scenarios/expectation.js';
import { snapshotOf } from '../../../../support/scenarios/snapshot-of.js';
import { foundBy } from '../run-rule.js';

const recorded = scenarios().filter(({ folder }) =>
  ['gpu-one-node', 'stateful-set-lower-ordinals', 'daemon-set-surge-memory'].includes(basename(folder)),
);

describe('a workload that is being deleted', () => {
  it.each(recorded.map((scenario) => [basename(scenario.folder), scenario] as const))(
    'is in no deadlock, and was in one before: %s',
    async (_, scenario) => {
      const snapshot = await snapshotOf(scenario);
      const { workload, takenAt } = snapshot;
      const metadata = { ...workload.metadata, deletionTimestamp: takenAt };
      const deleted = { ...snapshot, workload: { ...workload, metadata } as typeof workload };

      expect(foundBy(surgeDeadlock, snapshot)).toBeDefined();
      expect(foundBy(surgeDeadlock, deleted)).toBeUndefined();
    },
  );
});
