import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import { controllerOf } from '#src/core/cluster/metadata.js';
import { isActive, type Pod } from '#src/core/cluster/pod.js';
import { createPlacement } from '#src/core/placement/placement.js';
import type { NodeVerdict } from '#src/core/placement/verdict.js';
import { factsText } from '../recorded-facts.js';
import { readScenario, scenarioIds } from '../rollout/recorded.js';

/** Pods of the workload that is asked about, and all that wait for a node. */
function askedAbout({ objects, state }: ReturnType<typeof readScenario>): readonly Pod[] {
  const waiting = objects.Pod.filter((pod) => isActive(pod) && pod.spec.nodeName === undefined);
  const names = new Set<string>();
  return [...waiting, ...state.pods].filter((pod) => {
    const owner = controllerOf(pod)?.uid ?? pod.metadata.name;
    const isNew = !names.has(owner);
    names.add(owner);
    return isNew;
  });
}

/** More of a resource is asked for than the node could ever give; pod slots are counted, not asked for. */
function lacksForGood({ reasons }: NodeVerdict): boolean {
  return reasons.some((reason) => 'short' in reason && reason.resource !== 'pods' && !reason.resolvable);
}

/** The incidents themselves; their variants below a folder say nothing new about the engine. */
const ids = scenarioIds.filter((id) => !id.includes('/'));

/** One pod of each owner is asked about on every node of a recording; `vitest -u` takes what is new. */
describe('the placement of recorded pods', () => {
  it.each(ids)('of %s is as reviewed', async (id) => {
    const scenario = readScenario(id);
    const placement = createPlacement(indexObjects(scenario.objects));
    const facts = askedAbout(scenario).map((pod) => {
      const { outcome, refusals, notSimulated, nodes, feasible, message } = placement.evaluate(pod);
      expect(nodes.filter(({ tooSmall }) => tooSmall)).toEqual(nodes.filter(lacksForGood));
      const others = scenario.state.pods.filter((other) => other !== pod);
      return {
        pod,
        outcome,
        refusals,
        notSimulated,
        feasible,
        message: message(),
        nodes,
        'would fit without others of its workload': placement.wouldFitIf(pod, others),
        'could ever fit on': placement.candidateNodes(pod),
        preemption: placement.preemption(pod),
        nearest: placement.nearestNodes(pod, 2),
      };
    });
    await expect(factsText(facts)).toMatchFileSnapshot(`recorded-verdicts/${id}.yaml`);
  });
});
