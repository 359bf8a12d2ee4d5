import { daemonSetLoop } from './daemon-set-loop.js';
import { deploymentLoop } from './deployment-loop.js';
import { garbageCollectorLoop } from './garbage-collector-loop.js';
import type { KubeletOptions } from './kubelet-adoption.js';
import { kubeletLoop } from './kubelet-loop.js';
import type { Loop } from './loop.js';
import { namespaceLoop } from './namespace-loop.js';
import { quotaLoop } from './quota-loop.js';
import { replicaSetLoop } from './replica-set-loop.js';
import { schedulerLoop } from './scheduler-loop.js';
import { statefulSetLoop } from './stateful-set-loop.js';

/** Every loop of the cluster, in the order in which a change runs through them. */
export function allLoops(kubelet: KubeletOptions): readonly Loop[] {
  return [
    namespaceLoop,
    deploymentLoop,
    statefulSetLoop,
    daemonSetLoop,
    replicaSetLoop(),
    quotaLoop,
    schedulerLoop,
    kubeletLoop(kubelet)(),
    garbageCollectorLoop(),
  ];
}
