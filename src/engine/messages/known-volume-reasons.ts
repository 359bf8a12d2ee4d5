import { type KnownReason, worded } from './known-reason.js';

/** Reasons about claims and volumes. A missing object's name is quoted by the API's error text. */
export const knownVolumeReasons: readonly KnownReason[] = [
  ...worded(
    { reason: 'volume-affinity', says: 'volume-affinity', help: 'never' },
    {
      'node(s) had volume node affinity conflict': 'VolumeBinding ErrReasonNodeConflict, until 1.32',
      "node(s) didn't match PersistentVolume's node affinity":
        'VolumeBinding ErrReasonNodeConflict, since 1.33',
    },
  ),
  ...worded(
    { reason: 'volume-zone', says: 'volume-zone', help: 'never' },
    { 'node(s) had no available volume zone': 'VolumeZone ErrReasonConflict' },
  ),
  ...worded(
    { reason: 'no-pv', says: 'no-volume', help: 'never' },
    { "node(s) didn't find available persistent volumes to bind": 'VolumeBinding ErrReasonBindConflict' },
  ),
  ...worded(
    { reason: 'no-pv', says: 'storage-full', help: 'never' },
    { 'node(s) did not have enough free storage': 'VolumeBinding ErrReasonNotEnoughSpace, since 1.19' },
  ),
  ...worded(
    { reason: 'unbound-pvc', says: 'claim-unbound', help: 'pod-level' },
    {
      'pod has unbound immediate PersistentVolumeClaims': 'VolumeBinding PreFilter',
      'pod has unbound PersistentVolumeClaims': 'CheckVolumeBinding, until 1.12',
    },
  ),
  ...worded(
    { reason: 'unbound-pvc', says: 'claim-unbound', help: 'pod-level', detail: [] },
    {
      'pod has unbound immediate PersistentVolumeClaims (repeated * times)': 'CheckVolumeBinding, until 1.17',
      'pod has unbound PersistentVolumeClaims (repeated * times)': 'CheckVolumeBinding, until 1.12',
    },
  ),
  ...worded(
    { reason: 'unbound-pvc', says: 'storage-class-missing', help: 'pod-level' },
    { 'storageclass.storage.k8s.io "*" not found': 'VolumeZone PreFilter, API error' },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-failed', help: 'pod-level', detail: 'VolumeZone' },
    {
      'VolumeBindingMode not set for StorageClass "*"': 'VolumeZone PreFilter',
      'PersistentVolumeClaim had no name': 'VolumeZone PreFilter',
      'PersistentVolumeClaim had no pv name and storageClass name': 'VolumeZone PreFilter',
      'PersistentVolume had no name': 'VolumeZone PreFilter',
    },
  ),
  ...worded(
    { reason: 'lost-pv', says: 'volume-lost', help: 'never' },
    {
      'pvc(s) bound to non-existent pv(s)': 'VolumeBinding ErrReasonPVNotExist, 1.20 to 1.22',
      'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)':
        'VolumeBinding ErrReasonPVNotExist, since 1.23',
    },
  ),
  ...worded(
    { reason: 'lost-pv', says: 'volume-lost', help: 'pod-level' },
    {
      'persistentvolumeclaim "*" bound to non-existent persistentvolume "*"':
        'VolumeBinding podHasPVCs, since 1.23',
      'persistentvolume "*" not found': 'VolumeZone PreFilter, API error',
    },
  ),
  ...worded(
    { reason: 'pvc-missing', says: 'claim-missing', help: 'pod-level' },
    { 'persistentvolumeclaim "*" not found': 'VolumeBinding podHasPVCs, API error' },
  ),
  ...worded(
    { reason: 'pvc-missing', says: 'claim-deleting', help: 'pod-level' },
    { 'persistentvolumeclaim "*" is being deleted': 'VolumeBinding podHasPVCs' },
  ),
  ...worded(
    { reason: 'pvc-missing', says: 'claim-missing', help: 'pod-level' },
    { 'persistentvolumeclaim "*" was not created for the pod': 'VolumeBinding podHasPVCs, 1.19 to 1.22' },
  ),
  ...worded(
    { reason: 'pvc-missing', says: 'claim-awaited', help: 'pod-level' },
    {
      'waiting for ephemeral volume controller to create the persistentvolumeclaim "*"':
        'VolumeBinding podHasPVCs, since 1.23',
    },
  ),
  ...worded(
    { reason: 'rwop', says: 'read-write-once-pod', help: 'could-free' },
    {
      'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode':
        'VolumeRestrictions ErrReasonReadWriteOncePodConflict, 1.22 to 1.33',
      'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod':
        'VolumeRestrictions ErrReasonReadWriteOncePodConflict, since 1.34',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'disk-in-use', help: 'could-free', detail: 'VolumeRestrictions' },
    { 'node(s) had no available disk': 'VolumeRestrictions ErrReasonDiskConflict' },
  ),
  ...worded(
    { reason: 'max-volumes', says: 'volume-limit', help: 'could-free' },
    { 'node(s) exceed max volume count': 'NodeVolumeLimits ErrReasonMaxVolumeCountExceeded' },
  ),
  ...worded(
    // Answered with Unschedulable, yet no pod's leaving installs a driver.
    { reason: 'plugin', says: 'driver-missing', help: 'never' },
    {
      '* CSI driver is not installed on the node': 'NodeVolumeLimits, since 1.35',
      'CSI driver is not installed on the node': 'NodeVolumeLimits, as it is quoted without the name',
    },
  ),
];
