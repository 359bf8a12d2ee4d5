import { describe, expect, it } from 'vitest';
import {
  type CloudRefusalKind,
  cloudRefusalKindOf,
  cloudRefusalKinds,
} from '#src/doctor/findings/waiting/cloud-refusal.js';

/** What EC2, Compute Engine and Azure Compute report, as autoscalers repeat it. */
const reasons: readonly (readonly [CloudRefusalKind, string])[] = [
  [
    'quota',
    'VcpuLimitExceeded: You have requested more vCPU capacity than your current vCPU limit of 32 allows for the instance bucket that the specified instance type belongs to.',
  ],
  [
    'quota',
    "QUOTA_EXCEEDED: Instance 'x' creation failed: Quota 'NVIDIA_L4_GPUS' exceeded.  Limit: 1.0 in region us-central1.",
  ],
  [
    'quota',
    'OperationNotAllowed: Operation could not be completed as it results in exceeding approved standardNCSv3Family Cores quota. Current Limit: 6, Current Usage: 6',
  ],
  ['quota', 'MaxSpotInstanceCountExceeded: Max spot instance count exceeded'],
  [
    'stock-out',
    'InsufficientInstanceCapacity: We currently do not have sufficient g5.xlarge capacity in the Availability Zone you requested (us-east-1a).',
  ],
  [
    'stock-out',
    "ZONE_RESOURCE_POOL_EXHAUSTED: The zone 'projects/p/zones/us-east1-b' does not have enough resources available to fulfill the request.",
  ],
  [
    'stock-out',
    'AllocationFailed: Allocation failed. We do not have sufficient capacity for the requested VM size in this region.',
  ],
  ['stock-out', 'insufficient capacity, all requested instance types were unavailable during launch'],
  [
    'stock-out',
    'SkuNotAvailable: The requested VM size for resource is currently not available in location eastus.',
  ],
  [
    'unauthorised',
    'UnauthorizedOperation: You are not authorized to perform this operation. Encoded authorization failure message: abc',
  ],
  [
    'unauthorised',
    "googleapi: Error 403: Required 'compute.instanceGroupManagers.update' permission for 'projects/p/zones/z/instanceGroupManagers/g', forbidden",
  ],
  [
    'unauthorised',
    "AuthorizationFailed: The client 'c' with object id 'o' does not have authorization to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' over scope 's'",
  ],
  [
    'unsupported',
    'Unsupported: Your requested instance type (p4d.24xlarge) is not supported in your requested Availability Zone (us-east-1e).',
  ],
  ['unsupported', "Machine type with name 'a2-highgpu-1g' does not exist in zone 'us-central1-f'."],
  ['unsupported', "VMSizeNotSupported: The size 'Standard_ND96' is not supported in the location."],
  [
    'addresses',
    "InsufficientFreeAddressesInSubnet: There are not enough free addresses in subnet 'subnet-1' to satisfy the requested number of instances.",
  ],
  [
    'addresses',
    "IP_SPACE_EXHAUSTED: Instance 'x' creation failed: IP space of 'projects/p/subnets/s' is exhausted.",
  ],
  [
    'addresses',
    'SubnetIsFull: Subnet aks with address prefix 10.0.0.0/24 does not have enough capacity for 2 IP addresses.',
  ],
  ['other', 'InternalServerError: An unexpected error occurred. Try again.'],
];

describe('the reason for which a cloud gives no node', () => {
  it.each(reasons)('is of the kind %s: %s', (kind, reason) => {
    expect(cloudRefusalKindOf(reason)).toBe(kind);
  });

  it('has a row of each kind above', () => {
    expect(new Set(reasons.map(([kind]) => kind))).toEqual(new Set(cloudRefusalKinds));
  });
});
