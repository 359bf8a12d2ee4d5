import { gpu, gpuNodes } from '../recorded-state.js';
import { surging } from './other-deadlocks.js';
import { gpuDeadlock, type RecordedSet, untilWithoutGpu } from './recorded-set.js';
import { aMoment, rollOutSet, type SetOptions, updateSet } from './rolling.js';

/** A LeaderWorkerSet whose surge group waits for what the old groups hold. */
const surge = (
  id: string,
  title: string,
  {
    nodes,
    waitingPods,
    ...options
  }: Omit<SetOptions, 'namespace'> & {
    readonly nodes: readonly number[];
    /** Pods of the surge groups that exist. */
    readonly waitingPods: number;
  },
): RecordedSet => ({
  id,
  title,
  expected: gpuDeadlock,
  reproduce: async (cluster, namespace) => {
    await cluster.createNodes(...gpuNodes(...nodes));
    const before = await rollOutSet(cluster, {
      namespace,
      requests: gpu,
      rollingUpdate: surging,
      ...options,
    });
    await updateSet(cluster, namespace, gpu);
    await untilWithoutGpu(cluster, namespace, before, before.length + waitingPods);
    await aMoment();
    return before;
  },
});

export const deadlockedSets: readonly RecordedSet[] = [
  surge('one-pod-group', 'the surge group of one pod waits for the only GPU', { nodes: [1], waitingPods: 1 }),
  surge('group-of-two', 'a leader and its worker wait for the GPUs of the old group', {
    size: 2,
    nodes: [2],
    waitingPods: 2,
  }),
  surge('two-groups', 'one surge group of two pods beside two old groups on full nodes', {
    replicas: 2,
    size: 2,
    nodes: [2, 2],
    waitingPods: 2,
  }),
  surge('leader-first', 'the workers are created only once the leader is ready, and the leader waits', {
    size: 2,
    nodes: [2],
    waitingPods: 1,
    spec: { startupPolicy: 'LeaderReady' },
  }),
  surge('half-a-group', 'the leader of the surge group has the spare GPU, and its worker waits for another', {
    size: 2,
    nodes: [3],
    waitingPods: 2,
  }),
];
