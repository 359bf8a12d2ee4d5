import { type KnownReason, worded } from './known-reason.js';

/** The names of predicates with which kube-scheduler counted nodes until 1.17, and errors of that time. */
export const knownPredicateReasons: readonly KnownReason[] = [
  ...worded(
    { reason: 'node-affinity', says: 'node-affinity', help: 'never' },
    { MatchNodeSelector: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'node-affinity', says: 'node-name', help: 'never' },
    { HostName: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'taint', says: 'taint', help: 'never' },
    { PodToleratesNodeTaints: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'cordoned', says: 'cordoned', help: 'never' },
    { NodeUnschedulable: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'host-port', says: 'host-port', help: 'could-free' },
    { PodFitsHostPorts: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'pod-affinity', says: 'pod-affinity-either', help: 'unknown' },
    { MatchInterPodAffinity: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'volume-zone', says: 'volume-zone', help: 'never' },
    { NoVolumeZoneConflict: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'volume-affinity', says: 'volume-affinity', help: 'never' },
    { VolumeNodeAffinityConflict: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'no-pv', says: 'no-volume', help: 'never' },
    { VolumeBindingNoMatch: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'max-volumes', says: 'volume-limit', help: 'could-free' },
    { MaxVolumeCount: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'unknown', says: 'node-condition', help: 'never' },
    { NodeNotReady: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'node-affinity', says: 'node-affinity', help: 'never' },
    {
      CheckServiceAffinity: 'predicate, until 1.17',
      CheckNodeLabelPresence: 'predicate, until 1.17',
      NodeLabelPresence: 'predicate, until 1.12',
    },
  ),
  ...worded(
    { reason: 'node-affinity', says: 'node-name', help: 'never' },
    { PodFitsHost: 'predicate, until 1.4' },
  ),
  ...worded(
    { reason: 'taint', says: 'taint', help: 'never' },
    { PodToleratesNodeNoExecuteTaints: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'host-port', says: 'host-port', help: 'could-free' },
    { PodFitsPorts: 'predicate, until 1.2' },
  ),
  ...worded(
    { reason: 'pod-affinity', says: 'pod-affinity', help: 'never' },
    { PodAffinityRulesNotMatch: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'pod-affinity', says: 'pod-anti-affinity', help: 'could-free' },
    { PodAntiAffinityRulesNotMatch: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'pod-affinity', says: 'existing-anti-affinity', help: 'could-free' },
    { ExistingPodsAntiAffinityRulesNotMatch: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'volume-affinity', says: 'volume-affinity', help: 'never' },
    { NoVolumeNodeConflict: 'predicate, 1.7 to 1.9' },
  ),
  ...worded(
    { reason: 'plugin', says: 'disk-in-use', help: 'could-free', detail: 'VolumeRestrictions' },
    { NoDiskConflict: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'max-volumes', says: 'volume-limit', help: 'could-free' },
    {
      MaxEBSVolumeCount: 'predicate, until 1.17',
      MaxGCEPDVolumeCount: 'predicate, until 1.17',
      MaxAzureDiskVolumeCount: 'predicate, until 1.17',
      MaxCinderVolumeCount: 'predicate, until 1.17',
      MaxCSIVolumeCount: 'predicate, until 1.17',
      MaxCSIVolumeCountPred: 'predicate, until 1.17',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'node-condition', help: 'never' },
    {
      NodeOutOfDisk: 'predicate, until 1.17',
      NodeNetworkUnavailable: 'predicate, until 1.17',
      NodeUnderMemoryPressure: 'predicate, until 1.17',
      NodeUnderDiskPressure: 'predicate, until 1.17',
      NodeUnderPIDPressure: 'predicate, until 1.17',
      NodeUnknownCondition: 'predicate, until 1.17',
      CheckNodeCondition: 'predicate, until 1.17',
      CheckNodeMemoryPressure: 'predicate, until 1.17',
      CheckNodeDiskPressure: 'predicate, until 1.17',
      CheckNodePIDPressure: 'predicate, until 1.17',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'resource', help: 'could-free' },
    {
      PodFitsResources: 'predicate, until 1.17',
      InsufficientResource: 'predicate, until 1.17',
    },
  ),
  ...worded(
    { reason: 'topology-spread', says: 'topology-spread', help: 'could-free' },
    {
      EvenPodsSpread: 'predicate, 1.16 to 1.17',
      EvenPodsSpreadNotMatch: 'predicate, 1.16 to 1.17',
    },
  ),
  ...worded(
    { reason: 'unbound-pvc', says: 'claim-unbound', help: 'pod-level' },
    { 'PersistentVolumeClaim is not bound: "*"': 'predicates.go, until 1.8' },
  ),
  ...worded(
    { reason: 'pvc-missing', says: 'claim-missing', help: 'pod-level' },
    {
      'PersistentVolumeClaim not found: "*"': 'predicates.go, until 1.8',
      'persistentvolumeclaims "*" not found': 'API error, until 1.8',
    },
  ),
  ...worded(
    { reason: 'cpu', says: 'resource', help: 'could-free', detail: 'cpu' },
    { PodExceedsFreeCPU: 'predicate, until 1.1' },
  ),
  ...worded(
    { reason: 'memory', says: 'resource', help: 'could-free', detail: 'memory' },
    { PodExceedsFreeMemory: 'predicate, until 1.1' },
  ),
  ...worded(
    { reason: 'pods', says: 'pod-slots', help: 'could-free' },
    { PodExceedsMaxPodNumber: 'predicate, until 1.1' },
  ),
];
