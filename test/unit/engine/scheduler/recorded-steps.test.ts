import { describe, expect, it } from 'vitest';
import { Pod, podKey } from '#src/engine/objects/pod.js';
import type { NodeVerdict } from '#src/engine/scheduler/verdict.js';
import { type PlacementStep, placementIn } from '../../../cluster/steps/placement-step.js';
import { readSteps, replay, type Step } from '../../../cluster/steps/step-file.js';

const { recorded, steps } = readSteps('placement');
const isPlacement = (each: Step): each is Step & { readonly step: PlacementStep } => each.of === 'placement';
const named = steps.filter(isPlacement).map((each) => [each.step.id, each] as const);

/** `npm run record:steps` wrote what is expected here; nothing else does. */
describe(`what kube-scheduler ${recorded.programs.Kubernetes} decided (seed ${recorded.seed})`, () => {
  it.each(named)('is what the engine answers: %s', (_, each) => {
    const { real, engine } = replay(recorded, each);
    expect(engine).toEqual(real);
  });
});

/** The request exceeds the capacity of the node; pod slots are counted, not requested. */
function lacksForGood({ reasons }: NodeVerdict): boolean {
  return reasons.some((reason) => 'short' in reason && reason.resource !== 'pods' && !reason.resolvable);
}

describe('the answers about a recorded cluster', () => {
  it.each(named)('agree with each other: %s', (_, { step }) => {
    const placement = placementIn({ ...step, version: recorded.programs.Kubernetes ?? '' });
    const pod = Pod.parse(step.pod);
    const { nodes, feasible } = placement.evaluate(pod);
    expect(nodes.filter(({ tooSmall }) => tooSmall)).toEqual(nodes.filter(lacksForGood));
    expect(placement.firstFeasible(pod)).toBe(feasible[0]);
    expect(placement.candidateNodes(pod).map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining([...feasible]),
    );
    const others = step.others.map((other) => Pod.parse(other));
    for (const { node: name, remove } of placement.wouldFitIf(pod, others).nodes) {
      const node = placement.index.nodes.get(name);
      const outcomes = [remove, remove.slice(1)].map(
        (gone) => node && placement.check(pod, node, new Set(gone.map(podKey))).outcome,
      );
      expect(outcomes).toEqual(remove.length === 0 ? ['fits', 'fits'] : ['fits', 'refused']);
    }
  });
});
