import { cordonedNodes, taintedNodes } from './closed-nodes.js';
import { crashOnNode } from './crash-on-node.js';
import { daemonSetSurge } from './daemon-set-surge.js';
import { foreignHolder } from './foreign-holder.js';
import { gatedPods } from './gated-pods.js';
import type { Incident } from './incident.js';
import { healthyRollout, slowRollout } from './moving-rollouts.js';
import { pausedRollout } from './paused-rollout.js';
import { podSecurity } from './pod-security.js';
import { quotaDeadlock } from './quota-deadlock.js';
import { scaleUp } from './scale-up.js';
import { selectorWithoutGpu } from './selector-without-gpu.js';
import { incidentsSince137 } from './since-1-37.js';
import { statefulSetLowerOrdinals, statefulSetTooLarge } from './stateful-set-lower-ordinals.js';
import { statefulSetOrderedReady } from './stateful-set-ordered-ready.js';
import {
  surgeAntiAffinity,
  surgeCpu,
  surgeCsiVolumeLimit,
  surgeDeviceClaim,
  surgeEphemeralStorage,
  surgeExtendedResource,
  surgeHostPort,
  surgeMemory,
  surgePods,
  surgeReadWriteOncePod,
  surgeTopologySpread,
} from './surge-deadlocks.js';
import { unboundVolume } from './unbound-volume.js';
import { volumeAttachDeadlock } from './volume-attach-deadlock.js';

/** Every incident that the cluster tests cause: the deadlocks, then similar incidents, then crash loops. */
export const allIncidents: readonly Incident[] = [
  surgeExtendedResource,
  surgeCpu,
  surgeMemory,
  surgeEphemeralStorage,
  surgePods,
  surgeHostPort,
  surgeReadWriteOncePod,
  surgeAntiAffinity,
  surgeTopologySpread,
  surgeCsiVolumeLimit,
  surgeDeviceClaim,
  quotaDeadlock,
  volumeAttachDeadlock,
  daemonSetSurge,
  statefulSetOrderedReady,
  statefulSetLowerOrdinals,
  statefulSetTooLarge,
  selectorWithoutGpu,
  scaleUp,
  foreignHolder,
  cordonedNodes,
  taintedNodes,
  pausedRollout,
  gatedPods,
  unboundVolume,
  podSecurity,
  slowRollout,
  healthyRollout,
  crashOnNode,
];

/** The incidents that this version (`1.36.3`) of Kubernetes can have. */
export function incidentsFor(version: string): readonly Incident[] {
  const minor = version.split('.').slice(0, 2).join('.');
  return [...allIncidents, ...incidentsSince137].filter(
    (incident) => !incident.notOnVersions?.includes(minor),
  );
}
