import type { V1Pod } from '@kubernetes/client-node';
import type { CauseId } from '#src/core/diagnosis/cause-id.js';
import type { Cluster } from '../harness/cluster.js';

/** What the recording must be diagnosed as, in the fields of `test/scenarios/README.md`. */
export interface Expected {
  readonly cause?: CauseId | 'any' | null;
  readonly anyOf?: readonly CauseId[];
  readonly never?: readonly CauseId[];
  readonly [field: string]: unknown;
}

/** A LeaderWorkerSet in a state that is recorded. */
export interface RecordedSet {
  readonly id: string;
  readonly title: string;
  readonly expected: Expected;
  /** How long after the recording it is diagnosed. */
  readonly diagnoseAfterSeconds?: number;
  /** Brings the state about in an empty cluster. Returns the names of the pods that hold what is waited for. */
  readonly reproduce: (cluster: Cluster, namespace: string) => Promise<readonly string[]>;
}

export const setName = 'inference';

export const gpu = { 'nvidia.com/gpu': '1' };

/** Nodes with so many GPUs each, beside one without. */
export const gpuNodes = (...counts: readonly number[]) => [
  ...counts.map((count, index) => ({
    name: `gpu-${'abcd'[index]}`,
    allocatable: { 'nvidia.com/gpu': String(count) },
  })),
  { name: 'cpu-a' },
];

/** A deadlock by the GPUs that an old group holds. */
export const gpuDeadlock: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: 'nvidia.com/gpu' },
  remediation: {
    first: ['patch-strategy'],
    never: ['scale-down-old', 'restart-rollout', 'exclude-nodes', 'undo-rollout'],
  },
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

/** A pod that is not among `before` is refused for want of a GPU, and every group has its other pods. */
export async function untilWithoutGpu(
  cluster: Cluster,
  namespace: string,
  before: readonly string[],
  pods: number,
): Promise<void> {
  await cluster.until<V1Pod, true>({
    what: `a new pod of ${namespace} to wait for a GPU, of ${pods} pods`,
    selection: { kind: 'Pod', namespace },
    check: (all) =>
      all.length === pods &&
      all.every(isSettled) &&
      all.some((pod) => !before.includes(pod.metadata?.name ?? '') && isRefused(pod)),
  });
}

const conditionOf = ({ status }: V1Pod, type: string) =>
  status?.conditions?.find((condition) => condition.type === type);

const isRefused = (pod: V1Pod): boolean => conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable';

export const isReady = (pod: V1Pod): boolean => conditionOf(pod, 'Ready')?.status === 'True';

const isSettled = (pod: V1Pod): boolean => isRefused(pod) || isReady(pod);
