import { type KnownReason, worded } from './known-reason.js';

/** What the kubelet and the API server say about one pod: people paste it beside what the scheduler says. */
export const knownKubeletReasons: readonly KnownReason[] = [
  ...worded(
    { reason: 'unknown', says: 'kubelet-rejects', help: 'pod-level', detail: [] },
    {
      'Allocate failed due to *, which is unexpected': 'topologymanager scope.go: unexpectedAdmissionError',
      'Allocate failed due to *': 'the same, as it is quoted',
      'Resources cannot be allocated with Topology locality': 'topologymanager: topologyAffinityError',
      'Resources cannot be allocated with Topology Locality':
        'topologymanager policy_single_numa_node.go, in its first versions',
      'SMT Alignment Error: *': 'cpumanager policy_static.go: SMTAlignmentError, since 1.22',
      'Predicate * failed': 'lifecycle/predicate.go: PredicateFailureError',
      'Predicate * failed: *': 'lifecycle/predicate.go: PredicateFailureError, with its description',
      'Pod was rejected as the node is shutting down.': 'nodeshutdown_manager_linux.go, since 1.21',
      'Pod was rejected as the node is shutting down': 'the same, without its full stop',
      'The node had condition: [*]': 'eviction/helpers.go: nodeConditionMessageFmt, without its full stop',
      'Cannot enforce AppArmor: *': 'security/apparmor: validate_admit_handler',
      'forbidden sysctl: *': 'sysctl/allowlist.go',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'kubelet-ends', help: 'pod-level', detail: [] },
    {
      'The node was low on resource: *': 'eviction/helpers.go: nodeLowMessageFmt',
      'Usage of EmptyDir volume * exceeds the limit *': 'eviction/eviction_manager.go: emptyDirMessageFmt',
      'Pod ephemeral local storage usage exceeds the total limit of containers *':
        'eviction/helpers.go: podEphemeralStorageMessageFmt',
      'Container * exceeded its local ephemeral storage limit *':
        'eviction/helpers.go: containerEphemeralStorageMessageFmt',
      'Preempted in order to admit critical pod': 'kubelet preemption.go',
      'Pod was terminated in response to imminent node shutdown.':
        'nodeshutdown_manager_linux.go, since 1.21',
      'Pod was terminated in response to imminent node shutdown': 'the same, without its full stop',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'resize-infeasible', help: 'pod-level' },
    { "Node didn't have enough capacity: *, requested: *": 'kubelet allocation_manager.go: canResizePod' },
  ),
  ...worded(
    { reason: 'unknown', says: 'quota-exceeded', help: 'pod-level', detail: [] },
    {
      'exceeded quota: *': 'plugin/pkg/admission/resourcequota controller.go: CheckRequest',
      'Error creating: * is forbidden: exceeded quota: *': 'the same, in the event FailedCreate',
      '* is forbidden: exceeded quota: *': 'the same, as the API server answers it',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'creation-refused', help: 'pod-level', detail: [] },
    {
      'pods "*" is forbidden: *': 'apierrors.NewForbidden, events FailedCreate',
      'Error creating: *': 'controller_utils.go: createPods, event FailedCreate',
      'admission webhook "*" denied the request: *': 'webhook ToStatusErr',
    },
  ),
];

