import { describe, expect, it } from 'vitest';
import { createDoctor } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { snapshotOf } from '#support/scenarios/snapshot-of.js';
import { withBareObjects, withEndedPods, withNamesakes } from './bystanders.js';

const { diagnose } = createDoctor();

describe.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
  'what is said of %s',
  (_, scenario) => {
    it('is the same beside namesakes elsewhere, pods that have ended, and objects that say nothing', async () => {
      const snapshot = await snapshotOf(scenario);
      const { namespace } = scenario.expect.workload;
      const index = withNamesakes(withEndedPods(withBareObjects(snapshot.index, namespace)));

      // A name that two namespaces share is noted for both; it is said the same.
      const { foreign: _beside, ...beside } = diagnose({ ...snapshot, index });
      const { foreign: _alone, ...alone } = diagnose(snapshot);
      expect(beside).toEqual(alone);
    });
  },
);
