import { describe, expect, it } from 'vitest';
import { createDoctor } from '../../src/doctor.js';
import { withBareObjects, withEndedPods, withNamesakes } from './bystanders.js';
import { scenarios } from './expectation.js';
import { snapshotOf } from './snapshot-of.js';

const { diagnose } = createDoctor();

describe.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
  'what is said of %s',
  (_, scenario) => {
    it('is the same beside objects of the same names in another namespace', async () => {
      const snapshot = await snapshotOf(scenario);

      expect(diagnose({ ...snapshot, index: withNamesakes(snapshot.index) })).toEqual(diagnose(snapshot));
    });

    it('is the same beside pods that have run to their end', async () => {
      const snapshot = await snapshotOf(scenario);

      expect(diagnose({ ...snapshot, index: withEndedPods(snapshot.index) })).toEqual(diagnose(snapshot));
    });

    it('is the same beside objects that say nothing but their name', async () => {
      const snapshot = await snapshotOf(scenario);
      const index = withBareObjects(snapshot.index, scenario.expect.workload.namespace);

      expect(diagnose({ ...snapshot, index })).toEqual(diagnose(snapshot));
    });
  },
);