/** Words of scheduler-plugins, Koordinator, Volcano and KAI-Scheduler for one node or for the pod. */
export const knownBatchReasons: readonly KnownReason[] = [
  ...worded(
    { reason: 'plugin', says: 'gang', help: 'pod-level', detail: 'Coscheduling' },
    {
      'optimistic rejection in PostFilter': 'scheduler-plugins Coscheduling',
      'rejection in Unreserve': 'scheduler-plugins Coscheduling',
      'PodGroup not found': 'scheduler-plugins Coscheduling',
      'can not find pod group': 'scheduler-plugins Coscheduling',
      'PodGroup * gets rejected due to Pod * is unschedulable even after PostFilter':
        'scheduler-plugins Coscheduling',
      'podGroup * failed recently': 'scheduler-plugins Coscheduling',
      'pod with pgName: * last failed in *, deny': 'scheduler-plugins Coscheduling, until 0.23',
      'pre-filter pod * cannot proceed due to gated pods in the same PodGroup':
        'scheduler-plugins Coscheduling',
      'reject the pod * is unschedulable even after PostFilter': 'scheduler-plugins Coscheduling, until 0.23',
      'GangGroup "*" gets rejected due to member Pod *': 'Koordinator Coscheduling',
      'Gang "*" gets rejected due to *': 'Koordinator Coscheduling',
      'gangGroup * is scheduling and this pod has not been attempted': 'Koordinator Coscheduling',
      'gang has not init, *': 'Koordinator Coscheduling',
      "can't find gang, *": 'Koordinator Coscheduling',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'gang', help: 'pod-level', detail: [1] },
    { 'rejected due to timeout after waiting * at plugin *': 'WaitOnPermit: waiting_pods_map.go' },
  ),
  ...worded(
    { reason: 'plugin', says: 'permit-rejected', help: 'pod-level' },
    { 'pod rejected by permit plugin "*"': 'as it is quoted' },
  ),
  ...worded(
    { reason: 'plugin', says: 'queue-closed', help: 'pod-level', detail: 'CapacityScheduling' },
    {
      'Pod * is rejected in PreFilter because ElasticQuota * is more than Max':
        'scheduler-plugins CapacityScheduling',
      'Pod * is rejected in PreFilter because total ElasticQuota used is more than min':
        'scheduler-plugins CapacityScheduling',
      'global quota max exceeded': 'scheduler-plugins CapacityScheduling',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'queue-closed', help: 'pod-level', detail: 'ElasticQuota' },
    {
      'Insufficient quotas, *': 'Koordinator ElasticQuota',
      'Insufficient non-preemptible quotas, *': 'Koordinator ElasticQuota',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'alignment', help: 'could-free', detail: 'NodeResourceTopologyMatch' },
    {
      'cannot align pod': 'scheduler-plugins NodeResourceTopologyMatch',
      'cannot align container': 'scheduler-plugins NodeResourceTopologyMatch',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'alignment', help: 'unknown', detail: 'NodeNUMAResource' },
    {
      'node(s) NUMA Topology policy not match': 'Koordinator NodeNUMAResource',
      'node(s) invalid CPU Topology': 'Koordinator NodeNUMAResource',
      'node(s) requested cpus not multiple cpus per core': 'Koordinator NodeNUMAResource',
      "node(s) cpu bind policy conflicts with pod's required cpu bind policy": 'Koordinator NodeNUMAResource',
      'not enough cpus available to satisfy request': 'Koordinator NodeNUMAResource',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'node-load', help: 'could-free', detail: 'LoadAwareScheduling' },
    {
      'node(s) cpu usage exceed threshold': 'Koordinator LoadAwareScheduling',
      'node(s) memory usage exceed threshold': 'Koordinator LoadAwareScheduling',
      'node(s) cpu aggregated usage exceed threshold': 'Koordinator LoadAwareScheduling',
      'node(s) memory aggregated usage exceed threshold': 'Koordinator LoadAwareScheduling',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'node-condition', help: 'never', detail: 'LoadAwareScheduling' },
    { 'node(s) nodeMetric expired': 'Koordinator LoadAwareScheduling' },
  ),
  ...worded(
    { reason: 'plugin', says: 'reservation', help: 'unknown', detail: 'Reservation' },
    {
      'Reservation(s) *': 'Koordinator Reservation',
      'node(s) no reservations match reservation affinity': 'Koordinator Reservation',
      "node(s) didn't match the nodeName specified by reservation": 'Koordinator Reservation',
      'node(s) reservation allocate policy conflict': 'Koordinator Reservation',
      'node(s) no reservation(s) to meet the requirements': 'Koordinator Reservation',
      'reservation is not active': 'Koordinator Reservation',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'device-full', help: 'could-free', detail: 'deviceshare' },
    { 'not enough gpu fitted on this node': 'Volcano deviceshare' },
  ),
  ...worded(
    { reason: 'plugin', says: 'device-full', help: 'could-free', detail: 'HiveD' },
    { 'Pod is waiting for preemptible or free resource to appear: *': 'HiveDScheduler' },
  ),
  ...worded(
    { reason: 'plugin', says: 'device-unregistered', help: 'never', detail: 'KAI' },
    {
      'node is not a gpu node or the gpu memory count on the node was not synced yet*':
        'KAI-Scheduler predicates.go',
    },
  ),
  ...worded(
    { reason: 'node-affinity', says: 'node-affinity', help: 'never' },
    {
      'node does not satisfy the node group affinity': 'Volcano nodegroup',
      'task node selector does not match node labels': 'Volcano predicates',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'alignment', help: 'could-free', detail: 'numaaware' },
    { 'container * cannot be assigned by numa': 'Volcano numaaware' },
  ),
  ...worded(
    { reason: 'gates', says: 'gates', help: 'pod-level' },
    { 'waiting for scheduling gates: *': 'YuniKorn context.go' },
  ),
];

