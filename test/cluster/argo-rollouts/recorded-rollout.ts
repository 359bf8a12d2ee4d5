import type { CauseId } from '#src/core/diagnosis/cause-id.js';
import type { Cluster } from '../harness/cluster.js';
import { untilUnschedulable } from '../incidents/rolling.js';
import type { ArgoRollouts } from './start-controller.js';

/** What the recording must be diagnosed as, in the fields of `test/scenarios/README.md`. */
export interface Expected {
  readonly cause?: CauseId | 'any' | null;
  readonly anyOf?: readonly CauseId[];
  readonly never?: readonly CauseId[];
  readonly [field: string]: unknown;
}

/** A Rollout in a state that is recorded. */
export interface RecordedRollout {
  readonly id: string;
  readonly title: string;
  readonly expected: Expected;
  /** How long after the recording it is diagnosed. */
  readonly diagnoseAfterSeconds?: number;
  /** Brings the state about in an empty cluster. Returns the names of the pods that hold what is waited for. */
  readonly reproduce: (cluster: Cluster, namespace: string, argo: ArgoRollouts) => Promise<readonly string[]>;
}

export const rolloutName = 'inference';

export const gpu = { 'nvidia.com/gpu': '1' };

/** Nodes with so many GPUs each, beside one without. */
export const gpuNodes = (...counts: readonly number[]) => [
  ...counts.map((count, index) => ({
    name: `gpu-${'abc'[index]}`,
    allocatable: { 'nvidia.com/gpu': String(count) },
  })),
  { name: 'cpu-a' },
];

/** A new pod is refused for want of a GPU. */
export async function untilWithoutGpu(
  cluster: Cluster,
  namespace: string,
  before: readonly string[],
): Promise<void> {
  await untilUnschedulable(cluster, namespace, rolloutName, before, ['Insufficient nvidia.com/gpu']);
}

/** A deadlock by the GPU that the old pod holds. */
export const gpuDeadlock: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: 'nvidia.com/gpu' },
};

/** Causes that state a deadlock of the rollout with itself. */
export const deadlockCauses: readonly CauseId[] = [
  'surge-deadlock',
  'quota-deadlock',
  'volume-attach-deadlock',
  'readiness-deadlock',
];

/** Nothing above informational is found. */
export const calm: Expected = { cause: null, never: deadlockCauses };
