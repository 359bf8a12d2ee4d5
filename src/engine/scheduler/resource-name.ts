import type { Reason } from './reason.js';

const HUGE_PAGES = 'hugepages-';
const NATIVE = 'kubernetes.io/';
const QUOTA_REQUESTS = 'requests.';
const ATTACHABLE_VOLUMES = 'attachable-volumes-';
const DEVICE_CLASS = 'deviceclass.resource.kubernetes.io/';

/** True for a vendor's resource such as `nvidia.com/gpu` (`core/helper: IsExtendedResourceName`). */
export function isExtendedResourceName(name: string): boolean {
  return name.includes('/') && !name.includes(NATIVE) && !name.startsWith(QUOTA_REQUESTS);
}

export function isHugePagesResourceName(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/**
 * True for what the scheduler counts beside cpu, memory and ephemeral storage (`util: IsScalarResourceName`).
 */
function isScalarResourceName(name: string): boolean {
  return (
    isExtendedResourceName(name) ||
    isHugePagesResourceName(name) ||
    name.includes(NATIVE) ||
    name.startsWith(ATTACHABLE_VOLUMES)
  );
}

/**
 * The class that an implicit extended resource name asks for (`deviceclass.resource.kubernetes.io/<class>`).
 */
export function implicitDeviceClass(name: string): string | undefined {
  return name.startsWith(DEVICE_CLASS) ? name.slice(DEVICE_CLASS.length) : undefined;
}

/** What the scheduler counts at all: everything else in a request is ignored by it. */
export function isCounted(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name === 'ephemeral-storage' || isScalarResourceName(name);
}

/** Pod-level resources exist for these only (`component-helpers resource: IsSupportedPodLevelResource`). */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePagesResourceName(name);
}

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
