import { isReady, type Pod } from '../../cluster/pod.js';
import type { DeletePod } from '../../remediation/kinds/delete-pod/plan.js';
import { proposeDeletePod } from '../../remediation/kinds/delete-pod/propose.js';
import { nothingOffered, type Offer } from '../../remediation/offer.js';
import { rolloutStateOf } from '../../rollout/rollout-state.js';
import { podSimulatorOf } from '../pod-oracle-of.js';
import type { Examination } from '../rule.js';
import type { FailureGroup } from './failure-group.js';

/**
 * Pods of the same revision that were created later than the failing ones and are ready on the same nodes.
 * Where each failing pod has one beside it, neither the program nor the node as it is now keeps them from
 * running: the pods themselves have a fault, such as a network that was not complete when they started. Empty
 * otherwise.
 */
export function readyBeside({ podFailures, siblings }: FailureGroup): readonly Pod[] {
  const beside = podFailures.map(({ pod }) =>
    siblings.find(
      (each) =>
        isReady(each) &&
        each.spec.nodeName === pod.spec.nodeName &&
        createdAt(each) > createdAt(pod) &&
        claimsOf(pod).every((claim) => claimsOf(each).includes(claim)) &&
        podFailures.every((failure) => failure.pod.metadata.uid !== each.metadata.uid),
    ),
  );
  const found = beside.filter((pod) => pod !== undefined);
  return found.length < podFailures.length ? [] : [...new Set(found)];
}

/** The deletion of the first failing pod, whose replacement starts as the ready one did. */
export function deletionBeside(
  { snapshot, placement }: Examination,
  { podFailures: [{ pod }] }: FailureGroup,
  ready: readonly Pod[],
): Offer<DeletePod> {
  if (ready.length === 0) return nothingOffered;
  return proposeDeletePod({
    snapshot,
    state: rolloutStateOf(snapshot),
    placement,
    simulator: podSimulatorOf({ snapshot, placement }),
    pod,
    purpose: 'unstick',
  });
}

/**
 * A pod of a StatefulSet has claims of its own, which its replacement mounts again: a ready pod without them
 * shows nothing.
 */
function claimsOf({ spec }: Pod): readonly string[] {
  return spec.volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '');
}
