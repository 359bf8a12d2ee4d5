import type { Reason } from './reason.js';

/**
 * The design's word for what a reason is about: an extended resource's own name, `cpu`, `memory`,
 * `ephemeral-storage`, `pods`, `hostPort`, `ReadWriteOncePod`, `csiVolumeLimit`, `podAntiAffinity`,
 * `topologySpread` or `deviceClaim`. `undefined` for a reason that no pod's leaving can remove.
 */
export function resourceOf(reason: Reason): string | undefined {
  switch (reason.id) {
    case 'cpu':
    case 'memory':
    case 'ephemeral-storage':
    case 'pods':
    case 'extended-resource':
      return reason.resource;
    case 'host-port':
      return 'hostPort';
    case 'rwop':
      return 'ReadWriteOncePod';
    case 'max-volumes':
      return 'csiVolumeLimit';
    case 'pod-affinity':
      return reason.rule === 'affinity' ? undefined : 'podAntiAffinity';
    case 'topology-spread':
      return reason.domain === undefined ? undefined : 'topologySpread';
    case 'dra':
      return 'deviceClaim';
    default:
      return undefined;
  }
}
