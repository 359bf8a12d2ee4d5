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