/**
 * What is said outside the histogram of kube-scheduler: errors of plugins, autoscalers' and schedulers'
 * events.
 */
export const knownOtherReasons: readonly KnownReason[] = [
  ...worded(
    { reason: 'prebind', says: 'prebind', help: 'pod-level' },
    {
      'running PreBind plugin "*": *': 'RunPreBindPlugins, since 1.20',
      'error while running "*" prebind plugin for pod "*": *': 'RunPreBindPlugins, until 1.19',
      'running PreBindPreFlight "*": *': 'RunPreBindPreFlights, since 1.34',
    },
  ),
  ...worded(
    { reason: 'prebind', says: 'prebind', help: 'pod-level', detail: 'VolumeBinding' },
    { 'binding volumes: *': 'volume binder, as it is often quoted' },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-failed', help: 'pod-level', detail: [1] },
    { 'running * plugin "*": *': 'framework.go, since 1.20' },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-failed', help: 'pod-level' },
    {
      'running "*" filter plugin: *': 'RunFilterPlugins, since 1.21',
      'running "*" filter plugin for pod "*": *': 'RunFilterPlugins, until 1.20',
      'error while running "*" * plugin for pod "*": *': 'framework.go, until 1.19',
      'error while running "*" * plugin for pod "*"': 'framework.go, until 1.19, as it is quoted',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'group-limit', help: 'unknown' },
    {
      'max node group size reached': 'cluster-autoscaler skippedreasons.go',
      'max total nodes in cluster reached': 'cluster-autoscaler skippedreasons.go',
      'max cluster * limit reached': 'cluster-autoscaler skippedreasons.go',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'group-backoff', help: 'unknown' },
    {
      'in backoff after failed scale-up': 'cluster-autoscaler skippedreasons.go',
      'not ready for scale-up': 'cluster-autoscaler skippedreasons.go',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'resource', help: 'could-free' },
    { 'node(s) resource fit failed': 'Volcano NodeResourceFitFailed' },
  ),
  ...worded(
    { reason: 'plugin', says: 'gang', help: 'pod-level', detail: 'Coscheduling' },
    {
      'pre-filter pod * cannot find enough sibling pods, *': 'scheduler-plugins Coscheduling PreFilter',
      'gang child pod not collect enough, *': 'Koordinator Coscheduling PreFilter',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-failed', help: 'pod-level', detail: 'DefaultBinder' },
    {
      'binding rejected: *': 'DefaultBinder, as schedule_one.go reports it',
      'Binding rejected: *': 'DefaultBinder, event of scheduler.go',
      'Operation cannot be fulfilled on pods/binding "*": *': 'DefaultBinder, API error',
    },
  ),
  ...worded(
    { reason: 'plugin', says: 'permit-rejected', help: 'pod-level', detail: [1] },
    { 'rejected pod "*" by permit plugin "*": *': 'RunPermitPlugins, until 1.20' },
  ),
  ...worded(
    { reason: 'plugin', says: 'permit-rejected', help: 'pod-level', detail: [] },
    {
      'pod "*" rejected while waiting on permit: *': 'WaitOnPermit, until 1.21',
      'waiting on permit for pod: *': 'WaitOnPermit',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'being-deleted', help: 'pod-level', detail: [] },
    { 'skip schedule deleting pod: *': 'schedule_one.go: skipPodSchedule' },
  ),
  ...worded(
    { reason: 'plugin', says: 'plugin-failed', help: 'pod-level', detail: [] },
    { 'AssumePod failed: *': 'scheduler.go, until 1.19' },
  ),
  ...worded(
    { reason: 'unknown', says: 'preempted', help: 'pod-level', detail: [] },
    {
      'Preempted by * on node *': 'preemption.go: prepareCandidate, event of the victim',
      'Preempted by * from application * in *': 'YuniKorn, event of the victim',
    },
  ),
  ...worded(
    { reason: 'unknown', says: 'timed-out', help: 'pod-level' },
    { 'timed out waiting for the condition': 'wait.ErrWaitTimeout, as it is quoted alone' },
  ),
];
