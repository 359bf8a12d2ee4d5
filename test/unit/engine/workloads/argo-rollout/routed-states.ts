import { actArgoRollout } from '#src/engine/workloads/argo-rollout/forecast.js';
import { syncArgoRollout } from '#src/engine/workloads/argo-rollout/rollout-sync.js';
import type { ArgoRolloutState } from '#src/engine/workloads/rollout-state.js';
import { argoStateOf, type SetFields, sizesByHash } from '../../../../support/argo-rollout-builders.js';

export const routed = {
  canaryService: 'canary',
  stableService: 'main',
  trafficRouting: { nginx: {} },
  steps: [{ setWeight: 25 }, { pause: {} }, { setWeight: 50 }, { pause: {} }],
};
export const dynamic = { ...routed, dynamicStableScale: true };

export interface Case {
  readonly canary?: object;
  readonly status?: object;
  readonly spec?: object;
  readonly image?: string;
  /** Size and available pods. */
  readonly fresh: readonly [size: number, available: number];
  readonly stable: readonly [size: number, available: number];
  readonly services?: ArgoRolloutState['services'];
}

export const weightsOf = (canary: number, stable = 100 - canary, hash = 'new') => ({
  canary: { weight: canary, podTemplateHash: hash },
  stable: { weight: stable, podTemplateHash: 'stable' },
});
export const selecting = (canary: string, main = 'stable') => ({
  canary: { hash: canary, isManaged: true },
  main: { hash: main, isManaged: true },
});

/** A Rollout of four replicas. */
export function stateOf({
  canary = routed,
  status,
  spec,
  image,
  fresh,
  stable,
  services = selecting('stable'),
}: Case) {
  const setOf = (hash: string, [replicas, available]: readonly [number, number]): SetFields => ({
    hash,
    replicas,
    available,
    desired: 4,
  });
  const fields = {
    replicas: 4,
    canary,
    ...(status && { status }),
    ...(spec && { spec }),
    ...(image && { image }),
  };
  return argoStateOf(fields, [setOf('new', fresh), setOf('stable', stable)], services);
}
/** The weights that the router has after one reconciliation. */
export function routedWeights(of: Case): readonly (number | string | undefined)[] {
  const { weights } = syncArgoRollout(stateOf(of)).state.rollout.status.canary;
  return [weights?.canary.weight, weights?.canary.podTemplateHash, weights?.stable.weight];
}
/** Sizes of the new and the stable pods once the controllers rest. */
export function sizes(of: Case): readonly (number | undefined)[] {
  const { state } = actArgoRollout(stateOf(of), () => true);
  const { new: fresh, stable } = sizesByHash(state);
  return [fresh, stable];
}

/** What a case has beside its pods. */
export type Rest = Omit<Case, 'fresh' | 'stable'>;

/**
 * What follows from so many new and stable pods, each as their number and how many of them are available:
 * `1/0 4/4 ⇒ 0 new 100`.
 */
export function afterStep(
  step: string,
  rest: Rest | undefined,
  answer: (of: Case) => readonly (number | string | undefined)[],
): string {
  const [given = ''] = step.split(' ⇒');
  const [fresh, stable] = given.split(' ').map((pods) => pods.split('/').map(Number) as [number, number]);
  if (fresh === undefined || stable === undefined) throw new Error(`${given} names no pods`);
  return `${given} ⇒ ${answer({ fresh, stable, ...rest }).join(' ')}`;
}
