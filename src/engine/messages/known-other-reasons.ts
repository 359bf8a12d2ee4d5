import { type KnownReason, worded } from './known-reason.js';

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
