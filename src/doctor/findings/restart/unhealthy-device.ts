import { refOf, unhealthyDevicesOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { state } from '../../fixes/kinds/restart-rollout/text.js';
import type { FailureGroup } from '../crashes/failure-group.js';
import { currentRevision } from '../crashes/failure-group.js';
import type { PodCause } from '../crashes/pod-failure.js';
import type { RestartCase } from './failing-run.js';
import { readySiblings } from './failing-run.js';

/** Failures of a program that runs; what keeps one from running has nothing to do with its devices. */
const ofPrograms: ReadonlySet<PodCause> = new Set([
  'application-crash',
  'process-exits-zero',
  'liveness-probe-kill',
  'startup-probe-kill',
  'readiness-failing',
]);

/**
 * Each failing container holds a device whose plugin reports it as unhealthy
 * (`containerStatuses[].allocatedResourcesStatus`, KEP-4680). It keeps the device when it restarts
 * (kubernetes `devicemanager/manager.go: devicesToAllocate`). `undefined` where a pod that is ready holds
 * such a device as well: the failure has another reason then.
 */
export function unhealthyDevice(snapshot: Snapshot, failureGroup: FailureGroup): RestartCase | undefined {
  const { cause, container, revision, podFailures, ongoing } = failureGroup;
  if (!ongoing || !ofPrograms.has(cause) || revision !== currentRevision(snapshot)) return undefined;
  const held = podFailures.flatMap(({ pod, container: view }) => {
    const device = unhealthyDevicesOf(pod).find((each) => each.container === view?.name);
    return device === undefined ? [] : [{ pod, ...device }];
  });
  const [first] = held;
  if (first === undefined || held.length < podFailures.length) return undefined;
  const isHeldByReady = readySiblings(failureGroup).some(({ pod }) => unhealthyDevicesOf(pod).length > 0);
  if (isHeldByReady) return undefined;
  const says = state('unhealthy-device', {
    pods: held.map(({ pod }) => pod.metadata.name),
    container,
    resource: first.resource,
  });
  return {
    kind: 'helps',
    reasoning: [says, state('device-kept')],
    because: [says, state('device-not-proven')],
    evidence: held.slice(0, 3).map(({ pod, resource, device }) => ({
      object: refOf(pod),
      field: `status.containerStatuses[${container}].allocatedResourcesStatus[${resource}]`,
      value: 'Unhealthy',
      says: state('ev-unhealthy-device', { device }),
    })),
  };
}
