import { type FailingKind, type PodCounts, type PodState, podStates } from '../findings/picture.js';

/** What a strip keeps of one pod. */
export interface SeenPod {
  /** '' without one. */
  readonly node: string;
  /** Pod-template-hash or controller-revision-hash. */
  readonly revision: string;
  readonly state: PodState;
  /** Of a failing pod; `undefined` where no word says it better. */
  readonly failing: FailingKind | undefined;
  /** Of the container that restarted most. */
  readonly restarts: number;
  /** With which its failing containers ended, where they agree. */
  readonly exitCode: number | undefined;
}

export const troubles = ['crashing', 'restarting', 'failing', 'crashed'] as const;

/** The states that count as failing. */
export function isTroubled(state: PodState): state is (typeof troubles)[number] {
  return (troubles as readonly PodState[]).includes(state);
}

export function podsIn(pods: PodCounts, states: readonly PodState[]): number {
  return states.reduce((sum, state) => sum + (pods[state] ?? 0), 0);
}

export function troubledIn(pods: PodCounts): number {
  return podsIn(pods, troubles);
}

/** Pods on a node that are neither finished nor terminating. */
export function presentIn(pods: PodCounts): number {
  return podsIn(pods, [...troubles, 'not-ready', 'ready']);
}

/** The worst first, each state as often as there are pods in it, so many in all at most. */
export function statesOf(pods: PodCounts, most: number): readonly PodState[] {
  return podStates
    .flatMap((state) => Array.from({ length: Math.min(most, pods[state] ?? 0) }, () => state))
    .slice(0, most);
}

export function countedTogether(all: readonly PodCounts[]): PodCounts {
  const sum: { [State in PodState]?: number } = {};
  for (const pods of all) {
    for (const state of podStates) {
      const count = pods[state] ?? 0;
      if (count > 0) sum[state] = (sum[state] ?? 0) + count;
    }
  }
  return sum;
}
