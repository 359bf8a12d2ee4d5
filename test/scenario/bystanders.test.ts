import { describe, expect, it } from 'vitest';
import { createDoctor } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '#support/scenarios/snapshot-of.js';
import { withBareObjects, withEndedPods, withNamesakes } from './bystanders.js';

const { diagnose } = createDoctor();

describe.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
  'the diagnosis of %s',
  (_, scenario) => {
    it('does not depend on objects with the same names elsewhere, ended pods and empty objects', async () => {
      const snapshot = await snapshotOf(scenario);
      const { namespace } = scenario.expect.workload;
      const index = withNamesakes(withEndedPods(withBareObjects(snapshot.index, namespace)));

      // A name in two namespaces is listed for both in `foreign`, but the sentences are equal.
      const { foreign: _beside, ...beside } = diagnose({ ...snapshot, index });
      const { foreign: _plain, ...plain } = await diagnosisOf(scenario);
      expect(beside).toEqual(plain);
    });
  },
);
