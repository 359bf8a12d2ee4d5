import type { AnyRule } from './rule.js';

/** Kinds that show how the pods of a workload do. */
export const podNeeds = [
  'ReplicaSet',
  'ControllerRevision',
  'Pod',
  'Node',
  'Event',
] as const satisfies AnyRule['needs'];

/** Kinds that show why a pod finds no node. */
export const waitingNeeds = [
  ...podNeeds,
  'Namespace',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'VolumeAttachment',
  'ResourceClaim',
  'ResourceClaimTemplate',
  'ResourceSlice',
  'DeviceClass',
  'DeviceTaintRule',
  'HorizontalPodAutoscaler',
  'NodeClaim',
] as const satisfies AnyRule['needs'];

/** Kinds that show why a pod is not created. */
export const creationNeeds = [
  ...podNeeds,
  'ResourceQuota',
  'LimitRange',
  'PriorityClass',
  'HorizontalPodAutoscaler',
] as const satisfies AnyRule['needs'];
