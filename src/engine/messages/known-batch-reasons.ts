import { type KnownReason, worded } from './known-reason.js';

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
