import { type KnownReason, worded } from './known-reason.js';

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
