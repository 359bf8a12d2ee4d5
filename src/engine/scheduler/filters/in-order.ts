import type { Filter } from '../situation.js';
import { csiLimits } from './csi-limits.js';
import { dynamicResources } from './dynamic-resources.js';
import { interPodAffinity } from './inter-pod-affinity.js';
import { nodeAffinity } from './node-affinity.js';
import { nodeName } from './node-name.js';
import { nodePorts } from './node-ports.js';
import { nodeResourcesFit } from './node-resources-fit.js';
import { nodeUnschedulable } from './node-unschedulable.js';
import { taintToleration } from './taint-toleration.js';
import { topologySpread } from './topology-spread.js';
import { volumeBinding } from './volume-binding.js';
import { volumeRestrictions } from './volume-restrictions.js';
import { volumeZone } from './volume-zone.js';

/**
 * The scheduler's order, in which the first plugin to refuse is the one its message names
 * (`default_plugins.go`).
 */
export const filtersInOrder: readonly Filter[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  csiLimits,
  volumeBinding,
  volumeZone,
  topologySpread,
  interPodAffinity,
  dynamicResources,
];
