import { deadlockCauses, type Expected } from '../recorded-state.js';
import {
  createJob,
  prepare,
  type QueuedOptions,
  type RecordedQueue,
  rollOutQueued,
  type Scene,
  untilGated,
  updateQueued,
} from './queued-rollout.js';

export const surging = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

/** Of a pod at its gate that waits for something else than an old pod. */
export const waiting = (...mustMention: readonly string[]): Expected => ({
  cause: 'scheduling-gated',
  never: deadlockCauses,
  remediation: { never: ['patch-strategy', 'scale-down-old', 'restart-rollout'] },
  mustMention,
});

/**
 * One thing that happens to `web` in its queue; `old` names the pods that it had first, once they are rolled
 * out.
 */
export type Act = (scene: Scene, old: readonly string[]) => Promise<readonly string[] | undefined>;

export const act =
  (does: (scene: Scene, old: readonly string[]) => Promise<unknown>): Act =>
  async (scene, old) => {
    await does(scene, old);
    return undefined;
  };

interface More {
  /** Fields of the ClusterQueue. */
  readonly spec?: object;
  /** Of the flavor and of the node. */
  readonly nodeLabels?: Readonly<Record<string, string>>;
  /** Of Kueue. */
  readonly configuration?: object;
  readonly diagnoseAfterSeconds?: number;
}

/**
 * In a queue of so many GPUs, one act after the other. Of a deadlock, the old pods hold what is waited for.
 */
export function queue(
  id: string,
  title: string,
  expected: Expected,
  gpus: number,
  acts: readonly Act[],
  { spec, nodeLabels, ...more }: More = {},
): RecordedQueue {
  return {
    ...{ id, title, expected, ...more },
    reproduce: async (scene) => {
      await prepare(scene, gpus, spec, nodeLabels);
      let old: readonly string[] = [];
      for (const happen of acts) old = (await happen(scene, old)) ?? old;
      return expected.cause === 'queue-deadlock' ? old : [];
    },
  };
}

export const trains = act((scene) => createJob(scene, 'train', 1));
export const rollsOut =
  (options: QueuedOptions = {}): Act =>
  (scene) =>
    rollOutQueued(scene, { strategy: surging, ...options });
export const waitsAtTheGate = act(untilGated);
export const patchesPod = (pod: object) => act((scene) => updateQueued(scene, pod));
export const surges = (options: QueuedOptions = {}, pod: object = {}): readonly Act[] => [
  rollsOut(options),
  patchesPod(pod),
  waitsAtTheGate,
];
