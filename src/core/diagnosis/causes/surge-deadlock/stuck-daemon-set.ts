import { hasNode, isActive, type Pod } from '../../../cluster/pod.js';
import { daemonSetHash, isUpdatedDaemonPod } from '../../../rollout/controller-revisions.js';
import { daemonSetBounds } from '../../../rollout/daemon-set-bounds.js';
import { targetNode } from '../../../rollout/daemon-set-nodes.js';
import { isFixedPoint } from '../../../rollout/fixed-point.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { subjectOf } from '../../deadlock/resting.js';
import { deadlock } from '../../deadlock/text.js';
import type { Examination } from '../../rule.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import { remediesFor } from './remedies.js';
import type { Stuck } from './stuck.js';
import { state } from './text.js';

/**
 * A DaemonSet that surges, at rest half-way: new pods wait for nodes on which an old pod is kept until they
 * are available (kubernetes `daemon/update.go: rollingUpdate`). An old pod that is not ready is taken by the
 * controller, so only a ready one blocks. Each node stands for itself: what new pods do on other nodes does
 * not matter.
 */
export function stuckDaemonSetOf(examination: Examination): Stuck | undefined {
  const rollout = rolloutStateOf(examination.snapshot);
  if (rollout.kind !== 'DaemonSet') return undefined;
  const { daemonSet, pods } = rollout;
  const { metadata, spec, status } = daemonSet;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const { maxSurge, desired } = daemonSetBounds(rollout);
  if (maxSurge === 0 || !isFixedPoint(rollout)) return undefined;
  const hash = daemonSetHash(rollout);
  const isNew = (pod: Pod) => isUpdatedDaemonPod(pod, daemonSet, hash);
  const old = pods.filter((pod) => isActive(pod) && hasNode(pod) && !isNew(pod));
  const occupied = new Set(old.map(({ spec: { nodeName } }) => nodeName));
  const [first, ...rest] = pods.filter(
    (pod) => isActive(pod) && isUnschedulable(pod) && isNew(pod) && occupied.has(targetNode(pod)),
  );
  if (first === undefined) return undefined;
  const waiting = [first, ...rest] as const;
  const wanted = new Set(waiting.map(targetNode));
  const { rollingUpdate } = spec.updateStrategy;
  const asStated = {
    maxSurge: String(rollingUpdate?.maxSurge ?? '-'),
    maxUnavailable: String(rollingUpdate?.maxUnavailable ?? '-'),
  };
  return {
    workload: daemonSet,
    holding: old.filter((pod) => wanted.has(pod.spec.nodeName)),
    waiting,
    strategy: state('strategy-surges', {
      ...asStated,
      waiting: waiting.length,
      surge: maxSurge,
      nodes: desired,
    }),
    strategyFacts: { ...asStated, surge: maxSurge, replicas: desired },
    strategyEvidence: [
      {
        object: subjectOf(daemonSet),
        field: 'spec.updateStrategy.rollingUpdate',
        value: JSON.stringify(rollingUpdate ?? {}),
        says: deadlock('ev-surges', { surge: maxSurge, nodes: desired }),
      },
    ],
    weakenedBy: [],
    remedies: (node, resource) => remediesFor(examination, rollout, waiting, { node, resource }),
  };
}
