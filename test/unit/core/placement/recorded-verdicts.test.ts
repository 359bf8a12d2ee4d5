import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import { controllerOf } from '#src/core/cluster/metadata.js';
import { isActive, type Pod } from '#src/core/cluster/pod.js';
import { createPlacement } from '#src/core/placement/placement.js';
import type { NodeVerdict } from '#src/core/placement/verdict.js';
import { factsText } from '../recorded-facts.js';
import { readScenario, scenarioIds } from '../rollout/recorded.js';

/** Pods of the workload in question, and all pods that wait for a node. */
function selectPods({ objects, state }: ReturnType<typeof readScenario>): readonly Pod[] {
  const waiting = objects.Pod.filter((pod) => isActive(pod) && pod.spec.nodeName === undefined);
  const names = new Set<string>();
  return [...waiting, ...state.pods].filter((pod) => {
    const owner = controllerOf(pod)?.uid ?? pod.metadata.name;
    const isNew = !names.has(owner);
    names.add(owner);
    return isNew;
  });
}

/** The request exceeds the capacity of the node; pod slots are counted, not requested. */
function lacksForGood({ reasons }: NodeVerdict): boolean {
  return reasons.some((reason) => 'short' in reason && reason.resource !== 'pods' && !reason.resolvable);
}

/** The incidents themselves; their variants in subfolders add nothing for the engine. */
const ids = scenarioIds.filter((id) => !id.includes('/'));

/** One pod of each owner is evaluated on every node of a recording; `vitest -u` accepts new results. */
describe('the placement of recorded pods', () => {
  it.each(ids)('of %s is as reviewed', async (id) => {
    const scenario = readScenario(id);
    const placement = createPlacement(indexObjects(scenario.objects));
    const facts = selectPods(scenario).map((pod) => {
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
        nodes: nodes.map(spelledOut),
        'would fit without others of its workload': placement.wouldFitIf(pod, others),
        'could ever fit on': placement.candidateNodes(pod),
        preemption: placement.preemption(pod),
        nearest: placement
          .nearestNodes(pod, 2)
          .map((near) => ({ ...near, verdict: spelledOut(near.verdict) })),
      };
    });
    await expect(factsText(facts)).toMatchFileSnapshot(`recorded-verdicts/${id}.yaml`);
  });
});

/** With what a verdict works out only when it is read. */
function spelledOut({ node, outcome, tooSmall, reasons, notSimulated }: NodeVerdict): NodeVerdict {
  return { node, outcome, tooSmall, reasons, notSimulated };
}
