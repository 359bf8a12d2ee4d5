import { greatestOf } from '../../../engine/collections/collections.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasOrdinals } from '../../../engine/objects/workload.js';
import type { Incarnation } from '../../../engine/statistics/incarnation.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { groupFailures, podsOf } from '../../findings/crashes/failure-group.js';
import { liesInClaim } from '../../findings/endings/ending.js';
import { mountedOf } from '../../findings/endings/ending-case.js';
import type { Fixes } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import type { Examination } from '../../findings/rule.js';
import { proposeDeletePod } from '../../fixes/kinds/delete-pod.js';
import type { Observation } from './observation.js';

/** Whether a recreated pod would show nothing, or cost data: see `isTiedToData`. */
export function showsNothing(
  snapshot: Snapshot,
  observation: Observation,
  nodes: readonly string[],
  recreate: string | undefined,
): boolean {
  const pod = triedPod(snapshot, observation, nodes, recreate);
  return pod !== undefined && isTiedToData(snapshot, pod);
}

/**
 * One crashing pod recreated on another node: when it stays healthy there long enough, the node is the
 * suspect.
 */
export function experimentWith(
  { snapshot, placement }: Examination,
  observation: Observation,
  nodes: readonly string[],
  recreate: string | undefined,
): Fixes {
  const pod = triedPod(snapshot, observation, nodes, recreate);
  if (pod === undefined || isTiedToData(snapshot, pod)) return { remediations: [], withheld: [] };
  const lived = crashedOn(observation, nodes).flatMap(({ secondsToCrash }) => secondsToCrash ?? []);
  return proposeDeletePod({
    snapshot,
    state: rolloutStateOf(snapshot),
    placement,
    simulator: podSimulatorOf({ snapshot, placement }),
    pod,
    purpose: 'experiment',
    awayFrom: nodes,
    ...(lived.length === 0 ? {} : { mustStayReadySeconds: greatestOf(lived) }),
  });
}

function crashedOn({ own }: Observation, nodes: readonly string[]): readonly Incarnation[] {
  return own.filter((one) => one.crashed && nodes.includes(one.node));
}

/** The crashed pod to recreate. A deleted pod of the history cannot be recreated. */
function triedPod(
  snapshot: Snapshot,
  observation: Observation,
  nodes: readonly string[],
  recreate: string | undefined,
): Pod | undefined {
  const living = new Map(podsOf(snapshot).map((each) => [each.metadata.uid, each]));
  const crashed = crashedOn(observation, nodes).map(({ uid }) => uid);
  return [recreate ?? '', ...crashed].flatMap((uid) => living.get(uid) ?? [])[0];
}

/**
 * A pod whose recreation shows nothing of the node, since the reason lies in a claim that comes along, or
 * costs what a member of a StatefulSet keeps in an `emptyDir`.
 */
function isTiedToData(snapshot: Snapshot, pod: Pod): boolean {
  const failureGroup = groupFailures(snapshot).find(({ podFailures }) =>
    podFailures.some((each) => each.pod.metadata.uid === pod.metadata.uid),
  );
  if (failureGroup === undefined) return false;
  const { container } = failureGroup.podFailures[0];
  const mounted = new Set(
    container === undefined ? [] : mountedOf(pod, container).map(({ volume }) => volume),
  );
  const isLost = pod.spec.volumes.some(({ name, emptyDir }) => emptyDir !== undefined && mounted.has(name));
  return (isLost && hasOrdinals(snapshot.workload)) || liesInClaim(snapshot, failureGroup);
}
