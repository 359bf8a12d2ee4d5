import type { CauseId } from '#src/doctor/findings/cause-id.js';

/** What a recording must be diagnosed as, in the fields of `test/scenarios/README.md`. */
export interface Expected {
  readonly cause?: CauseId | 'any' | null;
  readonly anyOf?: readonly CauseId[];
  readonly never?: readonly CauseId[];
  readonly [field: string]: unknown;
}

/** Causes that state a deadlock of the rollout with itself. */
export const deadlockCauses: readonly CauseId[] = [
  'surge-deadlock',
  'quota-deadlock',
  'queue-deadlock',
  'volume-attach-deadlock',
  'readiness-deadlock',
];

/** Nothing above informational is found. */
export const calm: Expected = { cause: null, never: deadlockCauses };

export const gpu = { 'nvidia.com/gpu': '1' };

/** Nodes with so many GPUs each, beside one without. */
export const gpuNodes = (...counts: readonly number[]) => [
  ...counts.map((count, index) => ({
    name: `gpu-${'abcd'[index]}`,
    allocatable: { 'nvidia.com/gpu': String(count) },
  })),
  { name: 'cpu-a' },
];

/** A workload in a state that is recorded. */
export interface Recorded<Scene extends readonly unknown[]> {
  readonly id: string;
  readonly title: string;
  readonly expected: Expected;
  /** How long after the recording it is diagnosed. */
  readonly diagnoseAfterSeconds?: number;
  /**
   * Brings the state about in an empty cluster. Returns the names of the pods that hold what is waited for, if
   * there are any.
   */
  readonly reproduce: (...scene: Scene) => Promise<readonly string[] | undefined>;
}

/** The same state where something else than these pods has what is waited for. */
export const withoutHolders =
  <Scene extends readonly unknown[]>(reproduce: (...scene: Scene) => Promise<unknown>) =>
  async (...scene: Scene): Promise<undefined> => {
    await reproduce(...scene);
  };
