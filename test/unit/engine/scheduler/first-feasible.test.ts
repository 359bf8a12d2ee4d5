import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { podKey } from '#src/engine/objects/pod.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { objectsOf } from '../../../support/scenarios/objects-of.js';
import { scenarioFolders } from '../../../support/scenarios/scenario-folders.js';

const scenarios = scenarioFolders();

describe('the search for the first feasible node', () => {
  it.each(scenarios)('finds the first one of the whole evaluation, for each pod of %s', (scenario) => {
    const objects = objectsOf(scenario);
    const placement = createPlacement(indexObjects(objects));
    for (const pod of objects.Pod) {
      const again = { ...pod, spec: { ...pod.spec, nodeName: undefined } };
      expect(placement.firstFeasible(again)).toBe(placement.evaluate(again).feasible[0]);

      const emptier = placement.with({ remove: new Set(objects.Pod.map(podKey)) });
      expect(emptier.firstFeasible(again)).toBe(emptier.evaluate(again).feasible[0]);
    }
  });

  it('finds one for some recorded pods and none for others', () => {
    const answers = scenarios.flatMap((scenario) => {
      const objects = objectsOf(scenario);
      const placement = createPlacement(indexObjects(objects));
      return objects.Pod.map((pod) => placement.firstFeasible(pod) !== undefined);
    });
    expect(new Set(answers)).toEqual(new Set([true, false]));
  });
});
