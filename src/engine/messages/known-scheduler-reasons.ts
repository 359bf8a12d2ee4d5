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
    { PodFitsResources: 'predicate, until 1.17', InsufficientResource: 'predicate, until 1.17' },
  ),
  ...worded(
    { reason: 'topology-spread', says: 'topology-spread', help: 'could-free' },
    { EvenPodsSpread: 'predicate, 1.16 to 1.17', EvenPodsSpreadNotMatch: 'predicate, 1.16 to 1.17' },
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

/** Reasons about nodes and the pods on them; `Insufficient <resource>` is read by `resource-reason.ts`. */
export const knownNodeReasons: readonly KnownReason[] = [
  ...worded(
    { reason: 'node-affinity', says: 'node-affinity', help: 'never' },
    {
      "node(s) didn't match node selector": 'NodeAffinity, until 1.19',
      "node(s) didn't match Pod's node affinity": 'NodeAffinity, 1.20',
      "node(s) didn't match Pod's node affinity/selector": 'NodeAffinity ErrReasonPod, since 1.21',
    },
  ),
  ...worded(
    { reason: 'node-affinity', says: 'enforced-affinity', help: 'never' },
    { "node(s) didn't match scheduler-enforced node affinity": 'NodeAffinity errReasonEnforced, since 1.20' },
  ),
  ...worded(
    { reason: 'node-affinity', says: 'affinity-conflict', help: 'pod-level' },
    { 'pod affinity terms conflict': 'NodeAffinity PreFilter errReasonConflict, since 1.24' },
  ),
  ...worded(
    { reason: 'node-affinity', says: 'node-affinity', help: 'never' },
    {
      "node(s) didn't have the requested labels": 'NodeLabel, until 1.22',
      "node(s) didn't match service affinity": 'ServiceAffinity, until 1.22',
    },
  ),
  ...worded(
    { reason: 'node-affinity', says: 'node-name', help: 'never' },
    {
      "node(s) didn't match the requested hostname": 'NodeName, until 1.20',
      "node(s) didn't match the requested node name": 'NodeName ErrReason, since 1.21',
    },
  ),
  ...worded(
    { reason: 'taint', says: 'taint', help: 'never' },
    {
      "node(s) had taint {*}, that the pod didn't tolerate": 'TaintToleration, until 1.23',
      'node(s) had taint {*}': 'TaintToleration until 1.23, as it is often quoted',
      'node(s) had untolerated taint {*}': 'TaintToleration, 1.24 to 1.33',
      'node(s) had untolerated taint(s)': 'TaintToleration, since 1.34',
      "node(s) had taints that the pod didn't tolerate": 'TaintToleration ErrReasonNotMatch, until 1.17',
    },
  ),
  ...worded(
    { reason: 'cordoned', says: 'cordoned', help: 'never' },
    { 'node(s) were unschedulable': 'NodeUnschedulable ErrReasonUnschedulable' },
  ),
  ...worded(
    { reason: 'plugin', says: 'node-condition', help: 'never', detail: 'NodeUnschedulable' },
    { 'node(s) had unknown conditions': 'NodeUnschedulable ErrReasonUnknownCondition' },
  ),
  ...worded(
    { reason: 'unknown', says: 'node-condition', help: 'never' },
    {
      'node(s) were not ready': 'CheckNodeCondition, until 1.17',
      'node(s) were out of disk': 'CheckNodeCondition, until 1.17',
      'node(s) were out of disk space': 'CheckNodeCondition, until 1.13',
      'node(s) had unavailable network': 'CheckNodeCondition, until 1.17',
      'node(s) had memory pressure': 'CheckNodeMemoryPressure, until 1.17',
      'node(s) had disk pressure': 'CheckNodeDiskPressure, until 1.17',
      'node(s) had pid pressure': 'CheckNodePIDPressure, until 1.17',
    },
  ),
  ...worded(
    { reason: 'pods', says: 'pod-slots', help: 'could-free' },
    {
      'Too many pods': 'NodeResourcesFit fitsRequest',
      'node(s) pod number exceeded': 'Volcano NodePodNumberExceeded',
    },
  ),
  ...worded(
    { reason: 'host-port', says: 'host-port', help: 'could-free' },
    { "node(s) didn't have free ports for the requested pod ports": 'NodePorts ErrReason' },
  ),
  ...worded(
    { reason: 'pod-affinity', says: 'pod-affinity-either', help: 'unknown' },
    {
      "node(s) didn't match pod affinity/anti-affinity":
        'InterPodAffinity, until 1.20, beside a second reason for the same node',
      "node(s) didn't match pod affinity/anti-affinity rules":
        'InterPodAffinity, 1.21, beside a second reason for the same node',
    },
  ),
  ...worded(
    { reason: 'pod-affinity', says: 'pod-affinity', help: 'never' },
    { "node(s) didn't match pod affinity rules": 'InterPodAffinity ErrReasonAffinityRulesNotMatch' },
  ),
  ...worded(
    { reason: 'pod-affinity', says: 'pod-anti-affinity', help: 'could-free' },
    { "node(s) didn't match pod anti-affinity rules": 'InterPodAffinity ErrReasonAntiAffinityRulesNotMatch' },
  ),
  ...worded(
    { reason: 'pod-affinity', says: 'existing-anti-affinity', help: 'could-free' },
    {
      "node(s) didn't satisfy existing pods anti-affinity rules":
        'InterPodAffinity ErrReasonExistingAntiAffinityRulesNotMatch',
    },
  ),
  ...worded(
    { reason: 'topology-spread', says: 'topology-spread', help: 'could-free' },
    {
      "node(s) didn't match pod topology spread constraints":
        'PodTopologySpread ErrReasonConstraintsNotMatch',
    },
  ),
  ...worded(
    { reason: 'topology-spread', says: 'topology-label-missing', help: 'never' },
    {
      "node(s) didn't match pod topology spread constraints (missing required label)":
        'PodTopologySpread ErrReasonNodeLabelNotMatch, since 1.19',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'features', help: 'never', detail: 'NodeDeclaredFeatures' },
    {
      "node(s) didn't match Pod's required features":
        'NodeDeclaredFeatures errReasonUnsatisfiedRequirements, since 1.36',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-conflict', help: 'pod-level' },
    { "node(s) didn't satisfy plugin(s) [*] simultaneously": 'RunPreFilterPlugins, since 1.24' },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-left-out', help: 'never' },
    { "node(s) didn't satisfy plugin(s) [*]": 'findNodesThatFitPod, since 1.32' },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-conflict', help: 'pod-level' },
    { "node(s) didn't satisfy plugin *": 'RunPreFilterPlugins, since 1.24' },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-left-out', help: 'never' },
    { 'node is filtered out by the prefilter result': 'findNodesThatFitPod, 1.28 to 1.31' },
  ),
  ...worded(
    { reason: 'gates', says: 'gates', help: 'pod-level' },
    {
      'waiting for scheduling gates: [*]': 'SchedulingGates, since 1.26',
      'Scheduling is blocked due to non-empty scheduling gates':
        'pod strategy.go, condition SchedulingGated, since 1.26',
    },
  ),
  ...worded(
    { reason: 'no-node', says: 'no-node', help: 'unknown' },
    { 'no nodes available to schedule pods': 'scheduler.go ErrNoNodesAvailable' },
  ),
  ...worded(
    { reason: 'plugin', says: 'preemption-awaited', help: 'pod-level', detail: 'DefaultPreemption' },
    {
      'waiting for the preemption for this pod to be finished': 'DefaultPreemption PreEnqueue, since 1.32',
      'waiting for the preemption for this pod group to be finished':
        'DefaultPreemption PreEnqueue, since 1.36',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'gang', help: 'pod-level', detail: 'GangScheduling' },
    {
      'waiting for pods\'s pod group "*" to appear in scheduling queue':
        'GangScheduling PreEnqueue, since 1.35',
      'waiting for minCount pods from a gang to appear in scheduling queue':
        'GangScheduling PreEnqueue, since 1.36',
      'waiting for minCount pods from a gang to be scheduled': 'GangScheduling Permit, since 1.35',
      'pod group is unschedulable': 'schedule_one_podgroup.go, since 1.36',
      'pod group is waiting for preemption to complete': 'schedule_one_podgroup.go, since 1.36',
      'pod group is unschedulable, *': 'schedule_one_podgroup.go with what plugins add, since 1.37',
      'minCount (*) cannot be satisfied: * scheduled, * remaining':
        'GangScheduling PlacementFeasible, since 1.37',
      'minCount (*) is not yet satisfied: * scheduled, * remaining':
        'GangScheduling PlacementFeasible, since 1.37',
      'waiting for composite pod group "*" tree to meet quorum': 'GangScheduling PreEnqueue, since 1.37',
    },
  ),
];

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
