import { controllerOf } from '../cluster/metadata.js';
import { isActive, isReady, type Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { ResourceQuota } from '../cluster/quota.js';
import { nowOf, type Snapshot } from '../cluster/snapshot.js';
import type { Placement } from '../placement/placement.js';
import { contestOf } from '../pod-oracle/contested-oracle.js';
import { targetNode } from '../rollout/daemon-set-nodes.js';
import type { PodOracle } from '../rollout/pod-oracle.js';
import { admission } from '../rollout/quota-admission.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';
import { createRunningQuotaUsage } from '../rollout/running-quota-usage.js';
import { isSimulated } from '../rollout/simulated-pods.js';
import { hasNode } from './stuck-rollout.js';

/**
 * Answers the rollout engine with the placement engine and the quotas: what the quotas refuse is not created. Of the
 * nodes that would take a pod, those of the workload's own pods come first: on others, not every pod was read.
 *
 * @param like the pod that is wanted, as admission sees it; pods of the same owner are taken to be like it
 */
export function quotaOracle(
  snapshot: Snapshot,
  placement: Placement,
  quotas: readonly ResourceQuota[],
  like: Pod,
): PodOracle {
  const now = nowOf(snapshot);
  const known = new Set(rolloutStateOf(snapshot).pods.map(({ spec }) => spec.nodeName));
  const owner = controllerOf(like)?.uid;
  const asStored = (pod: Pod): Pod =>
    isSimulated(pod) && controllerOf(pod)?.uid === owner
      ? { ...pod, spec: { ...like.spec, ...whereOf(pod) } }
      : pod;
  const usage = {
    removed: createRunningQuotaUsage(now, (pod) => pod),
    added: createRunningQuotaUsage(now, asStored),
  };
  let work = 0;
  const oracle: PodOracle = {
    ...(placement.work === undefined ? {} : { work: placement.work }),
    takeWork() {
      const taken = work;
      work = 0;
      return taken;
    },
    placementOf(pod, { gone, placed }) {
      work += placement.nodeCount + gone.length + placed.length;
      const add = placed.filter(hasNode).map(asStored);
      const { feasible } = placement.with({ add, remove: new Set(gone.map(podKey)) }).evaluate(asStored(pod));
      return feasible.find((node) => known.has(node)) ?? feasible[0];
    },
    becomesReady: (pod) => !(isActive(pod) && !isReady(pod) && hasFailed(pod)),
    admits: (pod, { gone, created }) =>
      admission(asStored(pod), quotas, now, { removed: gone, added: created, usage }).kind === 'admitted',
  };
  const { workload } = snapshot;
  const contested = { base: oracle, placement, stored: asStored, workload, quotas, now };
  return { ...oracle, contest: (own) => contestOf({ ...contested, own }) };
}

/** A DaemonSet's pod carries its node in its affinity, which `like` does not have. */
function whereOf(pod: Pod): Partial<Pod['spec']> {
  const { nodeName, affinity } = pod.spec;
  return targetNode(pod) === undefined ? { nodeName } : { nodeName, affinity };
}

function hasFailed({ status }: Pod): boolean {
  return status.containerStatuses.some(({ restartCount }) => restartCount > 0);
}
