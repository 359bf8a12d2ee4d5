import { type KnownReason, worded } from './known-reason.js';

/** Reasons of DynamicResources. All answer UnschedulableAndUnresolvable (`statusUnschedulable`). */
export const knownDeviceReasons: readonly KnownReason[] = [
  ...worded(
    { reason: 'dra', says: 'devices', help: 'unknown' },
    {
      'cannot allocate all claims': 'Filter, since 1.31',
      'invalid resource pools were encountered': 'structured allocator, since 1.34',
      'resourceclaim not available on the node': 'Filter',
      'resourceclaim cannot be allocated for the node (unsuitable)': 'Filter, until 1.31',
      'excluded by device class node filter': 'Filter, 1.31',
      'excluded by resource class node filter': 'Filter, until 1.30',
      'cannot schedule extended resource claim': 'extended resources by DRA, since 1.34',
      'cannot fit resource': 'extended resources by DRA, since 1.34',
    },
  ),
  ...worded(
    { reason: 'dra', says: 'devices', help: 'unknown', detail: [] },
    { 'node *: timed out trying to allocate devices': 'Filter, since 1.34' },
  ),
  ...worded(
    { reason: 'dra', says: 'devices', help: 'unknown' },
    { 'timed out trying to allocate devices': 'Filter, as it is often quoted' },
  ),
  ...worded(
    { reason: 'dra', says: 'devices', help: 'unknown', detail: [] },
    { 'asked by caller to stop allocating devices: *': 'Filter, since 1.34' },
  ),
  ...worded(
    { reason: 'dra', says: 'devices', help: 'unknown' },
    {
      'resource claim * allocation requires * feature on the node': 'Filter, since 1.37',
      'resourceclaim must be reallocated': 'Filter, until 1.31',
      'unallocated immediate resourceclaim': 'PreFilter, until 1.30',
      'node allocatable resource claim *': 'node-allocatable devices, since 1.36',
    },
  ),
  ...worded(
    { reason: 'dra', says: 'devices', help: 'pod-level' },
    {
      'resourceclaim in use': 'PreFilter',
      'claim *: node-allocatable resource claim not referenced by any container within the pod': '1.36',
      'pod level request for * is insufficient to cover *': 'node-allocatable devices, since 1.36',
      'pod level limit for * is insufficient to cover *': 'node-allocatable devices, since 1.37',
    },
  ),
  ...worded(
    { reason: 'dra', says: 'device-class-missing', help: 'pod-level' },
    { 'device class * does not exist': 'PreFilter, as it is quoted without the request' },
  ),
  ...worded(
    { reason: 'dra', says: 'device-class-missing', help: 'pod-level', detail: [1] },
    { 'request *: device class * does not exist': 'PreFilter, since 1.31' },
  ),
  ...worded(
    { reason: 'dra', says: 'device-claim-awaited', help: 'pod-level' },
    {
      'resource claim * is in the process of being allocated': 'PreFilter, since 1.31',
      'resourceclaim "*" is being deleted': 'PreEnqueue',
      'waiting for dynamic resource controller to create the resourceclaim "*"': 'PreEnqueue, until 1.30',
      'waiting for resource driver to allocate resource': 'Reserve, until 1.30',
      'waiting for resource driver to provide information': 'Reserve, until 1.30',
    },
  ),
  ...worded(
    // The words name the pod, not the claim.
    { reason: 'dra', says: 'device-claim-awaited', help: 'pod-level', detail: [] },
    {
      'pod "*": ResourceClaim not created yet': 'PreEnqueue and PreFilter, resourceclaim.ErrClaimNotFound',
      'ResourceClaim not created yet': 'the same, as it is quoted',
    },
  ),
  ...worded(
    { reason: 'dra', says: 'device-claim-missing', help: 'pod-level' },
    {
      'could not find ResourceClaim "*"': 'PreFilter, as 1.36 answers',
      'resourceclaim.resource.k8s.io "*" not found': 'PreEnqueue and PreFilter, error of the lister',
      'resourceclaims.resource.k8s.io "*" not found': 'PreEnqueue and PreFilter, API error',
    },
  ),
  ...worded(
    { reason: 'dra', says: 'devices', help: 'pod-level' },
    {
      'resource claim *, request *: *': 'PreFilter, since 1.32',
      'claim *, request *: *': 'structured allocator, since 1.31',
    },
  ),
];
